import { columnUnit, formatCount, formatInColumn, plural, type ColumnUnit } from '../../lib/format'
import { leadingLatency } from '../../lib/run/figures'
import { quantilePoints } from '../../lib/stats/histogram'
import { areFew, withFew } from '../../lib/stats/few-samples'
import { namedLimits, type NamedLimit } from '../../lib/run/limits'
import { boundSign, type Tool } from '../../lib/run/tools'
import {
  minAbove,
  printableName,
  quantileName,
  quantileTicks,
  quantileToX,
  supportedQuantile,
} from '../../lib/stats/quantile'
import { overPercentiles } from './axes/percentile-limits'
import { fitted } from './plot/fit'
import { unfitted } from './plot/latency-axis'
import {
  maxColumn,
  type Axis,
  type DotsMark,
  type LineMark,
  type Mark,
  type PlotTable,
  type Prepared,
  type Series,
} from './plot/model'
import { rankOf, short, type ScaleKind } from './plot/scale'
import { seriesOf, type PlottedRun } from './plotted-run'

interface Point {
  readonly x: number
  readonly q: number
  readonly ms: number
  /** Printed by the tool, not read off a histogram. */
  readonly isPrinted: boolean
  /** False: fewer than 10 values are above it, and the line fades. */
  readonly isSupported: boolean
}

/** The line of a run. */
export interface PercentileLine extends Series {
  /** The tool whose timeout may have cut it. */
  readonly tool: Tool
  /** Rising in x. */
  readonly points: readonly Point[]
  /** The max, which is no percentile: it has a column of its own. Null: not known. */
  readonly maxMs: number | null
}

/** A percentile plot with its lines. */
export interface PreparedPercentiles extends Prepared {
  readonly lines: readonly PercentileLine[]
}

/** Shown in place of a percentile plot. */
export const noPercentiles = {
  title: 'Latency by percentile',
  reason: 'No percentiles printed, and no samples to compute them from.',
} as const

const maxSeries = 40
/** A drawing has about this many points, whatever the number of runs and requests. */
const maxPoints = 2_000

/** Ratio of max to min above which a linear axis would press some runs to the floor. */
const maxLinearRatio = 200

/**
 * Prepares the percentile plot of 1–10 sides on both scales; null when none has a percentile. `limits`: besides timeouts.
 * `first` null: the scale that the data suggest is shown first.
 */
export function preparePercentiles(
  runs: readonly PlottedRun[],
  limits: readonly NamedLimit[] = [],
  first: ScaleKind | null = null,
): PreparedPercentiles | null {
  const shown = runs.slice(0, maxSeries)
  const most = Math.floor(maxPoints / Math.max(1, shown.length))
  const lines = shown.flatMap((run, index) => lineOf(run, index, most) ?? [])
  const points = lines.flatMap((one) => one.points)
  if (points.length === 0) return null
  const unit = columnUnit('ms', [Math.max(...points.map(({ ms }) => ms))])
  const { places, placeOf } = rankOf(points.map(({ x }) => x))
  const { axis: x, maxX } = percentileAxis(Math.max(...points.map(({ x: at }) => at)))
  const plot = {
    id: 'percentiles',
    title: `Latency by percentile (${unit.label})`,
    x,
    series: lines.map(({ points: _, maxMs: __, tool: ___, ...series }) => series),
  }
  const panel = fitted({
    marks: [...marksOf(lines, placeOf), ...endsOf(lines, maxX, unit)],
    says: 'ms',
    frame: 'large',
    y: unfitted,
    fit: { factor: unit.factor, unit: '', limits: [...limits, ...timeoutsOf(lines)].flatMap(overPercentiles) },
  })
  return {
    plot: {
      ...plot,
      panels: [panel],
      places,
      heading: { kind: 'quantile' },
      link: 'quantile',
      isSorted: true,
      legend: 'markers',
      footnote: footnoteOf(points),
      isRich: true,
      isLogFirst: panel.onLog != null && (first === null ? areFarApart(lines) : first === 'log'),
    },
    lines,
    table: () => tableOf(lines, unit),
  }
}

/** Whether a linear axis would press some lines to the floor: their ends are far apart. */
function areFarApart(lines: readonly PercentileLine[]): boolean {
  const last = lines.map(({ points }) => points.findLast((one) => one.isSupported)?.ms ?? 0).filter((ms) => ms > 0)
  return lines.length > 1 && Math.max(...last) / Math.min(...last) > maxLinearRatio ** 0.5
}

