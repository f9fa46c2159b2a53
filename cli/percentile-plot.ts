import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { formatMetric } from '@/lib/format'
import { metricOfSide } from '@/lib/judge/sides'
import { metricsOf, metrics, type Metric } from '@/lib/run/metrics'
import { fit, printable, widthOf, type Paint } from './terminal'

/** Narrower terminals have the table only. */
export const plotColumns = 100

const percentile = /^p\d+$/
const plotted: readonly Metric[] = [
  ...metrics.filter(({ id }) => percentile.test(id)),
  ...metricsOf('headline').filter(({ id }) => id === 'max'),
]

interface Row {
  readonly name: string
  readonly base: number
  readonly head: number
}

/**
 * The percentiles of two sides (medians of repeats) on one logarithmic axis, `○` the base and `●` the head; empty for
 * other numbers of sides, and where fewer than three percentiles are known.
 */
export function plotLines(
  { comparison: { sides } }: PreparedComparison,
  width: number,
  paint: Paint,
): readonly string[] {
  const [base, head, ...more] = sides
  if (base === undefined || head === undefined || more.length > 0) return []
  const rows = plotted.flatMap((metric): Row[] => {
    const [from, to] = [base, head].map((side) => metricOfSide(metric, side).value)
    return from && to ? [{ name: metric.shortLabel, base: from, head: to }] : []
  })
  const values = rows.flatMap((row) => [row.base, row.head])
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (rows.length < 3 || low <= 0 || high === low) return []
  const nameWidth = Math.max(...rows.map(({ name }) => widthOf(name))) + 2
  const last = width - nameWidth - 1
  const placeOf = (value: number) => Math.round((last * Math.log(value / low)) / Math.log(high / low))
  const [from, to] = [low, high].map((value) => printable(formatMetric(value, 'ms')))
  const axis = `${' '.repeat(nameWidth)}${from ?? ''}${(to ?? '').padStart(last + 1 - widthOf(from ?? ''))}`
  const drawn = rows.map(
    (row) => paint(fit(row.name, nameWidth), 'dim') + dumbbell(placeOf(row.base), placeOf(row.head)),
  )
  return [paint(axis, 'dim'), ...drawn, paint(`${' '.repeat(nameWidth)}○ base  ● head`, 'dim')]
}

function dumbbell(base: number, head: number): string {
  const [left, right] = [Math.min(base, head), Math.max(base, head)]
  if (left === right) return `${' '.repeat(left)}●`
  const line = '─'.repeat(right - left - 1)
  return ' '.repeat(left) + (base < head ? `○${line}●` : `●${line}○`)
}
