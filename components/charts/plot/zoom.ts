import { formatMs, formatNumber, formatTick } from '../../../lib/format'
import { printableName, quantileName, quantileToX, xToQuantile } from '../../../lib/stats/quantile'
import { fitted } from './fit'
import type { Part } from './gestures'
import { noMark } from './hidden'
import type { Axis, LabelMark, LineMark, Mark, Panel, Plot, Tick } from './model'
import { linearTicks, logTicks, short, valueAt } from './scale'

type Range = readonly [from: number, to: number]

/** The part of a percentile plot that is shown. */
export interface Zoom {
  /** Both ends are percentiles of a line, in units of the axis; null: all. */
  readonly x: Range | null
  /** In ms; null: fitted. */
  readonly y: Range | null
}

export const wholePlot: Zoom = { x: null, y: null }

/** Percentiles of a part, `50-95`; and its latencies, `10-90`. */
const partPattern = /^(\d{1,9}(?:\.\d{1,9})?)-(\d{1,9}(?:\.\d{1,9})?)$/

function readRange(text: string | undefined): Range | null {
  const [, from, to] = partPattern.exec(text ?? '') ?? []
  return Number(to) > Number(from) ? [Number(from), Number(to)] : null
}

/** A part of what is shown: an axis that it does not choose stays as it is. */
export const withinPart = (now: Zoom, part: Zoom): Zoom => ({ x: part.x ?? now.x, y: part.y ?? now.y })

/** Reads the parts of an address; anything else is all. */
export function readZoom([x, y]: readonly string[]): Zoom {
  const percents = readRange(x)
  const isPercent = percents !== null && percents[1] < 100
  return { x: isPercent ? [xOf(percents[0]), xOf(percents[1])] : null, y: readRange(y) }
}

const xOf = (percent: number): number => quantileToX(percent / 100)
const percentOf = (x: number): string => String(Number((xToQuantile(x) * 100).toFixed(6)))

/** As an address has it; nothing: all. */
export function zoomTexts({ x, y }: Zoom): readonly string[] {
  if (x === null && y === null) return []
  const percents = x === null ? '' : `${percentOf(x[0])}-${percentOf(x[1])}`
  return y === null ? [percents] : [percents, y.map((ms) => Number(ms.toPrecision(4))).join('-')]
}

/** The names of what is shown: `p50–p95`, `10 ms–90 ms`. */
export function zoomWords({ x, y }: Zoom): { readonly x: string | null; readonly y: string | null } {
  const ends = (range: Range, word: (value: number) => string) => range.map(word).join('–')
  return {
    x: x === null ? null : ends(x, (at) => (at === 1 ? 'min' : quantileName(xToQuantile(at)))),
    y: y === null ? null : ends(y, formatMs),
  }
}

/** The part of a plot that a gesture shows: percentiles from one stop to another. */
export function zoomOf(plot: Plot, stops: readonly number[], { x, y }: Part): Zoom {
  const { domain, scale } = plot.panels[0]?.y ?? { domain: [0, 1], scale: 'linear' }
  const ends =
    stops.length === 0 ? undefined : x?.map((share) => nearestTo(stops, valueAt(share, plot.x.domain, plot.x.scale)))
  const [from, to] = ends ?? []
  const isRange = from !== undefined && to !== undefined && to > from
  return {
    x: isRange ? [from, to] : null,
    // Shares are counted from the top.
    y: y === null ? null : [valueAt(1 - y[1], domain, scale), valueAt(1 - y[0], domain, scale)],
  }
}

/** On a logarithmic axis. */
const nearestTo = (stops: readonly number[], wanted: number): number =>
  stops.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best))

/** Words at the ends of lines have a fifth of the width. */
const [firstShare, lastShare] = [0.02, 0.8]

