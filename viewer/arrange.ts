import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison, type PreparedComparison } from '@/components/compare/prepare-comparison'
import type { LocalFile } from '@/lib/files/local-runs'
import { pairingsOf, runsOfSides } from '@/lib/files/sides'
import { groupBy } from '@/lib/group-by'
import type { StoredRun } from '@/lib/history/stored-runs'
import { maxCompared } from '@/lib/judge/compare-url'
import { maxShownRuns } from './reader'

/** What to compare, side by side. */
export interface Arranged {
  readonly pairings: readonly { readonly title: string; readonly sides: readonly (readonly StoredRun[])[] }[]
  /** What is left out, in sentences. */
  readonly notes: readonly string[]
}

/**
 * The sides of files, as a command line would name them: of one file, its runs by scenario, variant and environment; of
 * several, those whose names differ by a number repeat each other, if that leaves two sides; otherwise each file is one.
 */
export function arrange(files: readonly LocalFile[], runCount: number, nowMs: number): Arranged {
  const shown = withinLimit(files)
  const notes: string[] = []
  if (runCount > maxShownRuns) notes.push(`These files hold ${runCount} runs. The first ${maxShownRuns} are shown.`)
  const groups = groupFiles(shown)
  const [only, ...more] = groups
  const sides =
    only !== undefined && more.length === 0
      ? sidesOfRuns(runsOfSides([only], nowMs).flat())
      : runsOfSides(groups, nowMs)
  if (sides.length > maxCompared)
    notes.push(`${sides.length} sides are more than one page compares. The first ${maxCompared} are shown.`)
  const compared = sides.slice(0, maxCompared)
  const pairings = pairingsOf(compared)
  // Without a shared name, all runs of a side stand for it.
  return { pairings: pairings.length === 0 ? [{ title: '', sides: compared }] : pairings, notes }
}

/** What the page shows of sides. Null: there is no run. */
export const prepareSides = (
  sides: readonly (readonly StoredRun[])[],
  tables: readonly string[],
): PreparedComparison | null => prepareComparison(sides, { ...viewOf(''), tables }, () => null)

function withinLimit(files: readonly LocalFile[]): readonly LocalFile[] {
  let left = maxShownRuns
  return files.flatMap((one) => {
    const runs = one.file.runs.slice(0, left)
    left -= runs.length
    return runs.length === 0 ? [] : [{ ...one, file: { ...one.file, runs } }]
  })
}

function groupFiles(files: readonly LocalFile[]): readonly (readonly LocalFile[])[] {
  for (const keyOf of [folderOf, stemOf]) {
    const groups = [...groupBy(files, ({ input }) => keyOf(input.name)).values()]
    if (groups.length > 1 && groups.length < files.length) return groups
  }
  return files.map((file) => [file])
}

const folderOf = (name: string): string => name.split('/').slice(0, -1).join('/')
const stemOf = (name: string): string => name.replace(/(?<=.)\.[a-z0-9]{1,8}$/i, '').replace(/[\s._-]{0,9}\d{1,9}$/, '')

const sidesOfRuns = (runs: readonly StoredRun[]): readonly (readonly StoredRun[])[] => [
  ...groupBy(runs, ({ seriesId }) => seriesId).values(),
]

/** What a side is called by in edits: its first run. */
export const keyOf = (side: readonly StoredRun[]): string => side[0]?.id ?? ''
