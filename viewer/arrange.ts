import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison, type PreparedComparison } from '@/components/compare/prepare-comparison'
import type { LocalFile } from '@/lib/files/local-runs'
import { pairingsOf, runsOfSides } from '@/lib/files/sides'
import { groupBy } from '@/lib/group-by'
import type { StoredRun } from '@/lib/history/stored-runs'
import { maxCompared } from '@/lib/judge/compare-url'
import type { SharedCellNote } from '@/lib/project/stored-shares'
import { maskTexts } from '@/lib/secrets'
import { maxShownRuns } from './reader'

/** What to show: all runs, and which of them to compare, side by side. */
export interface Arranged {
  readonly runs: readonly StoredRun[]
  /** They are of one file. */
  readonly isOneDocument: boolean
  readonly pairings: readonly { readonly title: string; readonly sides: readonly (readonly StoredRun[])[] }[]
  /** What documents say of cells without a run. */
  readonly cellNotes: readonly SharedCellNote[]
  /** What is left out, in sentences. */
  readonly notes: readonly string[]
  /** What only a comparison leaves out. */
  readonly comparisonNotes: readonly string[]
}

/**
 * The sides of files, as a command line would name them: of one file, its runs by scenario, variant and environment; of
 * several, those whose names differ by a number repeat each other, if that leaves two sides; otherwise each file is one.
 */
export function arrange(files: readonly LocalFile[], runCount: number, nowMs: number): Arranged {
  const shown = withinLimit(files)
  const left = (count: number, most: number, words: string) =>
    count > most ? [`${words} The first ${most} are shown.`] : []
  const notes = left(runCount, maxShownRuns, `These files hold ${runCount} runs.`)
  const groups = groupFiles(shown)
  const [only, ...more] = groups
  const isOneDocument = only?.length === 1 && more.length === 0
  const given = runsOfSides(groups, nowMs)
  const sides = groups.length === 1 ? bySeries(given.flat()) : given
  const comparisonNotes = left(sides.length, maxCompared, `${sides.length} sides are more than one page compares.`)
  const compared = sides.slice(0, maxCompared)
  const pairings = pairingsOf(compared)
  // Without a shared name, all runs of a side stand for it.
  return {
    ...{ runs: sides.flat(), isOneDocument, notes, comparisonNotes, cellNotes: cellNotesOf(shown) },
    pairings: pairings.length === 0 ? [{ title: '', sides: compared }] : pairings,
  }
}

/** With secrets masked, as those of runs are. */
function cellNotesOf(files: readonly LocalFile[]): readonly SharedCellNote[] {
  const notes = structuredClone(files.flatMap(({ file }) => file.cellNotes))
  maskTexts(notes, [])
  return notes
}

/** What the page shows of sides. Null: there is no run. */
export const prepareSides = (
  sides: readonly (readonly StoredRun[])[],
  query: URLSearchParams,
): PreparedComparison | null => prepareComparison(sides, viewOf(query.toString()), () => null)

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
/** `run` of `run-1.txt`; of `run-1 (2).txt`, the second of that name, `run (2)`. */
const stemOf = (name: string): string =>
  name.replace(/(?<=.)\.[a-z0-9]{1,8}$/i, '').replace(/[\s._-]{0,9}\d{1,9}(?=$| \(\d{1,9}\)$)/, '')

/** Runs of one scenario, variant and environment are a side. */
export const bySeries = (runs: readonly StoredRun[]): readonly (readonly StoredRun[])[] => [
  ...groupBy(runs, ({ seriesId }) => seriesId).values(),
]

/** What a side is called by in edits: its first run. */
export const keyOf = (side: readonly StoredRun[]): string => side[0]?.id ?? ''
