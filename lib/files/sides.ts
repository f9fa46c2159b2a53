import type { StoredRun } from '../history/stored-runs'
import { localRuns, type LocalFile, type NamedFile } from './local-runs'

/** What is said of two sides that are one file. */
export const sameFileWords = 'Two sides are the same file.'

/** Runs of some name on each side, in the order of the sides. */
export interface Pairing {
  /** Scenario, variant and environment, if there are several pairings; empty: there is one. */
  readonly title: string
  readonly sides: readonly (readonly StoredRun[])[]
}

/**
 * The runs of each side, with names that tell the sides apart as an uploader would give them: repeats without a name are
 * named after what their files share; where both sides have the same names, the side is
 * the variant; if that is taken, too, the label `run`.
 */
export function runsOfSides(
  sides: readonly (readonly LocalFile[])[],
  nowMs: number,
): readonly (readonly StoredRun[])[] {
  const labels = labelsOf(sides.map((side) => side.map(({ input }) => input.name)))
  const named = sides.map((side, at) =>
    side.length === 1 ? side : side.map((file): NamedFile => ({ ...file, nameForRuns: labels[at] ?? '' })),
  )
  const marked = (mark: (label: string) => Partial<NamedFile>) =>
    splitRuns(
      named.map((side, at) => side.map((file): NamedFile => ({ ...file, ...mark(labels[at] ?? '') }))),
      nowMs,
    )
  const plain = splitRuns(named, nowMs)
  if (areApart(plain)) return plain
  const byVariant = marked((variant) => ({ variant }))
  return areApart(byVariant) ? byVariant : marked((run) => ({ labels: { run } }))
}

/** Whether names tell the sides apart. */
function areApart(sides: readonly (readonly StoredRun[])[]): boolean {
  const names = sides.flatMap(([run]) => (run ? [JSON.stringify([run.scenario, run.variant, run.environment])] : []))
  return new Set(names).size === names.length
}

/** All files at once: whether their times are those of their runs is seen from all of them. */
function splitRuns(sides: readonly (readonly NamedFile[])[], nowMs: number): readonly (readonly StoredRun[])[] {
  const runs = localRuns(sides.flat(), nowMs)
  let from = 0
  return sides.map((side) => {
    const count = side.reduce((sum, { file }) => sum + file.runs.length, 0)
    from += count
    return runs.slice(from - count, from)
  })
}

/** A short name for each side: its files' folder, else what their names begin with, else its position. */
function labelsOf(sides: readonly (readonly string[])[]): readonly string[] {
  const kinds: readonly ((files: readonly string[]) => string)[] = [
    (files) => sharedFolder(files) || sharedStem(files, /[\s\d._-]/),
    (files) => sharedStem(files, /[\s\d._-]/),
    // `node20-1`, `node20-2`: a number may be the name.
    (files) => sharedStem(files, /[\s._-]/),
  ]
  const apart = kinds
    .map((kind) => sides.map(kind))
    .find((labels) => labels.every((label) => label !== '') && new Set(labels).size === labels.length)
  return apart ?? sides.map((_, at) => (at === 0 ? 'base' : sides.length === 2 ? 'head' : `side ${at + 1}`))
}

/** What the names begin with, without what ends it. */
function sharedStem(files: readonly string[], end: RegExp): string {
  const stems = files.map((file) => (file.split('/').at(-1) ?? file).replace(/(?<=.)\.[a-z0-9]{1,8}$/i, ''))
  const [first = '', ...rest] = stems
  let length = first.length
  for (const stem of rest) while (!stem.startsWith(first.slice(0, length))) length -= 1
  if (rest.length === 0) return first
  while (length > 0 && end.test(first[length - 1] ?? '')) length -= 1
  return first.slice(0, length)
}

function sharedFolder(files: readonly string[]): string {
  const folders = new Set(files.map((file) => file.split('/').at(-2) ?? ''))
  const [only = ''] = folders
  return folders.size === 1 ? only : ''
}

/**
 * What to compare: all runs of each side, unless a side has runs of several names in its texts; then those of the same
 * name. Empty: no name is on all sides.
 */
export function pairingsOf(sides: readonly (readonly StoredRun[])[]): readonly Pairing[] {
  const keys = sides.map((side) => side.map(keyOf))
  if (keys.every((side) => new Set(side).size < 2)) return [{ title: '', sides }]
  const shared = [...new Set(keys[0])].filter((key) => keys.every((side) => side.includes(key)))
  return shared.map((key) => ({
    title: shared.length === 1 ? '' : titleOf(key),
    sides: sides.map((side) => side.filter((run) => keyOf(run) === key)),
  }))
}

/** The names that the text of a run gives it: that of its file tells sides apart, not runs of one side. */
function keyOf({ imported: { proposal } }: StoredRun): string {
  return JSON.stringify([proposal.scenario, proposal.variant, proposal.environment])
}

const titleOf = (key: string): string =>
  (JSON.parse(key) as readonly (string | null)[]).filter((part) => part !== null && part !== '').join(' › ')
