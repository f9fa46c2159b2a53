import { formatInColumn, formatMs, plural, type ColumnUnit } from '../../lib/format'
import type { JudgedState } from '../../lib/run/judged-states'
import type { FigureKey, RunFigures } from '../../lib/run/metrics'
import { boundSign, type Tool } from '../../lib/run/tools'
import { hasFewBeyond, quantileName, quantileToX } from '../../lib/stats/quantile'
import { latencyAxis, type LatencyAxis } from './latency-axis'
import type { Axis, LineMark, Mark, PlotTable, Prepared, Scaled, Series } from './plot/model'
import { rankOf, seriesStyle } from './plot/scale'
import { stateStyle, type StateStyle } from './plot/state-style'

/** A run in the form that a fan takes: percentiles as the tool printed them. */
export interface FanRun {
  readonly id: string
  /** The tool whose timeout may have cut them. */
  readonly tool: Tool
  /** 0 ≤ q < 1, in any order. */
  readonly quantiles: readonly { readonly q: number; readonly ms: number }[]
  readonly maxMs: number | null
  /** Percentiles with fewer than 10 of these above them are hollow, lines fade there; null: unknown. */
  readonly requests: number | null
}

const fanQuantiles = [
  [0.5, 'p50Ms'],
  [0.75, 'p75Ms'],
  [0.9, 'p90Ms'],
  [0.95, 'p95Ms'],
  [0.99, 'p99Ms'],
  [0.999, 'p999Ms'],
] as const satisfies readonly (readonly [number, FigureKey])[]

/** A run's figures in the form that a fan takes. */
export function fanRunOf({ id, tool }: Pick<FanRun, 'id' | 'tool'>, figures: RunFigures): FanRun {
  const quantiles = fanQuantiles.flatMap(([q, key]) => {
    const ms = figures[key]
    return ms === null ? [] : [{ q, ms }]
  })
  return { id, tool, quantiles, maxMs: figures.maxMs, requests: figures.requests }
}

/** Runs of one level. */
export interface FanGroup {
  /** Name of its median: `median`, `before`, `since 8de2d48`. */
  readonly name: string
  readonly runs: readonly FanRun[]
}

/** The contents of a fan. */
export interface FanInput {
  /** Its anchor on the page. */
  readonly id: string
  readonly title: string
  /** Past runs of the level, without the run; empty: there are none. */
  readonly past: FanGroup
  /** Runs of the level that followed, in the colour of `state`; null: there is one level. */
  readonly since?: FanGroup | null
  /** The run in question and the name of its line; null: only the groups are compared. */
  readonly run: (FanRun & { readonly name: string }) | null
  /** State of the run, else of the change between the groups; null: not judged yet. */
  readonly state: JudgedState | null
  /** Lines are named at their ends: the drawing has a page's width. Absent: numbers only. */
  readonly isWide?: boolean
}

/** With fewer runs there is no band: each is a hairline. */
const minFanRuns = 5
/** From the last percentile to the right edge, share of the width: labels, and the column of the max. */
const marginShare = { narrow: 0.22, wide: 0.26 }
const maxColumnShare = { narrow: 0.955, wide: 0.975 }
/** Neighbours with fewer decades between them would cover each other's names. */
const maxDecadesOfMinors = 2.3

const history = {
  all: { color: 'var(--band)', dash: '', marker: 'square' },
  half: { color: 'var(--band-2)', dash: '', marker: 'square' },
  median: { color: 'var(--median)', dash: '4 3', marker: 'circle' },
  each: { color: 'var(--median)', dash: '', marker: 'circle' },
} as const

/**
 * Prepares a fan: past runs as bands at the percentiles that they printed, the run as a line on them, the max apart. Null
 * when there is no percentile to show.
 */