/** Only the lines between two percentiles, with the y axis fitted to them. The max is no percentile: it is left out. */
export function cutX(plot: Plot, x: Zoom['x']): Plot {
  if (x === null) return plot
  const [first, last] = x
  const isIn = (at: number) => at >= first * (1 - 1e-9) && at <= last * (1 + 1e-9)
  const decades = Math.log10(last / first) / (lastShare - firstShare)
  const from = short(first * 10 ** (-firstShare * decades))
  const ticks = plot.x.ticks.filter(({ at, label }) => label !== 'max' && isIn(at))
  const ends = x.filter((at) => ticks.every((tick) => Math.abs(tick.at - at) > at * 1e-6)).map(endTick)
  return {
    ...plot,
    x: { ...plot.x, domain: [from, short(from * 10 ** decades)], ticks: [...ticks, ...ends] },
    panels: plot.panels.map((panel) => fitted({ ...panel, column: null, marks: marksIn(plot, panel, isIn) })),
  }
}

const endTick = (at: number): Tick => ({ at, label: at === 1 ? 'min' : (printableName(xToQuantile(at)) ?? '') })

function marksIn({ places }: Plot, panel: Panel, isIn: (x: number) => boolean): readonly Mark[] {
  const cut = panel.marks.map((mark): Mark => {
    if (mark.kind === 'peak' || mark.kind === 'range') return noMark(mark)
    if (mark.kind === 'line')
      return { ...mark, y: mark.y.map((ms, at) => (isIn(places[mark.at[at] ?? -1] ?? 0) ? ms : null)) }
    if (mark.kind !== 'band') return mark
    const kept = mark.x.flatMap((at, index) => (isIn(at) ? [index] : []))
    const of = (values: readonly number[]) => kept.map((index) => values[index] ?? 0)
    return { ...mark, x: of(mark.x), low: of(mark.low), high: of(mark.high) }
  })
  return cut.map((mark) => (mark.kind === 'label' ? labelIn(mark, cut, places, panel) : mark))
}

/** The name of a line stands at the last value that is shown. */
function labelIn(label: LabelMark, marks: readonly Mark[], places: readonly number[], { fit }: Panel): Mark {
  const line = marks.find((mark): mark is LineMark => mark.kind === 'line' && mark.series === label.series)
  const last = line?.y.findLastIndex((ms) => ms !== null) ?? -1
  const [x, y] = [places[line?.at[last] ?? -1], line?.y[last] ?? null]
  if (x === undefined || y === null) return noMark(label)
  if (Math.abs(x - label.x) < x * 1e-9 || fit === undefined) return { ...label, x, y }
  return { ...label, x, y, text: formatNumber(y * fit.factor) }
}

/** Only the latencies between two. */
export function cutY(plot: Plot, y: Zoom['y']): Plot {
  if (y === null) return plot
  const isIn = (ms: number) => ms >= y[0] && ms <= y[1]
  return {
    ...plot,
    panels: plot.panels.map((panel) =>
      panel.fit === undefined
        ? panel
        : {
            ...panel,
            y: axisBetween(panel.y, y, panel.fit.factor),
            rules: (panel.rules ?? []).filter(({ at }) => isIn(at)),
            column: null,
            isCut: true,
            marks: panel.marks.map((mark) =>
              mark.kind === 'peak' || mark.kind === 'range' || (mark.kind === 'label' && !isIn(mark.y))
                ? noMark(mark)
                : mark,
            ),
          },
    ),
  }
}

function axisBetween({ scale }: Axis, [from, to]: Range, factor: number): Axis {
  const isLog = scale === 'log' && from > 0
  const [, step = 1] = linearTicks((to - from) * factor)
  const first = Math.ceil((from * factor) / step - 1e-9)
  const linear = Array.from(
    { length: Math.max(0, Math.floor((to * factor) / step + 1e-9) - first + 1) },
    (_, at) => Number(((first + at) * step).toPrecision(12)) / factor,
  )
  const powers = isLog ? logTicks(from, to).filter((at) => at >= from && at <= to) : []
  const ticks = powers.length > 1 ? powers : linear
  return {
    scale: isLog ? 'log' : 'linear',
    domain: [from, to],
    ticks: ticks.map((at) => ({ at, label: formatTick(at * factor) })),
    isBroken: !isLog && from > 0,
  }
}
