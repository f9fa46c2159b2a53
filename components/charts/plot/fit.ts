import { formatTick } from '../../../lib/format'
import { fittedLatencyAxis } from './latency-axis'
import type { Axis, Fit, LineMark, Mark, MaxColumn, Panel, Rule, Scaled } from './model'
import { linearTicks, place, short, type ScaleKind } from './scale'

/**
 * The panel with its y axis fitted to the lines and bands that are shown. The max of a run is far above them as often
 * as not: it never presses them to the floor, because its column then has a scale of its own.
 */
export function fitted(panel: Panel): Panel {
  const { fit, marks } = panel
  if (fit === undefined) return panel
  const values = marks.flatMap(valuesOf)
  if (values.length === 0) return panel
  const linear = scaledOn('linear', values, marks, fit)
  const onLog = scaledOn('log', values, marks, fit)
  return { ...panel, ...linear, onLog: onLog.y.scale === 'log' ? onLog : null }
}

/** A limit farther above the lines than this would press them to the floor. */
const nearLimit = 3

function scaledOn(kind: ScaleKind, values: readonly number[], marks: readonly Mark[], fit: Fit): Scaled {
  const { factor, unit, limits } = fit
  const reach = Math.max(...values) * (kind === 'log' ? Infinity : nearLimit)
  const near = limits.filter(({ ms }) => ms <= reach)
  const axis = fittedLatencyAxis([...values, ...near.map(({ ms }) => ms)], kind, factor)
  const last = axis.ticks.length - 1
  const ticks = axis.ticks.map((tick, at) => (at < last || unit === '' ? tick : named(tick, unit)))
  const y = { ...axis, ticks }
  const lines = marks.filter((mark): mark is LineMark => mark.kind === 'line' && mark.isShadow !== true)
  return { y, rules: limits.map((limit) => ruleOf(limit, lines, y)), column: columnOf(marks, y, factor) }
}

const named = <One extends Axis['ticks'][number]>(tick: One, unit: string): One => ({
  ...tick,
  label: `${tick.label}\u202f${unit}`,
})

/** The values that the axis has to reach: not the max. */
function valuesOf(mark: Mark): readonly number[] {
  if (mark.kind === 'line') return mark.isShadow === true ? [] : mark.y.flatMap((value) => value ?? [])
  return mark.kind === 'band' ? mark.high : []
}

/** Latencies rise from left to right: the words are readable where the nearest curve is farther from the line. */
function ruleOf(
  { ms, label: name, x }: Fit['limits'][number],
  lines: readonly LineMark[],
  { domain, scale }: Axis,
): Rule {
  const isBeyond = ms > domain[1]
  const height = (value: number) => place(value, domain, scale)
  const gap = (end: 0 | -1) =>
    Math.min(...lines.flatMap(({ y }) => y.at(end) ?? []).map((value) => Math.abs(height(value) - height(ms))))
  const label = isBeyond ? `${name}, above this scale` : name
  const rule = { kind: 'limit', at: Math.min(ms, domain[1]), label, title: label } as const
  return { ...rule, ...(x !== undefined && { bar: x }), anchor: gap(-1) > gap(0) ? 'end' : 'start' }
}

function columnOf(marks: readonly Mark[], y: Axis, factor: number): MaxColumn | null {
  const maxima = marks.flatMap((mark) => (mark.kind === 'peak' ? mark.y : mark.kind === 'range' ? mark.high : []))
  if (maxima.length === 0) return null
  const largest = Math.max(...maxima)
  if (largest <= y.domain[1]) return { own: null }
  const top = (linearTicks(largest * factor).at(-1) ?? 1) / factor
  const ticks = [top / 2, top].map((at) => ({ at: short(at), label: formatTick(at * factor) }))
  return { own: { scale: 'linear', domain: [0, short(top * 1.06)], ticks } }
}