export function prepareFan({ id, title, past, since = null, run, state, isWide = false }: FanInput): Prepared | null {
  const all = [...past.runs, ...(since?.runs ?? []), ...(run === null ? [] : [run])]
  const quantiles = shownQuantiles(all, run)
  const lastQ = quantiles.at(-1)
  if (lastQ === undefined) return null
  const values = all.flatMap((one) => quantiles.flatMap((q) => msAt(one, q) ?? []))
  const axis = latencyAxis(values, 'linear')
  const x = fanAxis(quantiles, isWide ? 'wide' : 'narrow')
  const { places, placeOf } = rankOf(quantiles.map(quantileToX))
  const drawing: Drawing = { quantiles, placeOf, maxX: x.maxX, unit: axis.unit, isWide, series: [], marks: [] }
  const isBand = past.runs.length >= minFanRuns
  addGroup(drawing, past, isBand, null)
  if (since !== null) addGroup(drawing, since, since.runs.length >= minFanRuns, state, run !== null)
  if (run !== null) addRun(drawing, run, stateStyle(state))
  else addPeak(drawing, [past, ...(since === null ? [] : [since])], scalesOf(values).y.domain[1])
  const label = `${title}: ${wordsOf(past, since, run)}`
  return {
    plot: {
      id,
      title: `${title} (${axis.unit.label})`,
      x: x.axis,
      series: drawing.series,
      panels: [
        {
          label,
          marks: drawing.marks,
          says: 'ms',
          frame: isWide ? 'wideFan' : 'fan',
          ...scalesOf(values),
        },
      ],
      places,
      heading: { kind: 'quantile' },
      link: 'quantile',
      isSorted: true,
      legend: 'lines',
    },
    table: () => tableOf(quantiles, [past, ...(since === null ? [] : [since])], run, axis.unit),
  }
}

/**
 * Prepares the percentiles of up to seven runs that have no history, each in its style: as a fan, without
 * bands. Null when there is no percentile to show.
 */
export function prepareCurves(
  id: string,
  title: string,
  runs: readonly (FanRun & { readonly name: string; readonly styleIndex: number })[],
): Prepared | null {
  const quantiles = shownQuantiles(runs, null)
  if (quantiles.length === 0) return null
  const printed = runs.flatMap((one) => quantiles.flatMap((q) => msAt(one, q) ?? []))
  const reach = maxReach * Math.max(...printed)
  // A max far beyond would press the lines to the floor: it is off the scale.
  const values = [...printed, ...runs.flatMap(({ maxMs }) => (maxMs !== null && maxMs <= reach ? maxMs : []))]
  const { unit } = latencyAxis(values, 'linear')
  const x = fanAxis(quantiles, 'narrow')
  const { places, placeOf } = rankOf(quantiles.map(quantileToX))
  const drawing: Drawing = { quantiles, placeOf, maxX: x.maxX, unit, isWide: false, series: [], marks: [] }
  for (const run of runs) addRun(drawing, run, { ...seriesStyle(run.styleIndex), isHollow: false }, false)
  const scale = fittingScale(values, runs, quantiles)
  const highest = Math.max(...runs.map(({ maxMs }) => maxMs ?? 0))
  // Of several beyond the scale, only one has its number: they would cover each other.
  const marks = drawing.marks.map((mark) =>
    mark.kind === 'peak' && mark.y > scale.y.domain[1] && mark.y < highest ? { ...mark, text: '' } : mark,
  )
  return {
    plot: {
      id,
      title: `${title} (${unit.label})`,
      x: x.axis,
      series: drawing.series,
      panels: [
        {
          label: `${title}: ${runs.map(({ name }) => name).join(', ')}`,
          marks,
          says: 'ms',
          frame: 'fan',
          ...scale,
        },
      ],
      places,
      heading: { kind: 'quantile' },
      link: 'quantile',
      isSorted: true,
      legend: 'markers',
    },
    table: () =>
      tableOf(
        quantiles,
        runs.map(({ name, ...run }) => ({ name, runs: [run] })),
        null,
        unit,
      ),
  }
}

const maxReach = 3
/** Lines whose ends are farther apart than this need a logarithmic axis to be seen. */
const maxApart = 25

/** Both scales; the logarithmic one first if a linear one would press lines to the floor. */
function fittingScale(values: readonly number[], runs: readonly FanRun[], quantiles: readonly number[]) {
  const ends = runs.flatMap((run) => quantiles.flatMap((q) => msAt(run, q) ?? []).at(-1) ?? []).filter((ms) => ms > 0)
  const scales = scalesOf(values)
  const isFar = Math.max(...ends) / Math.min(...ends) > maxApart
  return isFar && scales.onLog !== null ? { ...scales, ...scales.onLog } : scales
}

