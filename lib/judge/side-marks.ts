import { formatDay, formatMoment, formatTime } from '../format'
import type { RunRow } from '../history/stored-runs'

/** What distinguishes runs of one name. */
type Marked = Pick<RunRow, 'labels' | 'startedAt' | 'uploadedAt'>

/** Labels that identify a run's code or round, the most informative first. */
const namingLabels = ['version', 'commit', 'build', 'branch', 'round'] as const
const commitLength = 10
/** Longer values are addresses and the like. */
const maxLength = 40

/** A kind of mark: how to read a run's mark, and the word before it. */
interface MarkKind {
  readonly word: string
  /** Null: the run has none. */
  read(run: Marked): string | null
  /** A mark in words. */
  show(mark: string): string
  /** Whether marks rise with time, so that those of a side are a period. */
  readonly isTime: boolean
}

const label = (key: string): MarkKind => ({
  word: `${key} `,
  isTime: false,
  read({ labels }) {
    const value = labels[key]
    if (value === undefined || value === '') return null
    return key === 'commit' && /^[0-9a-f]{11,}$/i.test(value) ? value.slice(0, commitLength) : value
  },
  show: (mark) => mark,
})

const startOf = ({ startedAt, uploadedAt }: Marked): string => startedAt ?? uploadedAt

/** The first characters of an ISO time. */
const time = (length: number, show: (at: string) => string): MarkKind => ({
  word: '',
  isTime: true,
  read: (run) => startOf(run).slice(0, length),
  show,
})

/** `21 Nov 2026`, else to the minute, else to the second. */
const times: readonly MarkKind[] = [time(10, formatDay), time(16, formatMoment), time(19, formatTime)]

/**
 * Marks that distinguish sides with equal names: version, commit, round or another label, else date or time of the
 * start; all of one kind, in the order of the sides. A side whose runs have several is named by its first and its last
 * one (`commit 8de2d48 to c8c614b`). Null: no kind distinguishes every side from all others.
 */
export function sideMarks(sides: readonly (readonly Marked[])[]): readonly string[] | null {
  const keys = [...new Set(sides.flat().flatMap((run) => Object.keys(run.labels)))].sort()
  for (const kind of [...namingLabels.map(label), ...keys.map(label), ...times]) {
    const marks = sides.map((side) => marksOf(side, kind))
    if (marks.every((ofSide) => ofSide !== null) && areApart(marks, kind)) return marks.map((one) => wordsOf(one, kind))
  }
  return null
}

/** Distinct marks of a side's runs in time order; null: a run has none, or one too long for a name. */
function marksOf(side: readonly Marked[], { word, read }: MarkKind): readonly string[] | null {
  const inTime = side.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0))
  const marks = inTime.flatMap((run) => read(run) ?? [])
  const isWhole = marks.length === side.length && marks.every((mark) => (word + mark).length <= maxLength)
  return isWhole ? [...new Set(marks)] : null
}

/** Whether no two sides share a mark, and no two periods overlap. */
function areApart(sides: readonly (readonly string[])[], { isTime }: MarkKind): boolean {
  const all = isTime ? sides.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)).flat() : sides.flat()
  return (
    new Set(all).size === all.length && (!isTime || all.every((mark, at) => at === 0 || (all[at - 1] ?? '') < mark))
  )
}

function wordsOf(marks: readonly string[], { word, show }: MarkKind): string {
  const [first = '', ...rest] = marks
  const last = rest.at(-1)
  return word + (last === undefined ? show(first) : `${show(first)} to ${show(last)}`)
}
