import { columnUnit, formatInColumn } from '@/lib/format'
import { limitsOfMetric, type NamedLimit } from '@/lib/run/limits'
import type { Metric } from '@/lib/run/metrics'
import type { Sweep, SweepSeries } from '@/lib/matrix/sweep'
import { axisName } from '@/lib/matrix/sweep-axis'
import { findBreak, formatOnAxis, sweepShape, valuesOf, type SweepValue } from '@/lib/matrix/sweep-findings'
import type { Prepared, Rule, Tick } from './plot/model'
import { logTicks, place, seriesStyle, type ScaleKind } from './plot/scale'
import { besideEachOther, byPlace, drawnFigure, limitRule, plotOf, tickLabel, ticksOf, type TrendLine } from './trend'

/** Null: chosen by the values. */
export interface SweepScales {
  readonly x: ScaleKind | null
  readonly y: ScaleKind | null
}

/** A metric over the swept number, and the scales that it has. */
export interface PreparedSweep extends Prepared {
  readonly scales: { readonly x: ScaleKind; readonly y: ScaleKind }
}

/**
 * Ratio of max to min from which a metric has a logarithmic axis: on a linear one, less would hide in its first tenth.
 */
const logFromFactor = 50

/** Prepares one metric over the swept number, with its limits; null when no run has it. `projectSlug` null: without links. */
export function prepareSweep(
  sweep: Sweep,
  metric: Metric,
  projectSlug: string | null,
  wanted: SweepScales = { x: null, y: null },
  limits: readonly NamedLimit[] = [],
): PreparedSweep | null {
  const lines = sweep.series.map((series) => ({ series, values: valuesOf(series, metric) }))
  const figures = lines.flatMap(({ values }) =>
    values.flatMap(({ low, high }) => (low === null ? [] : [low, high ?? low])),
  )
  if (figures.length === 0) return null
  const xs = [...new Set(lines.flatMap(({ values }) => values.map(({ x }) => x)))].sort((a, b) => a - b)
  const scales = scalesOf(xs, figures, wanted)
  const yTicks = scales.y === 'log' ? logTicks(Math.min(...figures), Math.max(...figures)) : ticksOf(metric, figures)
  const xDomain = xDomainOf(xs, scales.x)
  const domain = [yTicks[0] ?? 0, yTicks.at(-1) ?? 1] as const
  const unit = columnUnit(metric.unit, figures)
  const context: Context = {
    sweep,
    metric,
    hrefOf: (ids) => projectSlug && `/p/${projectSlug}/${ids.length > 1 ? 'compare' : 'runs'}/${ids.join('...')}`,
    x: (value) => place(value, xDomain, scales.x),
    y: (value) => place(value, domain, scales.y),
    show: (value) => formatInColumn(value, metric.unit, unit),
  }
  const over = axisName(sweep.axis)
  const ticks = xs.map((value): Tick => ({ at: context.x(value), label: formatOnAxis(value, sweep.axis) }))
  const plot = plotOf(
    lines.map(({ series, values }, at) => lineOf(series, values, at, context)),
    [
      ...besideEachOther(lines.flatMap(({ series }) => rulesOf(series, context))),
      ...limitsOfMetric(limits, metric).map((limit) => limitRule(limit, domain, context.y)),
    ],
    {
      id: `sweep-${metric.id}`,
      title: `${metric.label}${unit.label === '' || unit.label === '/s' ? '' : `, ${unit.label},`} over ${over}`,
      // On a logarithmic axis each tick has the unit that suits it.
      yTicks: yTicks.map((value, at) => ({
        at: context.y(value),
        label:
          scales.y === 'log'
            ? tickLabel(metric, value, columnUnit(metric.unit, [value]), true)
            : tickLabel(metric, value, unit, at === yTicks.length - 1),
      })),
      xTicks: spaced(ticks),
      heading: { kind: 'texts', texts: byPlace(ticks.map(({ at, label }) => [at, label])) },
      isSmall: false,
    },
  )
  const cell = (values: readonly SweepValue[], x: number) =>
    context.show(values.find((one) => one.x === x)?.value ?? null)
  return {
    plot: { ...plot, link: 'sweep' },
    scales,
    table: () => ({
      head: [over, ...lines.map(({ series }) => series.name)],
      rows: xs.map((x) => [formatOnAxis(x, sweep.axis), ...lines.map(({ values }) => cell(values, x))]),
    }),
  }
}

