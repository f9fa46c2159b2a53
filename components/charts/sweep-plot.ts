import { columnUnit, formatInColumn, formatPercent, formatTick, type ColumnUnit } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import type { Sweep, SweepSeries } from '@/lib/judge/sweep'
import { findBreak, formatOnAxis, sweepShape, valuesOf, type SweepValue } from '@/lib/judge/sweep-findings'
import type { PlotTable } from './plot-tables'
import { logTicks, place, seriesStyle, type ScaleKind } from './scale'
import { ticksOf, type TrendDot, type TrendLine, type TrendMark, type TrendPlot } from './trend-plot'

/** Null: as the values suggest. */
export interface SweepScales {
  readonly x: ScaleKind | null
  readonly y: ScaleKind | null
}

/** A plot that the trends' drawing and reading understand, and the scales that it has. */
export interface SweepPlot extends TrendPlot {
  readonly scales: { readonly x: ScaleKind; readonly y: ScaleKind }
  readonly table: PlotTable
}

/** Greatest ÷ smallest from which a metric is drawn on a logarithmic axis: less would hide in its first tenth. */
const logFromFactor = 50

/** Prepares one metric over the swept number; null when no run has it. `projectSlug` null: nothing leads elsewhere. */
export function prepareSweepPlot(
  sweep: Sweep,
  metric: Metric,
  projectSlug: string | null,
  wanted: SweepScales = { x: null, y: null },
): SweepPlot | null {
  const lines = sweep.series.map((series) => ({ series, values: valuesOf(series, metric) }))
  const figures = lines.flatMap(({ values }) =>
    values.flatMap(({ low, high }) => (low === null ? [] : [low, high ?? low])),
  )
  if (figures.length === 0) return null
  const xs = [...new Set(lines.flatMap(({ values }) => values.map(({ x }) => x)))].sort((a, b) => a - b)
  const [least, most] = [Math.min(...figures), Math.max(...figures)]
  const scales = {
    x: canBeLog(xs) && (wanted.x ?? (isGeometric(xs) ? 'log' : 'linear')) === 'log' ? 'log' : 'linear',
    y: least > 0 && (wanted.y ?? (most / least >= logFromFactor ? 'log' : 'linear')) === 'log' ? 'log' : 'linear',
  } as const
  const yTicks = scales.y === 'log' ? logTicks(least, most) : ticksOf(metric, figures)
  const xDomain = xDomainOf(xs, scales.x)
  const unit = columnUnit(metric.unit, figures)
  const context: Context = {
    sweep,
    metric,
    hrefOf: (ids) => projectSlug && `/p/${projectSlug}/${ids.length > 1 ? 'compare' : 'runs'}/${ids.join('...')}`,
    x: (value) => place(value, xDomain, scales.x),
    y: (value) => 1 - place(value, [yTicks[0] ?? 0, yTicks.at(-1) ?? 1], scales.y),
    show: (value) => formatInColumn(value, metric.unit, unit),
  }
  const over = sweep.axis.title
  return {
    title: `${metric.label}${unit.label === '' || unit.label === '/s' ? '' : `, ${unit.label},`} over ${over}`,
    scales,
    lines: lines.map(({ series, values }, at) => lineOf(series, values, at, context)),
    yTicks: yTicks.map((value, at) => ({
      y: context.y(value),
      label: tickLabel(value, metric, scales.y === 'log' ? null : { unit, isTop: at === yTicks.length - 1 }),
    })),
    xTicks: spaced(xs.map((value) => ({ x: context.x(value), label: formatOnAxis(value, sweep.axis) }))),
    table: {
      head: [over, ...lines.map(({ series }) => series.name)],
      rows: [
        ...xs.map((value) => [
          formatOnAxis(value, sweep.axis),
          ...lines.map(({ values }) => context.show(values.find((one) => one.x === value)?.value ?? null)),
        ]),
      ],
    },
  }
}

interface Context {
  readonly sweep: Sweep
  readonly metric: Metric
  /** The address of these runs; null where nothing leads elsewhere. */
  readonly hrefOf: (runIds: readonly string[]) => string | null
  readonly x: (value: number) => number
  readonly y: (value: number) => number
  readonly show: (value: number | null) => string
}

