import { columnUnit, formatDay, formatInColumn, formatTime, missing, plural, type ColumnUnit } from '@/lib/format'
import type { TrendPoint } from '@/lib/levels/points'
import type { JudgedState } from '@/lib/run/judged-states'
import type { Metric } from '@/lib/run/metrics'
import { ofLayers, type Layer, type LayerMark } from './layers'
import type { PlotTable, Prepared, Rule, Tick } from './plot/model'
import { stateStyle } from './plot/state-style'
import { drawnFigure, tickLabel, ticksOf, timeTicks } from './trend'

/** A level of a series: its median and the expected range of its runs. Unit of the metric. */
export interface DrawnLevel {
  readonly value: number
  /** Null: no range is stored. */
  readonly range: { readonly low: number; readonly high: number } | null
}

/** Runs of a series around one change of its level. */
export interface LevelChangeInput {
  /** Its anchor on the page. */
  readonly id: string
  readonly metric: Metric
  /** Oldest first. */
  readonly points: readonly TrendPoint[]
  /** Positions in `points`: where the level before begins, where the new one does, and where that ends (exclusive). */
  readonly from: number
  readonly at: number
  readonly to: number
  readonly before: DrawnLevel
  readonly since: DrawnLevel
  /** Experiments by which `at` may be off; 0: it is certain. */
  readonly reach: number
  /** State of the change. */
  readonly state: JudgedState
  /** Name of the change: its commit or day. */
  readonly name: string
  readonly projectSlug: string
}

/** Height of the area that draws a level's line, share of the axis: the cursor reads runs only. */
const thin = 0.0035
/** Top of the axis, relative to the highest value. */
const headroom = 1.08
/** Words right of this would leave the drawing. */
const lastLabel = 0.8
/** With more runs, their line has no dots. */
const maxDots = 120

/**
 * Prepares the runs around a change of level, one after the other: both levels with the expected ranges of their runs,
 * and where the change may be. Null when no run has the figure.
 */
export function prepareLevelChange(input: LevelChangeInput): Prepared | null {
  const { id, points, before, since, name } = input
  const scale = scaleOf(input)
  if (scale === null) return null
  const { title, domain, ticks, show } = scale
  const { series, marks } = ofLayers(layersOf(input, scale))
  const times = points.map(({ orderedAt }) => orderedAt)
  const levels = `level ${show(before.value)} before and ${show(since.value)} since ${name}`
  return {
    plot: {
      id,
      title,
      x: { scale: 'linear', domain: [-0.5, points.length - 0.5], ticks: runTicks(times) },
      series,
      panels: [
        {
          label: `${title}: ${plural(points.length, 'run')}, ${levels}`,
          marks,
          rules: rulesOf(input),
          says: 'count',
          frame: 'trend',
          y: { scale: 'linear', domain, ticks },
        },
      ],
      places: points.map((_, index) => index),
      heading: { kind: 'times', times: times.map((time) => Date.parse(time)) },
      note: noteOf(input),
    },
    table: () => tableOf(input, scale),
  }
}

/** The axis of the figures, and how they are written. */
interface Scale {
  readonly title: string
  readonly domain: readonly [bottom: number, top: number]
  readonly ticks: readonly Tick[]
  readonly unit: ColumnUnit
  readonly show: (value: number) => string
}

function scaleOf({ metric, points, before, since }: LevelChangeInput): Scale | null {
  const values = points.flatMap(({ low, high }) => (low === null ? [] : [low, high ?? low]))
  if (values.length === 0) return null
  const bounds = [...values, ...[before, since].flatMap(({ range }) => (range === null ? [] : [range.low, range.high]))]
  // The words of a level are above its band.
  const ticks = ticksOf(metric, [...bounds, Math.max(...bounds) * headroom])
  const unit = columnUnit(metric.unit, values)
  return {
    title: `${metric.label}${unit.label ? `, ${unit.label}` : ''}`,
    domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
    ticks: ticks.map((value) => ({ at: value, label: tickLabel(metric, value, unit, false) })),
    unit,
    show: (value) => formatInColumn(value, metric.unit, unit),
  }
}

/** A level between its ends on the x axis, with the colours of its band, line and words. */
interface Level extends DrawnLevel {
  readonly key: 'before' | 'since'
  readonly ends: readonly [left: number, right: number]
  readonly band: string
  readonly opacity: number
  readonly line: string
  readonly words: string
  /** Its words are above this. */
  readonly top: number
}

/** From the bottom: where the change can lie, the levels, the runs, and the words of the levels. */
function layersOf(input: LevelChangeInput, scale: Scale): readonly Layer[] {
  const { points, from, at, to, before, since, reach, state } = input
  const { color } = stateStyle(state)
  const place = [Math.max(-0.5, at - reach - 0.5), Math.min(points.length, at + reach) - 0.5] as const
  const old: Level = {
    ...{
      ...before,
      key: 'before',
      ends: [from - 0.5, at - 0.5],
      top: highOf(points.slice(from, from + 8), before.value),
    },
    ...{ band: 'var(--band)', opacity: 1, line: 'var(--median)', words: 'var(--text)' },
  }
  const current: Level = {
    ...{ ...since, key: 'since', ends: [at - 0.5, to - 0.5], top: since.value },
    ...{ band: color, opacity: 0.14, line: color, words: color },
  }
  return [
    ...(reach > 0
      ? [layer('place', 'where the change can lie', 'var(--unusual)', area(place, ...scale.domain, 0.16))]
      : []),
    ...levelLayers(old, scale),
    ...levelLayers(current, scale),
    layer('before', 'before', 'var(--dot)', ...runMarks(input, [0, at], scale)),
    layer('since', 'since', color, ...runMarks(input, [at, to], scale)),
    layer('later', 'later level', 'var(--dot)', ...runMarks(input, [to, points.length], scale)),
    ...(at > from ? [words(old, input, scale)] : []),
    ...(to > at ? [words(current, input, scale)] : []),
  ]
}

