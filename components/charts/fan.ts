import { columnUnit, formatInColumn, formatMs, plural, type ColumnUnit } from '../../lib/format'
import type { JudgedState } from '../../lib/run/judged-states'
import { percentiles, type RunFigures } from '../../lib/run/metrics'
import { samplesOf, type SampledRun } from '../../lib/stats/sampled-run'
import { areFew, withFew } from '../../lib/stats/few-samples'
import { namedLimits, type MetricLimit } from '../../lib/run/limits'
import { boundSign, type Tool } from '../../lib/run/tools'
import { quantileName, quantileToX } from '../../lib/stats/quantile'
import { overPercentiles } from './axes/percentile-limits'
import { fitted } from './plot/fit'
import { unfitted } from './plot/latency-axis'
import { ofLayers, type Layer, type LayerMark } from './layers'
import { maxColumn, type Axis, type Limit, type Plot, type PlotTable, type Prepared, type Series } from './plot/model'
import { rankOf, seriesStyle, short } from './plot/scale'
import { stateStyle, type StateStyle } from './plot/state-style'

/** A run in the form that a fan takes: percentiles as the tool printed them. */
export interface FanRun {
  readonly id: string
  /** The tool whose timeout may have cut them. */
  readonly tool: Tool
  /** 0 ≤ q < 1, in any order. */
  readonly quantiles: readonly { readonly q: number; readonly ms: number }[]
  readonly maxMs: number | null
  /** Those behind its percentiles: with fewer than 10 of them above, one is hollow and lines fade; null: unknown. */
  readonly requests: number | null
}

/** A run's figures in the form that a fan takes. */
export function fanRunOf(run: Pick<FanRun, 'id' | 'tool'> & SampledRun & { readonly figures: RunFigures }): FanRun {
  const { id, tool, figures } = run
  const quantiles = percentiles.flatMap(({ q, key }) => {
    const ms = figures[key]
    return ms === null ? [] : [{ q, ms }]
  })
  return { id, tool, quantiles, maxMs: figures.maxMs, requests: samplesOf(run) }
}

/** Runs of one level. */
export interface FanGroup {
  /** Name of its median: `median`, `before`, `since 8de2d48`. */
  readonly name: string
  readonly runs: readonly FanRun[]
  /** What is expected of them, drawn instead of runs that the reader may not see; absent: `runs` are drawn. */
  readonly expected?: readonly ExpectedPoint[]
}

/** Level and expected range of a percentile. */
export interface ExpectedPoint {
  readonly q: number
  readonly low: number
  readonly level: number
  readonly high: number
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
  /** What percentiles are held against, besides timeouts; absent: nothing. */
  readonly limits?: readonly MetricLimit[]
  /** Lines are named at their ends: the drawing has a page's width. Absent: numbers only. */
  readonly isWide?: boolean
}

/** With fewer runs there is no band: each is a hairline. */
const minFanRuns = 5
/** From the last percentile to the right edge, share of the width: labels, and the column of the max. */
const marginShare = { narrow: 0.2, wide: 0.26 }
/** Neighbours with fewer decades between them would cover each other's names. */
const maxDecadesOfMinors = 2.3

const history = {
  all: { color: 'var(--band)', dash: '', marker: 'square' },
  half: { color: 'var(--band-2)', dash: '', marker: 'square' },
  median: { color: 'var(--median)', dash: '4 3', marker: 'circle' },
  each: { color: 'var(--median)', dash: '', marker: 'circle' },
} as const

/**
 * Prepares a fan: past runs as bands at the percentiles that they printed, the run as a line on them, the max apart.
 * Null when there is no percentile to show.
 */
