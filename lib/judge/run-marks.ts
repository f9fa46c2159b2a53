import type { RunRow } from '../run/stored'

/** What tells runs of one name apart. */
type Marked = Pick<RunRow, 'labels' | 'startedAt' | 'uploadedAt'>

/** Labels that say which code or which round a run is, the most telling first. */
const namingLabels = ['version', 'commit', 'build', 'branch', 'round'] as const
const commitLength = 10
/** Longer values are addresses and the like. */
const maxLength = 40

type Reader = (run: Marked) => string | null

const label =
  (key: string): Reader =>
  ({ labels }) => {
    const value = labels[key]
    if (value === undefined || value === '') return null
    return `${key} ${key === 'commit' && /^[0-9a-f]{11,}$/i.test(value) ? value.slice(0, commitLength) : value}`
  }

const startOf = ({ startedAt, uploadedAt }: Marked): string => startedAt ?? uploadedAt

/** `2026-11-21`, else to the minute, else to the second. */
const times: readonly Reader[] = [
  (run) => startOf(run).slice(0, 10),
  (run) => startOf(run).slice(0, 16).replace('T', ' '),
  (run) => startOf(run).slice(0, 19).replace('T', ' '),
]

/**
 * Marks that tell runs apart which have the same names: version, commit, round or another label, else date or time of the
 * start; all of one kind, in the order of the runs. Null: nothing tells each from all others.
 */
export function runMarks(runs: readonly Marked[]): readonly string[] | null {
  const others = [...new Set(runs.flatMap((run) => Object.keys(run.labels)))].sort()
  const readers = [...namingLabels.map(label), ...others.map(label), ...times]
  for (const read of readers) {
    const marks = runs.flatMap((run) => read(run) ?? [])
    const isShort = marks.every((mark) => mark.length <= maxLength)
    if (isShort && marks.length === runs.length && new Set(marks).size === runs.length) return marks
  }
  return null
}
