import { columnUnit, formatDate, formatInColumn, formatTime, plural } from '@/lib/format'
import type { TrendPoint } from '@/lib/levels/points'
import type { JudgedState } from '@/lib/run/judged-states'
import type { Metric } from '@/lib/run/metrics'
import type { Mark, Prepared, Series } from './plot/model'
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
  const { id, metric, points, from, at, to, before, since, reach, state, name, projectSlug } = input
  const values = points.flatMap(({ low, high }) => (low === null ? [] : [low, high ?? low]))
  if (values.length === 0) return null
  const ranges = [before, since].flatMap(({ range }) => (range === null ? [] : [range.low, range.high]))
  const bounds = [...values, ...ranges]
  // The words of a level are above its band.
  const ticks = ticksOf(metric, [...bounds, Math.max(...bounds) * headroom])
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const unit = columnUnit(metric.unit, values)
  const show = (value: number) => formatInColumn(value, metric.unit, unit)
  const last = points.length - 1
  const color = stateStyle(state).color
  const marks: Mark[] = []
  const series: Series[] = []
  const add = (key: string, called: string, paint: string): number =>
    series.push({ id: key, name: called, style: { color: paint, dash: '', marker: 'circle' } }) - 1
  const area = (of: number, [left, right]: readonly [number, number], low: number, high: number, opacity: number) =>
    marks.push({ kind: 'band', series: of, x: [left, right], low: [low, low], high: [high, high], opacity })

  const spans = { before: [from - 0.5, at - 0.5], since: [at - 0.5, to - 0.5] } as const
  const place = [Math.max(-0.5, at - reach - 0.5), Math.min(last + 0.5, at + reach - 0.5)] as const
  if (reach > 0) area(add('place', 'where the change can lie', 'var(--unusual)'), place, bottom, top, 0.16)
  const bands = {
    before: add('band', 'expected before', 'var(--band)'),
    since: add('new-band', 'expected since', color),
  }
  const lines = { before: add('level', 'level before', 'var(--median)'), since: add('new-level', 'level since', color) }
  for (const [key, { value, range }] of [
    ['before', before],
    ['since', since],
  ] as const) {
    if (range !== null) area(bands[key], spans[key], range.low, range.high, key === 'before' ? 1 : 0.14)
    const half = ((top - bottom) * thin) / 2
    area(lines[key], spans[key], value - half, value + half, 1)
  }
  const lineOf = (of: number, start: number, end: number) => {
    const own = points.slice(start, end)
    if (own.length === 0) return
    const drawn = own.map((point) => drawnFigure(point, (value) => value, show))
    const line = marks.push({
      kind: 'line',
      series: of,
      at: own.map((_, index) => start + index),
      y: drawn.map(({ y }) => y),
      width: 0.75,
      reads: 'exact',
      texts: drawn.map(({ text }) => text),
      notes: own.map(({ labels }) => labels['commit'] ?? labels['version'] ?? ''),
      hrefs: own.map(({ runIds }) => `/p/${projectSlug}/runs/${runIds.at(-1) ?? ''}`),
    })
    const which = drawn.flatMap(({ y }, index) => (y === null ? [] : [index]))
    if (which.length > 0 && points.length <= maxDots)
      marks.push({ kind: 'dots', series: of, of: line - 1, which, isHollow: false, size: 0.62 })
  }
  lineOf(add('before', 'before', 'var(--dot)'), 0, at)
  lineOf(add('since', 'since', color), at, to)
  lineOf(add('later', 'later level', 'var(--dot)'), to, points.length)

  const labels = { before: add('before-words', 'before', 'var(--text)'), since: add('since-words', 'since', color) }
  const above = (top - bottom) * 0.05
  const span = last + 1
  const label = (key: 'before' | 'since', { value, range }: DrawnLevel) => {
    const x = Math.min(spans[key][0], span * lastLabel - 0.5)
    const y = Math.min(
      top,
      Math.max(range?.high ?? value, key === 'before' ? highOf(points.slice(from, from + 8), value) : value) + above,
    )
    const text = `${show(value)}${unit.label === '' || metric.unit === 'ratio' ? '' : `\u00a0${unit.label.replace(/^\//, '/')}`}`
    marks.push({ kind: 'label', series: labels[key], x, y, text, more: key })
  }
  if (at > from) label('before', before)
  if (to > at) label('since', since)

  const times = points.map(({ orderedAt }) => orderedAt)
  const first = points[at]
  const day = first === undefined ? '' : formatDate(first.orderedAt)
  const title = `${metric.label}${unit.label ? `, ${unit.label}` : ''}`
  return {
    plot: {
      id,
      title,
      x: {
        scale: 'linear',
        domain: [-0.5, last + 0.5],
        ticks: timeTicks(times, (time) => times.indexOf(time), 'runs').map((tick, index, all) => ({
          ...tick,
          isSpare: (all.length > 3 && index > 0 && index < all.length - 1) || undefined,
        })),
      },
      series,
      panels: [
        {
          label: `${title}: ${plural(points.length, 'run')}, level ${show(before.value)} before and ${show(since.value)} since ${name}`,
          marks,
          rules:
            first === undefined
              ? []
              : [
                  {
                    kind: 'change',
                    at: at - 0.5,
                    label: name === day ? day : `${day} · ${name}`,
                    title: `Level changed, first run ${formatTime(first.orderedAt)}`,
                    anchor: at < span * 0.15 ? 'start' : at > span * 0.85 ? 'end' : undefined,
                    verdict: 'changed',
                  },
                ],
          says: 'count',
          frame: 'trend',
          y: {
            scale: 'linear',
            domain: [bottom, top],
            ticks: ticks.map((value) => ({ at: value, label: tickLabel(metric, value, unit, false) })),
          },
        },
      ],
      places: points.map((_, index) => index),
      heading: { kind: 'times', times: times.map((time) => Date.parse(time)) },
      note: noteOf(input),
    },
    table: () => ({
      head: ['When', title, 'Level'],
      rows: points
        .map((point, index) => [
          formatTime(point.orderedAt),
          point.value === null ? '–' : show(point.value),
          index < from ? 'earlier' : index < at ? 'before' : index < to ? 'since' : 'later',
        ])
        .toReversed(),
    }),
  }
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