/** Both scales, the unit beside the topmost tick. */
function scalesOf(values: readonly number[]): Scaled & { readonly onLog: Scaled | null } {
  const named = ({ unit, ...axis }: LatencyAxis): Axis => ({
    ...axis,
    ticks: axis.ticks.map((tick, at) =>
      at === axis.ticks.length - 1 ? { ...tick, label: `${tick.label}\u202f${unit.label}` } : tick,
    ),
  })
  const onLog = latencyAxis(values, 'log')
  return {
    y: named(latencyAxis(values, 'linear')),
    onLog: onLog.scale === 'log' ? { y: named(onLog) } : null,
  }
}

interface Drawing {
  readonly quantiles: readonly number[]
  readonly placeOf: (x: number) => number
  readonly maxX: number
  readonly unit: ColumnUnit
  readonly isWide: boolean
  readonly series: Series[]
  readonly marks: Mark[]
}

const msAt = ({ quantiles }: Pick<FanRun, 'quantiles'>, q: number): number | null =>
  quantiles.find((one) => Math.abs(one.q - q) < 1e-9)?.ms ?? null

/** Percentiles from the median up that the run has, or most of the runs. */
function shownQuantiles(all: readonly FanRun[], run: FanRun | null): readonly number[] {
  const known = [...new Set(all.flatMap(({ quantiles }) => quantiles.map(({ q }) => q)))]
  const isShown = (q: number) =>
    run === null ? 2 * all.filter((one) => msAt(one, q) !== null).length >= all.length : msAt(run, q) !== null
  return known.filter((q) => q >= 0.5 && q < 1 && isShown(q)).sort((a, b) => a - b)
}

/** From the first percentile to the last, each further nine as wide as the one before, and a column for the max. */
function fanAxis(
  quantiles: readonly number[],
  width: keyof typeof marginShare,
): { readonly axis: Axis; readonly maxX: number } {
  const [first, last] = [quantileToX(quantiles[0] ?? 0.5), quantileToX(quantiles.at(-1) ?? 0.99)]
  const from = first / 1.35
  const decades = Math.max(Math.log10(last / from), 0.5) / (1 - marginShare[width])
  const at = (share: number) => from * 10 ** (decades * share)
  const isCrowded = decades * (1 - marginShare[width]) > maxDecadesOfMinors
  const named = quantiles.filter((q) => !isCrowded || isRound(q) || q === quantiles.at(-1))
  const ticks = named.map((q) => ({
    at: quantileToX(q),
    label: quantileName(q),
    below: q > 0.5 && isRound(q) ? `1 in ${Math.round(quantileToX(q))}` : null,
  }))
  const maxX = at(maxColumnShare[width])
  return { axis: { scale: 'log', domain: [from, at(1)], ticks: [...ticks, { at: maxX, label: 'max' }] }, maxX }
}

/** The median, and each further nine. */
function isRound(q: number): boolean {
  const nines = Math.log10(quantileToX(q))
  return q === 0.5 || Math.abs(nines - Math.round(nines)) < 1e-6
}

/**
 * Bands and median of a group, or a hairline per run. `state` null: it is history, and grey; `isBehind`: a run leads.
 */