/** The wanted scales where the values can have them; else those that suit the values. `xs` rise. */
function scalesOf(xs: readonly number[], figures: readonly number[], wanted: SweepScales): PreparedSweep['scales'] {
  const [least, most] = [Math.min(...figures), Math.max(...figures)]
  const x = wanted.x ?? (isGeometric(xs) ? 'log' : 'linear')
  const y = wanted.y ?? (most / least >= logFromFactor ? 'log' : 'linear')
  return { x: canBeLog(xs) ? x : 'linear', y: least > 0 ? y : 'linear' }
}

function lineOf(
  series: SweepSeries,
  values: readonly SweepValue[],
  at: number,
  { x, y, show, hrefOf }: Context,
): TrendLine {
  return {
    series: { id: series.key, name: series.name, style: seriesStyle(at) },
    values: values.map((one) => ({
      x: x(one.x),
      ...drawnFigure(one, y, show),
      note: '',
      href: (one.value !== null && hrefOf(one.runIds.slice(-1))) || '',
    })),
    level: null,
  }
}

interface Context {
  readonly sweep: Sweep
  readonly metric: Metric
  /** The address of these runs; null without links. */
  readonly hrefOf: (runIds: readonly string[]) => string | null
  readonly x: (value: number) => number
  readonly y: (value: number) => number
  readonly show: (value: number | null) => string
}

/** Its knee in this metric, and its break. */
function rulesOf(series: SweepSeries, { sweep, metric, hrefOf, x, show }: Context): readonly Rule[] {
  const { shape, kneeAt } = sweepShape(series, metric)
  const found = findBreak(series)
  const whose = sweep.series.length > 1 ? `${series.name} ` : ''
  const rules: Rule[] = []
  const add = (at: number, word: string, rule: Required<Pick<Rule, 'title' | 'href' | 'verdict'>>) =>
    rules.push({ kind: 'change', at: x(at), label: `${whose}${word}`, of: series.name, ...rule })
  if (kneeAt !== null && shape.kind === 'knee') {
    const title = `knee at ${formatOnAxis(kneeAt.x, sweep.axis)}: ${show(kneeAt.value)}, ${shape.bend} from there`
    add(kneeAt.x, 'knee', { verdict: 'changed', title, href: hrefOf(kneeAt.runIds.slice(-1)) })
  }
  if (found !== null) {
    const [before, at] = [found.before.runs.at(-1)?.id ?? '', found.at.runs.at(-1)?.id ?? '']
    const title = `breaks between ${formatOnAxis(found.before.x, sweep.axis)} and ${formatOnAxis(found.at.x, sweep.axis)}`
    add(found.at.x, 'breaks', { verdict: 'worse', title, href: hrefOf([before, at]) })
  }
  return rules
}

const canBeLog = (xs: readonly number[]): boolean => (xs[0] ?? 0) > 0 && xs.length > 1

/** Whether values are spread by factors rather than by steps: at least three, over a factor of eight. */
export function isGeometric(xs: readonly number[]): boolean {
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 0]
  if (xs.length < 3 || first <= 0 || last / first < 8) return false
  return unevenness(xs.map(Math.log)) < unevenness(xs)
}

/** Largest ÷ mean of the steps between ascending values: 1 if all are equal. */
function unevenness(values: readonly number[]): number {
  const steps = values.slice(1).map((value, at) => value - (values[at] ?? value))
  return (Math.max(...steps) * steps.length) / steps.reduce((sum, step) => sum + step, 0)
}

/** From zero if that leaves the values at least half of the axis; a single value is in the middle. */
function xDomainOf(xs: readonly number[], scale: ScaleKind): readonly [number, number] {
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 1]
  if (first === last) return scale === 'log' ? [first / 2, first * 2] : [first - 1, first + 1]
  if (scale === 'log') return [first, last]
  return first > 0 && first <= last / 2 ? [0, last] : [first, last]
}

/** The last tick and, from the first on, those with room for it and each other. The last ends where the axis does. */
function spaced(ticks: readonly Tick[]): readonly Tick[] {
  const last = ticks.at(-1)
  const kept: Tick[] = []
  for (const tick of ticks) {
    const isFree = tick.at - (kept.at(-1)?.at ?? -1) >= widthOf(tick)
    if (tick === last || (isFree && (last === undefined || last.at - tick.at >= 1.5 * widthOf(last)))) kept.push(tick)
  }
  return kept
}

/** Share of a label and some space on the narrowest axis on which all are shown. */
const widthOf = ({ label }: { readonly label: string }): number => 0.02 + label.length * 0.0135
