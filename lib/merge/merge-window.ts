import { formatDuration } from '../format'
import type { ImportedRun, Milliseconds, UtcIso } from '../run/run'
import { joinWords } from '../text'
import type { MergePart, MergeRefusal } from './merge-latencies'

/** Two runs that share less than this of the shorter one ran one after the other. */
const minOverlap = 0.5
/** If the time common to all is at least this share of the time that any of them took, their rates are added. */
const minCommon = 0.8

/**
 * What a merged run rests on, or (`merged-caution`) what is only assumed or worse than in its parts; without a full
 * stop.
 */
export interface MergeRemark {
  readonly code: 'merged' | 'merged-caution'
  readonly message: string
}

/** The time of runs that ran at once. */
export interface MergeWindow {
  readonly kind: 'window'
  readonly startedAt: UtcIso | null
  /** Of the longest part; if the parts only overlap, from the first start to the last end. Null: not stated. */
  readonly durationMs: Milliseconds | null
  readonly attackMs: Milliseconds | null
  /** Whether rates can be added: all parts ran nearly all of the time. */
  readonly isCommon: boolean
  readonly remarks: readonly MergeRemark[]
}

/** When all parts ran: by their starts if stated, else by their durations, which then must agree. */
export function mergeWindow(parts: readonly MergePart[]): MergeWindow | MergeRefusal {
  const spans = parts.map(({ name, run }): PartSpan => {
    const from = run.startedAt === null ? null : Date.parse(run.startedAt)
    return { name, from, durationMs: run.durationMs, lastsMs: run.attackMs ?? run.durationMs }
  })
  const timed = spans.flatMap(({ from, lastsMs, ...span }) =>
    from === null || lastsMs === null ? [] : [{ ...span, from, to: from + lastsMs, lastsMs }],
  )
  const [apart] = timed.flatMap((a, at) =>
    timed.slice(at + 1).flatMap((b) => (overlapOf(a, b) < minOverlap ? [[a, b] as const] : [])),
  )
  if (apart !== undefined)
    return {
      kind: 'refused',
      reason: `${apart[0].name} and ${apart[1].name} did not run at the same time: they are successive runs, not parts of one.`,
      hint: 'Runs that repeat each other are compared as repeats; correct the start of a run where it is wrong.',
    }
  const starts = spans.flatMap(({ from }) => from ?? [])
  const window = {
    kind: 'window',
    startedAt: starts.length === 0 ? null : new Date(Math.min(...starts)).toISOString(),
    durationMs: longest(spans.map((span) => span.durationMs)),
    // Only if the tool states it: a run's own end may be later than its last request.
    attackMs: parts.every(({ run }) => run.attackMs !== null) ? longest(spans.map(({ lastsMs }) => lastsMs)) : null,
  } as const
  return timed.length === spans.length ? windowByStarts(timed, window) : windowByDurations(spans, window)
}

/** A part in time; null: not stated. */
interface PartSpan {
  readonly name: string
  readonly from: number | null
  readonly durationMs: number | null
  readonly lastsMs: number | null
}

type Stated = Omit<MergeWindow, 'isCommon' | 'remarks'>

/** The max; null: one of them is unknown. */
function longest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === values.length ? Math.max(...known) : null
}

/** All parts state when they began: rates are added if nearly all of the time is common to them. */
function windowByStarts(parts: readonly (Span & Pick<PartSpan, 'durationMs'>)[], window: Stated): MergeWindow {
  const starts = parts.map(({ from }) => from)
  const [first, last] = [Math.min(...starts), Math.max(...starts)]
  const unionMs = Math.max(...parts.map(({ to }) => to)) - first
  const commonMs = Math.min(...parts.map(({ to }) => to)) - last
  const began = last === first ? 'began at the same moment' : `began within ${formatDuration(last - first)}`
  if (unionMs <= 0 || commonMs >= minCommon * unionMs)
    return { ...window, isCommon: true, remarks: [{ code: 'merged', message: `the parts ${began}` }] }
  const end = longest(parts.map(({ from, durationMs }) => (durationMs === null ? null : from + durationMs)))
  const message = `all parts ran at the same time for ${formatDuration(Math.max(0, commonMs))} of ${formatDuration(unionMs)}: the rate is that of the whole time`
  return {
    ...window,
    durationMs: end === null ? null : end - first,
    attackMs: window.attackMs === null ? null : unionMs,
    isCommon: false,
    remarks: [{ code: 'merged-caution', message }],
  }
}

/** Not all parts state when they began: they must have taken about the same time. */
function windowByDurations(parts: readonly PartSpan[], window: Stated): MergeWindow | MergeRefusal {
  const lasted = parts.flatMap(({ lastsMs }) => lastsMs ?? [])
  const [shortestMs, longestMs] = [Math.min(...lasted), Math.max(...lasted)]
  if (lasted.length > 1 && shortestMs < minCommon * longestMs) {
    const nameOf = (ms: number) => parts.find(({ lastsMs }) => lastsMs === ms)?.name ?? ''
    return {
      kind: 'refused',
      reason: `${nameOf(shortestMs)} took ${formatDuration(shortestMs)} and ${nameOf(longestMs)} ${formatDuration(longestMs)}, and not all of them say when they began: nothing shows that they ran at the same time.`,
      hint: 'Set the start of each run; runs without one must have taken about the same time.',
    }
  }
  const silent = parts.flatMap(({ name, from }) => (from === null ? [name] : []))
  const unsaid =
    lasted.length < parts.length
      ? 'not all of the parts say how long they took'
      : `${joinWords(silent, 'and')} ${silent.length === 1 ? 'does' : 'do'} not say when ${silent.length === 1 ? 'it' : 'they'} began`
  return {
    ...window,
    isCommon: lasted.length === parts.length,
    remarks: [{ code: 'merged-caution', message: `${unsaid}: that the parts ran at the same time is assumed` }],
  }
}

/**
 * Whether two runs ran at the same time, as those of one test do. Null: one of them does not state when it began, or
 * how long it took.
 */
export function ranAtOnce(one: ImportedRun, other: ImportedRun): boolean | null {
  const [a, b] = [spanOf(one), spanOf(other)]
  return a === null || b === null ? null : overlapOf(a, b) >= minOverlap
}

/** Whether two runs took about the same time; null: one of them does not state it. */
export function tookAsLong(one: ImportedRun, other: ImportedRun): boolean | null {
  const [a, b] = [one, other].map((run) => run.attackMs ?? run.durationMs)
  return a == null || b == null ? null : Math.min(a, b) >= minCommon * Math.max(a, b)
}

function spanOf({ startedAt, attackMs, durationMs }: ImportedRun): Span | null {
  const lastsMs = attackMs ?? durationMs
  if (startedAt === null || lastsMs === null) return null
  const from = Date.parse(startedAt)
  return { from, to: from + lastsMs, lastsMs }
}

interface Span {
  readonly from: number
  readonly to: number
  readonly lastsMs: number
}

/** Common time as a share of the shorter one; two zero-length moments overlap only if they are equal. */
function overlapOf(a: Span, b: Span): number {
  const shorterMs = Math.min(a.lastsMs, b.lastsMs)
  const commonMs = Math.min(a.to, b.to) - Math.max(a.from, b.from)
  if (shorterMs > 0) return commonMs / shorterMs
  return commonMs >= 0 ? 1 : 0
}