function addGroup(
  drawing: Drawing,
  { name, runs }: FanGroup,
  isBand: boolean,
  state: JudgedState | null,
  isBehind = false,
): void {
  const { quantiles, series, marks, maxX } = drawing
  if (runs.length === 0) return
  const color = state === null ? null : stateStyle(state).color
  const id = state === null ? 'past' : 'since'
  if (!isBand) {
    const place =
      series.push({
        id,
        name: state === null ? plural(runs.length, 'earlier run') : `${plural(runs.length, 'run')} ${name}`,
        style: color === null ? history.each : { ...history.each, color },
      }) - 1
    for (const run of runs) {
      const own = quantiles.flatMap((q) => (msAt(run, q) === null ? [] : { q }))
      marks.push(fading(lineThrough(place, run, drawing, state === null || isBehind ? 1 : 1.5), own, [run]))
    }
    const q = quantiles.at(-1) ?? 0
    const ends = runs.flatMap((one) => msAt(one, q) ?? []).sort((a, b) => a - b)
    // If no run leads, the lines of a group are named together.
    if (state !== null && !isBehind && ends.length > 0)
      addLabel(drawing, place, { q, ms: quantileOf(ends, 0.5), tool: runs[0]?.tool }, name)
    return
  }
  const spread = quantiles.flatMap((q) => {
    const known = runs.flatMap((one) => msAt(one, q) ?? []).sort((a, b) => a - b)
    return known.length < minFanRuns ? [] : [{ q, known }]
  })
  const band = (look: Series, low: number, high: number, opacity: number) => {
    marks.push({
      kind: 'band',
      series: series.push(look) - 1,
      x: spread.map(({ q }) => quantileToX(q)),
      low: spread.map(({ known }) => quantileOf(known, low)),
      high: spread.map(({ known }) => quantileOf(known, high)),
      opacity,
    })
  }
  const colored = (style: Series['style']) => (color === null ? style : { ...style, color })
  const words = state === null ? '' : ` ${name}`
  band(
    { id: `${id}-all`, name: `all ${plural(runs.length, 'run')}${words}`, style: colored(history.all) },
    0,
    1,
    color === null ? 1 : 0.14,
  )
  const all = series.length - 1
  band(
    { id: `${id}-half`, name: `middle half${words}`, style: colored(history.half) },
    0.25,
    0.75,
    color === null ? 1 : 0.2,
  )
  const lead = isBehind && color !== null ? { ...history.median, color } : stateStyle(state)
  const median = series.push({ id, name, style: color === null ? history.median : lead }) - 1
  const line = spread.map(({ q, known }) => ({ q, ms: quantileOf(known, 0.5) }))
  const width = color === null || isBehind ? 1.5 : 2.5
  marks.push(fading(lineThrough(median, { quantiles: line }, drawing, width), line, runs))
  const end = line.at(-1)
  if (end) addLabel(drawing, median, { ...end, tool: runs[0]?.tool }, name)
  const maxima = runs.flatMap(({ maxMs }) => maxMs ?? []).sort((a, b) => a - b)
  const [low, high] = [maxima[0], maxima.at(-1)]
  if (low !== undefined && high !== undefined && maxima.length >= minFanRuns) {
    const look = { width: color === null ? 12 : 8, dx: color === null ? 0 : 8, opacity: color === null ? 1 : 0.25 }
    marks.push({ kind: 'range', series: all, x: maxX, low, high, ...look })
  }
}

/** If every max is beyond the scale, their column would be empty: shows how far the highest goes. */
function addPeak({ series, marks, maxX, unit }: Drawing, groups: readonly FanGroup[], top: number): void {
  const maxima = groups.flatMap(({ runs }) => runs.flatMap(({ maxMs }) => maxMs ?? []))
  if (maxima.length < minFanRuns || Math.min(...maxima) <= top) return
  const y = Math.max(...maxima)
  marks.push({ kind: 'peak', series: series.length - 1, x: maxX, y, text: `to ${formatInColumn(y, 'ms', unit)}` })
}

function addRun(
  drawing: Drawing,
  run: FanRun & { readonly name: string },
  { isHollow: isEndHollow, ...style }: StateStyle,
  hasShape = true,
): void {
  const { quantiles, series, marks, maxX, unit } = drawing
  const own = quantiles.flatMap((q) => {
    const ms = msAt(run, q)
    return ms === null ? [] : [{ q, ms }]
  })
  const end = own.at(-1)
  if (end === undefined) return
  const place = series.push({ id: run.id, name: run.name, style }) - 1
  const of = marks.push(fading(lineThrough(place, { quantiles: own }, drawing, 2.5), own, [run])) - 1
  own.forEach((point, at) => {
    const isEnd = point === end
    const look = { isHollow: isSparse([run], point.q) || (isEnd && isEndHollow), size: isEnd || !hasShape ? 1 : 0.65 }
    // Joints are dots; the end has the shape of the state.
    marks.push({
      kind: 'dots',
      series: place,
      of,
      which: [at],
      ...look,
      ...(isEnd || !hasShape ? {} : { marker: 'circle' }),
    })
  })
  addLabel(drawing, place, { ...end, tool: run.tool }, run.name)
  if (run.maxMs === null) return
  const text = boundSign(run.tool, run.maxMs) + formatInColumn(run.maxMs, 'ms', unit)
  marks.push({ kind: 'peak', series: place, x: maxX, y: run.maxMs, text })
}