function lineOf(series: SweepSeries, values: readonly SweepValue[], at: number, context: Context): TrendLine {
  const dots: TrendDot[] = []
  const stretches: number[][] = [[]]
  for (const one of values) {
    const { value, low, high, runIds } = one
    if (value === null || low === null || high === null) {
      // A missing figure is a gap in the line.
      stretches.push([])
      continue
    }
    stretches.at(-1)?.push(dots.length)
    const { show, x, y } = context
    dots.push({
      x: x(one.x),
      y: y(value),
      spread: runIds.length > 1 ? [y(high), y(low)] : null,
      value: runIds.length > 1 ? `${show(value)} (${show(low)}–${show(high)}, ${runIds.length} runs)` : show(value),
      when: formatOnAxis(one.x, context.sweep.axis),
      at: null,
      note: '',
      href: context.hrefOf(runIds.slice(-1)),
    })
  }
  return {
    key: series.key,
    name: series.name,
    style: seriesStyle(at),
    dots,
    stretches: stretches.filter((stretch) => stretch.length > 0),
    band: null,
    marks: marksOf(series, context),
  }
}

/** Its knee in this metric, and where it breaks. */
function marksOf(series: SweepSeries, { sweep, metric, hrefOf, x, show }: Context): readonly TrendMark[] {
  const { shape, kneeAt } = sweepShape(series, metric)
  const found = findBreak(series)
  const whose = sweep.series.length > 1 ? `${series.name} ` : ''
  const knee =
    kneeAt === null || shape.kind !== 'knee'
      ? []
      : [
          {
            x: x(kneeAt.x),
            label: `${whose}knee`,
            verdict: 'changed' as const,
            title: `knee at ${formatOnAxis(kneeAt.x, sweep.axis)}: ${show(kneeAt.value)}, ${shape.bend} from there`,
            href: hrefOf(kneeAt.runIds.slice(-1)),
          },
        ]
  if (found === null) return knee
  const [before, at] = [found.before.runs.at(-1)?.id ?? '', found.at.runs.at(-1)?.id ?? '']
  const title = `breaks between ${formatOnAxis(found.before.x, sweep.axis)} and ${formatOnAxis(found.at.x, sweep.axis)}`
  const href = hrefOf([before, at])
  return [...knee, { x: x(found.at.x), label: `${whose}breaks`, verdict: 'worse', title, href }]
}

const canBeLog = (xs: readonly number[]): boolean => (xs[0] ?? 0) > 0 && xs.length > 1

/** Whether values are spread by factors rather than by steps: three at least, over a factor of eight. */
export function isGeometric(xs: readonly number[]): boolean {
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 0]
  if (xs.length < 3 || first <= 0 || last / first < 8) return false
  return unevenness(xs.map(Math.log)) < unevenness(xs)
}

/** Largest ÷ mean of the steps between ascending values: 1 when all are alike. */
function unevenness(values: readonly number[]): number {
  const steps = values.slice(1).map((value, at) => value - (values[at] ?? value))
  return (Math.max(...steps) * steps.length) / steps.reduce((sum, step) => sum + step, 0)
}

/** From zero where that leaves the values half of the axis at least; one value is in the middle. */
function xDomainOf(xs: readonly number[], scale: ScaleKind): readonly [number, number] {
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 1]
  if (first === last) return scale === 'log' ? [first / 2, first * 2] : [first - 1, first + 1]
  if (scale === 'log') return [first, last]
  return first > 0 && first <= last / 2 ? [0, last] : [first, last]
}

/** The last tick and, from the first on, those that leave room for it and each other. The last ends where the axis does. */
function spaced<T extends { readonly x: number; readonly label: string }>(ticks: readonly T[]): readonly T[] {
  const last = ticks.at(-1)
  const kept: T[] = []
  for (const tick of ticks) {
    const isFree = tick.x - (kept.at(-1)?.x ?? -1) >= widthOf(tick)
    if (tick === last || (isFree && (last === undefined || last.x - tick.x >= 1.5 * widthOf(last)))) kept.push(tick)
  }
  return kept
}

/** What a label and some air take of the narrowest axis on which all are shown. */
const widthOf = ({ label }: { readonly label: string }): number => 0.02 + label.length * 0.0135

/** On a linear axis one unit, named at the top; on a logarithmic one (null) each tick has the unit that suits it. */
function tickLabel(value: number, metric: Metric, linear: { unit: ColumnUnit; isTop: boolean } | null): string {
  if (metric.unit === 'ratio') return formatPercent(value)
  const { label, factor } = linear?.unit ?? columnUnit(metric.unit, [value])
  const text = formatTick(value * factor)
  if (label === '' || linear?.isTop === false) return text
  return label === '/s' ? `${text}/s` : `${text}\u00a0${label}`
}