/** The timeouts that cut percentiles. */
const timeoutsOf = (lines: readonly PercentileLine[]): readonly NamedLimit[] =>
  namedLimits(
    [],
    lines.flatMap(({ tool, points }) => points.map(({ ms }) => ({ tool, ms }))),
  )

/** From the last percentile to the right edge, share of the width: words at the ends of lines, and the max. */
const marginShare = 0.225
/** Percentiles between the nines that are labelled if there is room. */
const minorQuantiles = [0.5, 0.75, 0.95]
const maxDecadesOfMinors = 2.3

/**
 * Percentiles up to this place, each further nine as wide as the one before, with its rarity below it; then room for
 * words and a column for the max, whose place is returned, too.
 */
export function percentileAxis(lastX: number): { readonly axis: Axis; readonly maxX: number } {
  const decades = Math.max(1, Math.log10(lastX)) / (1 - marginShare)
  const at = (share: number) => short(10 ** (decades * share))
  const isCrowded = decades * (1 - marginShare) > maxDecadesOfMinors
  const minors = minorQuantiles
    .filter((q) => quantileToX(q) <= lastX * (1 + 1e-9) && (!isCrowded || q === 0.5))
    .map((q) => ({ at: quantileToX(q), label: quantileName(q), sign: '', below: null, isSpare: q !== 0.5 }))
  const nines = quantileTicks(lastX)
    .filter(({ q }) => q > 0)
    .map(({ x, q, rarity }) => ({ at: x, label: quantileName(q), sign: '', below: rarity }))
  const maxX = at(maxColumn.at)
  const ticks = [...minors, ...nines].sort((a, b) => a.at - b.at)
  return { axis: { scale: 'log', domain: [1, at(1)], ticks: [...ticks, { at: maxX, label: 'max' }] }, maxX }
}

/** With more lines, only the legend distinguishes them. */
const maxLabelled = 6
/** Longer names would run into the column of the max. */
const longestLabel = 20

/** The name of a line at its end; empty: it is too long. */
export const nameAtEnd = (name: string): string => (name.length > longestLabel ? '' : name)

/** The name and the last value of each line at its end, and its max in the column. */
function endsOf(lines: readonly PercentileLine[], maxX: number, unit: ColumnUnit): readonly Mark[] {
  const hasRoom = lines.length <= maxLabelled && lines.every(({ side }) => !side)
  const isLabelled = hasRoom && lines.length > 1
  return lines.flatMap(({ points, maxMs, name, style, tool }, series): Mark[] => {
    const end = points.at(-1)
    const text = (ms: number) => boundSign(tool, ms) + formatInColumn(ms, 'ms', unit)
    const more = nameAtEnd(name)
    return [
      ...(isLabelled && end ? [{ kind: 'label' as const, series, x: end.x, y: end.ms, text: text(end.ms), more }] : []),
      ...(maxMs === null
        ? []
        : [
            {
              kind: 'peak' as const,
              series,
              x: maxX,
              y: maxMs,
              text: hasRoom ? text(maxMs) : '',
              marker: style.marker,
            },
          ]),
    ]
  })
}

/** Explains what is faded and what is hollow: a histogram's points are lines without dots. */
function footnoteOf(points: readonly Point[]): string {
  const sparse = points.filter(({ isSupported }) => !isSupported)
  if (sparse.length === 0) return 'Lines end at the last percentile printed. Hollow: max.'
  return sparse.some(({ isPrinted }) => isPrinted)
    ? 'Hollow: fewer than 10 requests are slower, and the max. Lines fade towards such points.'
    : 'Lines fade where fewer than 10 requests are slower. Hollow: max.'
}

function marksOf(lines: readonly PercentileLine[], placeOf: (x: number) => number): readonly (LineMark | DotsMark)[] {
  const all: (LineMark | DotsMark)[] = []
  lines.forEach(({ points, side }, series) => {
    const firstFaded = points.findIndex(({ isSupported }) => !isSupported)
    const of = all.length
    all.push({
      kind: 'line',
      series,
      at: points.map(({ x }) => placeOf(x)),
      y: points.map(({ ms }) => ms),
      width: 2,
      reads: points.every(({ isPrinted }) => isPrinted) ? 'exact' : 'before',
      ...(firstFaded >= 0 && { fadedFrom: firstFaded }),
    })
    if (side) return
    for (const isHollow of [false, true]) {
      const which = points.flatMap((one, at) => (one.isPrinted && one.isSupported !== isHollow ? [at] : []))
      if (which.length > 0) all.push({ kind: 'dots', series, of, which, isHollow, size: 1 })
    }
  })
  return all
}