export function prepareFan({
  id,
  title,
  past,
  since = null,
  run,
  state,
  limits = [],
  isWide = false,
}: FanInput): Prepared | null {
  const groups = since === null ? [past] : [past, since]
  const all = [...groups.flatMap(({ runs }) => runs), ...(run === null ? [] : [run])]
  const quantiles = shownQuantiles(all, run)
  if (quantiles.length === 0) return null
  const values = all.flatMap((one) => pointsOf(one, quantiles).map(({ ms }) => ms))
  const frame = { ...frameOf(quantiles, values, isWide), limits: limitsOver(all, quantiles, limits) }
  const behind = groups.flatMap((group, at) =>
    groupLayers(frame, group, { state: at === 0 ? null : state, isBehind: run !== null }),
  )
  const layers = run === null ? behind : [...behind, ...runLayers(frame, run, stateStyle(state))]
  return {
    plot: plotOf(frame, { id, title, words: wordsOf(past, since, run), legend: 'lines' }, layers),
    table: () => tableOf(quantiles, groups, run, frame.unit),
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
  const printed = runs.flatMap((one) => pointsOf(one, quantiles).map(({ ms }) => ms))
  const frame = { ...frameOf(quantiles, printed, false), limits: limitsOver(runs, quantiles, []) }
  const layers = runs.flatMap((run) =>
    runLayers(frame, run, { ...seriesStyle(run.styleIndex), isHollow: false }, { hasShape: false }),
  )
  const words = runs.map(({ name }) => name).join(', ')
  const groups = runs.map(({ name, ...run }) => ({ name, runs: [run] }))
  return {
    plot: plotOf(frame, { id, title, words, legend: 'markers', isLogFirst: areFarApart(runs, quantiles) }, layers),
    table: () => tableOf(quantiles, groups, null, frame.unit),
  }
}

interface FanWords extends Pick<Plot, 'id' | 'title' | 'legend' | 'isLogFirst'> {
  /** What is drawn, for screen readers. */
  readonly words: string
}

function plotOf(
  { x, places, unit, isWide, limits }: Frame & { readonly limits: readonly Limit[] },
  { id, title, words, ...choices }: FanWords,
  layers: readonly Layer[],
): Plot {
  const { series, marks } = ofLayers(layers)
  return {
    id,
    title: `${title} (${unit.label})`,
    x,
    series,
    panels: [
      fitted({
        label: `${title}: ${words}`,
        marks,
        says: 'ms',
        frame: isWide ? 'wideFan' : 'fan',
        y: unfitted,
        fit: { factor: unit.factor, unit: unit.label, limits },
      }),
    ],
    places,
    heading: { kind: 'quantile' },
    link: 'quantile',
    isSorted: true,
    ...choices,
  }
}

/** Limits of percentiles that the axis has, and the timeouts that cut any of the runs. */
function limitsOver(
  runs: readonly FanRun[],
  quantiles: readonly number[],
  limits: readonly MetricLimit[],
): readonly Limit[] {
  const last = quantileToX(quantiles.at(-1) ?? 0)
  const drawn = runs.flatMap((run) => pointsOf(run, quantiles).map(({ ms }) => ({ tool: run.tool, ms })))
  return namedLimits(limits, drawn)
    .flatMap(overPercentiles)
    .filter(({ x = 0 }) => x <= last * (1 + 1e-9))
}

/** Lines whose ends are farther apart than this need a logarithmic axis to be seen. */
const maxApart = 25

function areFarApart(runs: readonly FanRun[], quantiles: readonly number[]): boolean {
  const ends = runs.flatMap((run) => pointsOf(run, quantiles).at(-1)?.ms ?? []).filter((ms) => ms > 0)
  return Math.max(...ends) / Math.min(...ends) > maxApart
}

/** What all marks of a fan share. */
interface Frame {
  /** Those on the axis, rising. */
  readonly quantiles: readonly number[]
  readonly x: Axis
  readonly places: readonly number[]
  readonly placeOf: (x: number) => number
  /** The column of the max. */
  readonly maxX: number
  readonly unit: ColumnUnit
  readonly isWide: boolean
}

function frameOf(quantiles: readonly number[], values: readonly number[], isWide: boolean): Frame {
  const unit = columnUnit('ms', [Math.max(...values)])
  const { axis: x, maxX } = fanAxis(quantiles, isWide ? 'wide' : 'narrow')
  return { quantiles, x, maxX, ...rankOf(quantiles.map(quantileToX)), unit, isWide }
}

interface Point {
  readonly q: number
  readonly ms: number
}

/** The percentiles of a run that are on the axis. */
function pointsOf(run: Pick<FanRun, 'quantiles'>, quantiles: readonly number[]): readonly Point[] {
  return quantiles.flatMap((q) => {
    const ms = msAt(run, q)
    return ms === null ? [] : [{ q, ms }]
  })
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
  const at = (share: number) => short(from * 10 ** (decades * share))
  const isCrowded = decades * (1 - marginShare[width]) > maxDecadesOfMinors
  const named = quantiles.filter((q) => !isCrowded || isRound(q) || q === quantiles.at(-1))
  const ticks = named.map((q) => ({
    at: quantileToX(q),
    label: quantileName(q),
    below: q > 0.5 && isRound(q) ? `1 in ${Math.round(quantileToX(q))}` : null,
  }))
  const maxX = at(maxColumn.at)
  return { axis: { scale: 'log', domain: [from, at(1)], ticks: [...ticks, { at: maxX, label: 'max' }] }, maxX }
}

/** The median, and each further nine. */
function isRound(q: number): boolean {
  const nines = Math.log10(quantileToX(q))
  return q === 0.5 || Math.abs(nines - Math.round(nines)) < 1e-6
}

/** How a group is drawn. `state` null: it is history, and grey; `isBehind`: a run leads. */
interface Look {
  readonly state: JudgedState | null
  readonly isBehind: boolean
}

const colored = (style: Series['style'], { state }: Look): Series['style'] =>
  state === null ? style : { ...style, color: stateStyle(state).color }

/** Bands and median of a group, or a hairline per run. */
function groupLayers(frame: Frame, group: FanGroup, look: Look): readonly Layer[] {
  if (group.expected !== undefined) return expectedBand(frame, group.name, group.expected, look)
  if (group.runs.length === 0) return []
  return group.runs.length < minFanRuns ? [hairlines(frame, group, look)] : bands(frame, group, look)
}

/** An expected range as a band, and the level in it. */
function expectedBand(frame: Frame, name: string, expected: readonly ExpectedPoint[], look: Look): readonly Layer[] {
  const shown = expected.filter(({ q }) => frame.quantiles.includes(q)).sort((a, b) => a.q - b.q)
  if (shown.length === 0) return []
  const isPast = look.state === null
  const id = isPast ? 'past' : 'since'
  const level = shown.map(({ q, level: ms }) => ({ q, ms }))
  const band: LayerMark = {
    kind: 'band',
    x: shown.map(({ q }) => quantileToX(q)),
    low: shown.map(({ low }) => low),
    high: shown.map(({ high }) => high),
    opacity: isPast ? 1 : 0.18,
  }
  return [
    { series: { id: `${id}-all`, name: `expected ${name}`.trim(), style: colored(history.all, look) }, marks: [band] },
    {
      series: { id, name: `level ${name}`.trim(), style: colored(history.median, look) },
      marks: [
        lineThrough(frame, level, [], 1.5),
        ...level.slice(-1).map((end) => labelOf(frame, end, undefined, name)),
      ],
    },
  ]
}

function hairlines(frame: Frame, { name, runs }: FanGroup, look: Look): Layer {
  const { quantiles } = frame
  const isPast = look.state === null
  const width = isPast || look.isBehind ? 1 : 1.5
  const q = quantiles.at(-1) ?? 0
  const ends = sorted(runs, (run) => msAt(run, q))
  return {
    series: {
      id: isPast ? 'past' : 'since',
      name: isPast ? plural(runs.length, 'earlier run') : `${plural(runs.length, 'run')} ${name}`,
      style: colored(history.each, look),
    },
    marks: [
      ...runs.map((run) => lineThrough(frame, pointsOf(run, quantiles), [run], width)),
      // If no run leads, the lines of a group are named together.
      ...(isPast || look.isBehind || ends.length === 0
        ? []
        : [labelOf(frame, { q, ms: quantileOf(ends, 0.5) }, runs[0]?.tool, name)]),
    ],
  }
}

/** The range of all runs with that of their max, the middle half, and the median. */
function bands(frame: Frame, { name, runs }: FanGroup, look: Look): readonly Layer[] {
  const isPast = look.state === null
  const id = isPast ? 'past' : 'since'
  const words = isPast ? '' : ` ${name}`
  const spread = frame.quantiles.flatMap((q) => {
    const known = sorted(runs, (run) => msAt(run, q))
    return known.length < minFanRuns ? [] : [{ q, known }]
  })
  const band = (low: number, high: number, opacity: number): LayerMark => ({
    kind: 'band',
    x: spread.map(({ q }) => quantileToX(q)),
    low: spread.map(({ known }) => quantileOf(known, low)),
    high: spread.map(({ known }) => quantileOf(known, high)),
    opacity,
  })
  const median = spread.map(({ q, known }) => ({ q, ms: quantileOf(known, 0.5) }))
  const end = median.at(-1)
  const leads = !isPast && !look.isBehind
  return [
    {
      series: { id: `${id}-all`, name: `all ${plural(runs.length, 'run')}${words}`, style: colored(history.all, look) },
      marks: [band(0, 1, isPast ? 1 : 0.14), ...maxRange(frame, runs, isPast)],
    },
    {
      series: { id: `${id}-half`, name: `middle half${words}`, style: colored(history.half, look) },
      marks: [band(0.25, 0.75, isPast ? 1 : 0.2)],
    },
    {
      series: { id, name, style: leads ? stateStyle(look.state) : colored(history.median, look) },
      marks: [
        lineThrough(frame, median, runs, leads ? 2.5 : 1.5),
        ...(end === undefined ? [] : [labelOf(frame, end, runs[0]?.tool, name)]),
      ],
    },
  ]
}

/** The range of the max of runs, in its column: history in the middle, a later group beside it. */
function maxRange({ maxX }: Frame, runs: readonly FanRun[], isPast: boolean): readonly LayerMark[] {
  const maxima = sorted(runs, ({ maxMs }) => maxMs)
  const [low, high] = [maxima[0], maxima.at(-1)]
  if (low === undefined || high === undefined || maxima.length < minFanRuns) return []
  const look = isPast ? { width: 12, dx: 0, opacity: 1 } : { width: 8, dx: 8, opacity: 0.25 }
  return [{ kind: 'range', x: maxX, low, high, ...look }]
}

/** A run as a line; none if it has no percentile. */
function runLayers(
  frame: Frame,
  run: FanRun & { readonly name: string },
  { isHollow: isEndHollow, ...style }: StateStyle,
  { hasShape } = { hasShape: true },
): readonly Layer[] {
  const points = pointsOf(run, frame.quantiles)
  const end = points.at(-1)
  if (end === undefined) return []
  const dots = points.map((point, at): LayerMark => {
    const isEnd = point === end
    return {
      kind: 'dots',
      of: 0,
      which: [at],
      isHollow: isSparse([run], point.q) || (isEnd && isEndHollow),
      size: isEnd || !hasShape ? 1 : 0.65,
      // Joints are dots; the end has the shape of the state.
      ...(isEnd || !hasShape ? {} : { marker: 'circle' }),
    }
  })
  const { maxMs, tool, id, name } = run
  const text = msText(tool, maxMs, frame.unit)
  return [
    {
      series: { id, name, style },
      marks: [
        lineThrough(frame, points, [run], 2.5),
        ...dots,
        labelOf(frame, end, tool, name),
        ...(maxMs === null
          ? []
          : [{ kind: 'peak', x: frame.maxX, y: maxMs, text, ...(hasShape ? {} : { marker: style.marker }) } as const]),
      ],
    },
  ]
}

/** Whether few requests are beyond a percentile, in most of the runs that have it. */
function isSparse(runs: readonly FanRun[], q: number): boolean {
  return areFew(
    q,
    runs.flatMap((run) => (msAt(run, q) === null ? [] : [run.requests])),
  )
}

/** A line through points of these runs, faded from the first one on that is sparse. */
function lineThrough({ placeOf }: Frame, points: readonly Point[], runs: readonly FanRun[], width: number): LayerMark {
  const first = points.findIndex(({ q }) => isSparse(runs, q))
  return {
    kind: 'line',
    at: points.map(({ q }) => placeOf(quantileToX(q))),
    y: points.map(({ ms }) => ms),
    width,
    reads: 'exact',
    ...(first >= 0 && { fadedFrom: first }),
  }
}

function labelOf({ unit, isWide }: Frame, { q, ms }: Point, tool: Tool | undefined, name: string): LayerMark {
  return { kind: 'label', x: quantileToX(q), y: ms, text: msText(tool, ms, unit), more: isWide ? name : '' }
}

/** `≥ 30.0` if the tool's timeout cut it. */
const msText = (tool: Tool | undefined, ms: number | null, unit: ColumnUnit): string =>
  (tool === undefined || ms === null ? '' : boundSign(tool, ms)) + formatInColumn(ms, 'ms', unit)

/** The known values, rising. */
const sorted = (runs: readonly FanRun[], read: (run: FanRun) => number | null): readonly number[] =>
  runs.flatMap((run) => read(run) ?? []).sort((a, b) => a - b)

/** Linear between values. */
function quantileOf(rising: readonly number[], share: number): number {
  const at = share * (rising.length - 1)
  const [low, high] = [rising[Math.floor(at)] ?? Number.NaN, rising[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}

function wordsOf(past: FanGroup, since: FanGroup | null, run: FanInput['run']): string {
  const parts = [
    past.expected !== undefined
      ? `what was expected ${past.name} as a band`
      : past.runs.length === 0
        ? null
        : past.runs.length < minFanRuns
          ? `${plural(past.runs.length, 'earlier run')} as lines`
          : `${plural(past.runs.length, 'run')} ${since === null ? 'of this level' : past.name} as a band`,
    since === null
      ? null
      : `${since.expected === undefined ? plural(since.runs.length, 'run') : 'what is expected'} ${since.name} as a band`,
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
  const spread = ({ runs, expected }: FanGroup, q: number | null, read: (one: FanRun) => number | null) => {
    if (expected !== undefined) {
      const own = expected.find((one) => one.q === q)
      return [own?.low, own?.level, own?.high].map((ms) => msText(undefined, ms ?? null, unit))
    }
    const known = sorted(runs, read)
    const three = known.length === 0 ? [null, null, null] : [known[0], quantileOf(known, 0.5), known.at(-1)]
    return three.map((ms) => msText(runs[0]?.tool, ms ?? null, unit))
  }
  const isSingle = groups.length === 1
  const filled = groups.filter(({ runs, expected = [] }) => runs.length + expected.length > 0)
  const head = [
    'Percentile',
    ...(run === null ? [] : [`${run.name} (${unit.label})`]),
    ...filled.flatMap(({ name, runs, expected }) => {
      if (expected !== undefined)
        return ['expected from', 'level', 'expected to'].map((words) => `${words} ${name}`.trim())
      const of = isSingle ? plural(runs.length, 'run') : name
      return [`min of ${of}`, `median of ${of}`, `max of ${of}`]
    }),
  ]
  const row = (name: string, q: number | null, read: (one: FanRun) => number | null) => [
    name,
    ...(run === null ? [] : [msText(run.tool, read(run), unit)]),
    ...filled.flatMap((group) => spread(group, q, read)),
  ]
  const rows = [
    ...quantiles.map((q) => row(quantileName(q), q, (one) => msAt(one, q))),
    row('max', null, ({ maxMs }) => maxMs),
  ]
  const sets = [...(run === null ? [] : [{ name: run.name, runs: [run] }]), ...filled]
  return withFew(
    { head, rows },
    quantiles.map((q) =>
      sets.flatMap(({ name, runs }) => (isSparse(runs, q) ? name || plural(runs.length, 'run') : [])),
    ),
  )
}
