import { columnUnit, commitWords, formatInColumn, formatMetric, formatMoment, plural } from '../../../../lib/format'
import type { MetricUnit } from '../../../../lib/run/metrics'

/** A run of a strip, or the runs of one experiment. */
export interface StripRead {
  /** Null: it has no such figure. */
  readonly value: number | null
  /** Null: nothing is read of it. */
  readonly orderedAt: string | null
  /** Null: its labels name none. */
  readonly commit: string | null
  /** Runs that the value is the median of. */
  readonly runs: number
}

/** The expected range of a level: both, or neither. */
export interface StripRange {
  readonly low: number | null
  readonly high: number | null
}

/** What the pointer can read of a strip, oldest first. */
export interface StripReads {
  readonly unit: MetricUnit
  /** `p99`. */
  readonly metricName: string
  /** With the position of its level in `ranges`; -1: it has none. */
  readonly runs: readonly (StripRead & { readonly level: number })[]
  readonly ranges: readonly StripRange[]
}

/** Fewer runs do not fill the box: a step is as wide as with this many. */
const minSteps = 8
/** Room for the marks at either side, share of the width. */
const padX = 0.032

/** Where a run is, from the left, share of the width. */
export function placeOfRun(at: number, count: number): number {
  return padX + ((1 - 2 * padX) * at) / (Math.max(count, minSteps) - 1)
}

const minuteMs = 60_000
const toMinutes = (at: string): string => Math.floor(Date.parse(at) / minuteMs).toString(36)
const fromMinutes = (minutes: string): string => new Date(Number.parseInt(minutes, 36) * minuteMs).toISOString()

/**
 * For an attribute, as short as it gets: a board has hundreds of runs. Lines: unit and name; ranges; then a run in
 * each, its time in minutes in base 36.
 */
export function packReads({ unit, metricName, runs, ranges }: StripReads): string {
  const lines = runs.map(({ value, orderedAt, commit, runs: count, level }) =>
    value === null || orderedAt === null
      ? ''
      : [value, toMinutes(orderedAt), count, level, commit?.replaceAll(/\s+/g, ' ')].join('\t'),
  )
  const packed = ranges.map(({ low, high }) => `${low ?? ''}\t${high ?? ''}`).join('\t')
  return [`${unit}\t${metricName}`, packed, ...lines].join('\n')
}

const numberOf = (text: string | undefined): number | null => (text ? Number(text) : null)

/** Reads what `packReads` wrote. */
export function unpackReads(packed: string): StripReads {
  const [head = '', rangeLine = '', ...lines] = packed.split('\n')
  const [unit = '', metricName = ''] = head.split('\t')
  const bounds = rangeLine === '' ? [] : rangeLine.split('\t').map(numberOf)
  return {
    unit: unit as MetricUnit,
    metricName,
    ranges: Array.from({ length: bounds.length / 2 }, (_, at) => ({
      low: bounds[2 * at] ?? null,
      high: bounds[2 * at + 1] ?? null,
    })),
    runs: lines.map((line) => {
      const [value, minutes, runs, level, commit] = line.split('\t')
      return {
        value: numberOf(value),
        orderedAt: minutes === undefined ? null : fromMinutes(minutes),
        runs: Number(runs),
        level: Number(level),
        commit: commit || null,
      }
    }),
  }
}

/** Lines about a run under the pointer: value, time and commit, and what was expected. Empty: it has no figure. */
export function readRun({ unit, metricName, runs, ranges }: StripReads, at: number): readonly string[] {
  const run = runs[at]
  if (run === undefined || run.value === null || run.orderedAt === null) return []
  const column = columnUnit(unit, [run.value])
  const show = (figure: number) => formatInColumn(figure, unit, column)
  const { low = null, high = null } = ranges[run.level] ?? {}
  const name = unit === 'per-second' ? '' : ` ${metricName}`
  return [
    `${formatMetric(run.value, unit)}${name}${run.runs > 1 ? `, ${plural(run.runs, 'run')}` : ''}`,
    [formatMoment(run.orderedAt), ...(run.commit === null ? [] : [commitWords(run.commit)])].join(' · '),
    ...(low === null || high === null ? [] : [`expected ${show(low)}–${show(high)}`]),
  ]
}