/** Whether few requests are beyond a percentile, in most of the runs that have it. */
function isSparse(runs: readonly FanRun[], q: number): boolean {
  const known = runs.filter((run) => msAt(run, q) !== null)
  const sparse = known.filter(({ requests }) => requests !== null && hasFewBeyond(q, requests))
  return 2 * sparse.length > known.length
}

/** A line through points of these runs, faded from the first one on that is sparse. */
function fading(line: LineMark, points: readonly { readonly q: number }[], runs: readonly FanRun[]): LineMark {
  const first = points.findIndex(({ q }) => isSparse(runs, q))
  return first < 0 ? line : { ...line, fadedFrom: first }
}

function lineThrough(
  series: number,
  { quantiles: own }: Pick<FanRun, 'quantiles'>,
  drawing: Drawing,
  width: number,
): LineMark {
  const shown = drawing.quantiles.flatMap((q) => {
    const ms = msAt({ quantiles: own }, q)
    return ms === null ? [] : [{ at: drawing.placeOf(quantileToX(q)), ms }]
  })
  return {
    kind: 'line',
    series,
    at: shown.map(({ at }) => at),
    y: shown.map(({ ms }) => ms),
    width,
    reads: 'exact',
  }
}

function addLabel(
  { marks, unit, isWide }: Drawing,
  series: number,
  { q, ms, tool }: { readonly q: number; readonly ms: number; readonly tool: Tool | undefined },
  name: string,
): void {
  const text = (tool === undefined ? '' : boundSign(tool, ms)) + formatInColumn(ms, 'ms', unit)
  marks.push({ kind: 'label', series, x: quantileToX(q), y: ms, text, more: isWide ? name : '' })
}

/** Linear between values; `sorted` rises. */
function quantileOf(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}

function wordsOf(past: FanGroup, since: FanGroup | null, run: FanInput['run']): string {
  const parts = [
    past.runs.length === 0
      ? null
      : past.runs.length < minFanRuns
        ? `${plural(past.runs.length, 'earlier run')} as lines`
        : `${plural(past.runs.length, 'run')} ${since === null ? 'of this level' : past.name} as a band`,
    since === null ? null : `${plural(since.runs.length, 'run')} ${since.name} as a band`,
    run === null ? null : `${run.name} as a line${run.maxMs === null ? '' : `, max ${formatMs(run.maxMs)}`}`,
  ]
  return parts.filter((part) => part !== null).join(', ')
}

function tableOf(
  quantiles: readonly number[],
  groups: readonly FanGroup[],
  run: FanInput['run'],
  unit: ColumnUnit,
): PlotTable {
  const shown = (tool: Tool | undefined, ms: number | null = null) =>
    (tool === undefined || ms === null ? '' : boundSign(tool, ms)) + formatInColumn(ms, 'ms', unit)
  const spread = (runs: readonly FanRun[], read: (one: FanRun) => number | null) => {
    const sorted = runs.flatMap((one) => read(one) ?? []).sort((a, b) => a - b)
    const tool = runs[0]?.tool
    if (sorted.length === 0) return [shown(tool), shown(tool), shown(tool)]
    return [shown(tool, sorted[0]), shown(tool, quantileOf(sorted, 0.5)), shown(tool, sorted.at(-1))]
  }
  const isSingle = groups.length === 1
  const filled = groups.filter(({ runs }) => runs.length > 0)
  const head = [
    'Percentile',
    ...(run === null ? [] : [`${run.name} (${unit.label})`]),
    ...filled.flatMap(({ name, runs }) => {
      const of = isSingle ? plural(runs.length, 'run') : name
      return [`min of ${of}`, `median of ${of}`, `max of ${of}`]
    }),
  ]
  const row = (name: string, read: (one: FanRun) => number | null) => [
    name,
    ...(run === null ? [] : [shown(run.tool, read(run))]),
    ...filled.flatMap(({ runs }) => spread(runs, read)),
  ]
  return {
    head,
    rows: [...quantiles.map((q) => row(quantileName(q), (one) => msAt(one, q))), row('max', ({ maxMs }) => maxMs)],
  }
}