function lineOf(run: PlottedRun, index: number, most: number): PercentileLine | null {
  const latency = leadingLatency(run.imported)
  if (!latency) return null
  // Not the requests: wrk adds values and leaves others out, so the number of values behind its max is unknown.
  const { count } = latency
  const supported = count === null ? null : supportedQuantile(count)
  const recorded = latency.histogram?.kind === 'hdr'
  const isSupported = (q: number) => !areFew(q, [count])
  const place = (q: number, ms: number) => ({ x: quantileToX(q), q, ms })
  const known = quantilePoints(latency, supported === null ? [] : [supported], most - 20)
    .filter(({ q }) => q < 1)
    .map(({ q, ms }): Point => ({ ...place(q, ms), isPrinted: !recorded, isSupported: isSupported(q) }))
  // Percentiles beyond 1 − 1/n are the max.
  const maxX = latency.maxMs !== null && count !== null && count > 1 ? count : null
  const isExact = (q: number) => latency.quantiles.some((one) => one.q === q)
  // There, a histogram has the value before it.
  const isBefore = ({ x, q }: Point) => maxX === null || x < maxX * (1 - 1e-9) || isExact(q)
  const points = recorded ? known.filter(isBefore) : known
  if (points.length === 0) return null
  if (latency.minMs !== null && points[0]?.q !== 0)
    points.unshift({ ...place(0, latency.minMs), isPrinted: true, isSupported: true })
  return {
    ...seriesOf(run, index),
    tool: run.imported.tool,
    points,
    maxMs: latency.maxMs,
    note: endNoteOf(count, points),
  }
}

/** Why a line fades: too few values above its last points; null: it does not fade. */
function endNoteOf(count: number | null, points: readonly Point[]): string | null {
  const next = points.findIndex((point) => !point.isSupported)
  if (count === null || next < 0) return null
  const [solid, faded] = [points[next - 1], points[next]]
  if (solid === undefined || solid.q === 0) return `${plural(count, 'request')}: too few for any percentile`
  const of = `fewer than ${minAbove} of ${formatCount(count)} requests are slower`
  // Half a request: counts above a percentile are whole numbers. A place in a histogram is not a percentile worth a
  // name.
  const isNamed = solid.isPrinted && printableName(solid.q) !== null
  if (!isNamed || (1 - solid.q) * count < minAbove + 0.5 || faded === undefined) return `faded where ${of}`
  const name = quantileName(faded.q)
  return `faded beyond ${quantileName(solid.q)}: nothing was printed between it and ${name}, beyond which ${of}`
}

const tableQuantiles = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999]

function tableOf(lines: readonly PercentileLine[], unit: ColumnUnit): PlotTable {
  const isRecorded = (one: PercentileLine) => one.points.some(({ isPrinted }) => !isPrinted)
  const near = (one: PercentileLine, q: number) => one.points.find((point) => Math.abs(point.q - q) < 1e-9)
  const at = (one: PercentileLine, q: number) =>
    near(one, q) ?? (isRecorded(one) ? one.points.findLast((point) => point.q <= q) : undefined)
  const shown = ({ tool }: PercentileLine, ms: number | null) =>
    (ms === null ? '' : boundSign(tool, ms)) + formatInColumn(ms, 'ms', unit)
  const rows = tableQuantiles
    .filter((q) => lines.some((one) => near(one, q) || (isRecorded(one) && (one.points.at(-1)?.q ?? 0) >= q)))
    .map((q) => [q === 0 ? 'min' : quantileName(q), ...lines.map((one) => shown(one, at(one, q)?.ms ?? null))])
  const max = lines.every(({ maxMs }) => maxMs === null) ? [] : [['max', ...lines.map((one) => shown(one, one.maxMs))]]
  const table = { head: ['Percentile', ...lines.map(({ name }) => `${name} (${unit.label})`)], rows: [...rows, ...max] }
  const quantiles = tableQuantiles.filter((q) => rows.some(([name]) => name === (q === 0 ? 'min' : quantileName(q))))
  return withFew(
    table,
    quantiles.map((q) => lines.flatMap((one) => (at(one, q)?.isSupported === false ? one.name : []))),
  )
}