const layer = (id: string, name: string, color: string, ...marks: readonly LayerMark[]): Layer => ({
  series: { id, name, style: { color, dash: '', marker: 'circle' } },
  marks,
})

const area = (ends: Level['ends'], low: number, high: number, opacity: number): LayerMark => ({
  ...{ kind: 'band', x: ends, low: [low, low], high: [high, high], opacity },
})

/** Its expected range as a band, and its median as a line. */
function levelLayers({ key, ends, value, range, band, opacity, line }: Level, { domain }: Scale): readonly Layer[] {
  const half = ((domain[1] - domain[0]) * thin) / 2
  return [
    ...(range === null
      ? []
      : [layer(`${key}-range`, `expected ${key}`, band, area(ends, range.low, range.high, opacity))]),
    layer(`${key}-level`, `level ${key}`, line, area(ends, value - half, value + half, 1)),
  ]
}

function words({ key, ends, value, range, words: color, top }: Level, input: LevelChangeInput, scale: Scale): Layer {
  const { unit, domain, show } = scale
  const named = unit.label === '' || input.metric.unit === 'ratio' ? '' : `\u00a0${unit.label.replace(/^\//, '/')}`
  const y = Math.max(range?.high ?? value, top) + (domain[1] - domain[0]) * 0.05
  return layer(`${key}-words`, key, color, {
    kind: 'label',
    x: Math.min(ends[0], input.points.length * lastLabel - 0.5),
    y: Math.min(domain[1], y),
    text: `${show(value)}${named}`,
    more: key,
  })
}

/** The runs from one position to another (exclusive), with dots if there are few in all. */
function runMarks(
  { points, projectSlug }: LevelChangeInput,
  [start, end]: readonly [number, number],
  { show }: Scale,
): readonly LayerMark[] {
  const own = points.slice(start, end)
  if (own.length === 0) return []
  const drawn = own.map((point) => drawnFigure(point, (value) => value, show))
  const which = drawn.flatMap(({ y }, index) => (y === null ? [] : [index]))
  const line: LayerMark = {
    kind: 'line',
    at: own.map((_, index) => start + index),
    y: drawn.map(({ y }) => y),
    width: 0.75,
    reads: 'exact',
    texts: drawn.map(({ text }) => text),
    notes: own.map(({ labels }) => labels['commit'] ?? labels['version'] ?? ''),
    hrefs: own.map(({ runIds }) => `/p/${projectSlug}/runs/${runIds.at(-1) ?? ''}`),
  }
  if (which.length === 0 || points.length > maxDots) return [line]
  return [line, { kind: 'dots', of: 0, which, isHollow: false, size: 0.62 }]
}

/** Where the level changed, by its first run; none if the new level has no run. */
function rulesOf({ points, at, name }: LevelChangeInput): readonly Rule[] {
  const first = points[at]
  if (first === undefined) return []
  const day = formatDay(first.orderedAt)
  return [
    {
      kind: 'change',
      at: at - 0.5,
      label: name === day ? day : `${day} · ${name}`,
      title: `Level changed, first run ${formatTime(first.orderedAt)}`,
      anchor: at < points.length * 0.15 ? 'start' : at > points.length * 0.85 ? 'end' : undefined,
      verdict: 'changed',
    },
  ]
}

function runTicks(times: readonly string[]): readonly Tick[] {
  return timeTicks(times, (time) => times.indexOf(time), 'runs').map((tick, index, all) => ({
    ...tick,
    isSpare: (all.length > 3 && index > 0 && index < all.length - 1) || undefined,
  }))
}

/** The runs, newest first. */
function tableOf({ points, from, at, to }: LevelChangeInput, { title, show }: Scale): PlotTable {
  const levelAt = (index: number) => (index < from ? 'earlier' : index < at ? 'before' : index < to ? 'since' : 'later')
  const rows = points.map(({ orderedAt, value }, index) => [
    formatTime(orderedAt),
    value === null ? missing : show(value),
    levelAt(index),
  ])
  return { head: ['When', title, 'Level'], rows: rows.toReversed() }
}

const highOf = (points: readonly TrendPoint[], value: number): number =>
  Math.max(value, ...points.flatMap(({ high }) => high ?? []))

function noteOf({ reach, name, before, since }: LevelChangeInput): string | null {
  const hasBands = before.range !== null || since.range !== null
  const parts = [
    reach > 0 ? `Ochre: where the change can lie, ${plural(reach, 'run')} either side of ${name}.` : '',
    hasBands ? 'Bands: expected range of each level.' : '',
  ]
  return parts.filter((part) => part !== '').join(' ') || null
}
