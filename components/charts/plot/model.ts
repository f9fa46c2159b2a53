import { plural } from '../../../lib/format'
import type { Marker, ScaleKind, SeriesStyle } from './scale'

/** A mark of an axis. */
export interface Tick {
  readonly at: number
  readonly label: string
  /** Shown after the label if there is room. */
  readonly sign?: string
  /** A second line; absent or null: none. */
  readonly below?: string | null
  /** Words that would leave the drawing begin or end at the tick; absent: they are centred on it. */
  readonly anchor?: 'start' | 'end' | undefined
  /** Left out if there is little room. */
  readonly isSpare?: boolean | undefined
}

export interface Axis {
  readonly scale: ScaleKind
  readonly domain: readonly [number, number]
  readonly ticks: readonly Tick[]
  /** Linear, and does not start at 0: two strokes say so. */
  readonly isBroken?: boolean
}

/** The name and look of a run, side or measure in all of its marks. */
export interface Series {
  readonly id: string
  readonly name: string
  readonly style: SeriesStyle
  /** Its name at the cursor; absent: its name. */
  readonly readAs?: string
  /** The side that it repeats a run of, and how many runs that has; absent: it repeats none. */
  readonly side?: { readonly name: string; readonly size: number } | undefined
  /** Why its line ends where it does; absent or null: no note. */
  readonly note?: string | null
}

/** Common to all marks: its series, by position in `Plot.series`. */
interface OfSeries {
  readonly series: number
}

/** A line through values; null is a gap. */
export interface LineMark extends OfSeries {
  readonly kind: 'line'
  /** Rising positions in `Plot.places`. */
  readonly at: readonly number[]
  /** In the units of the y axis, as long as `at`. */
  readonly y: readonly (number | null)[]
  /** In px. */
  readonly width: number
  /** Holds until the next value. */
  readonly isStepped?: boolean
  /** Only a shadow of the lines that were isolated: the axis is not fitted to it, and the cursor does not read it. */
  readonly isShadow?: boolean
  /** From this value on, the line fades: too few requests are slower. Absent: it is solid. */
  readonly fadedFrom?: number
  /** Ends and joints are round, so that a lone value appears as a dot. */
  readonly isRound?: boolean
  /**
   * What the cursor reads between two values: nothing; the value before it; or that, and after a last one that is 1 (a
   * share of everything).
   */
  readonly reads: 'exact' | 'before' | 'share'
  /** Texts that the cursor shows in place of the values. */
  readonly texts?: readonly string[]
  /** Shown beside it; empty: nothing. */
  readonly notes?: readonly string[]
  /** What each value links to; empty: nothing. */
  readonly hrefs?: readonly string[]
}

/** Markers on some values of a line. */
export interface DotsMark extends OfSeries {
  readonly kind: 'dots'
  /** The line, by its position in the marks of the panel. */
  readonly of: number
  /** Indices of its values. */
  readonly which: readonly number[]
  /** Fewer than 10 requests are slower. */
  readonly isHollow: boolean
  /** 1 is the default. */
  readonly size: number
  /** Absent: that of the series. */
  readonly marker?: Marker
}

/** An area between two lines, in units of both axes. */
export interface BandMark extends OfSeries {
  readonly kind: 'band'
  readonly x: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
  readonly opacity: number
}

/** Upright lines from min to max, in units of both axes. */
export interface SpansMark extends OfSeries {
  readonly kind: 'spans'
  readonly x: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
}

/** Bars on the axis. */
export interface BarsMark extends OfSeries {
  readonly kind: 'bars'
  /** Rising. */
  readonly from: readonly number[]
  /** Null: where the next bar begins. */
  readonly to: readonly (number | null)[]
  readonly y: readonly number[]
  /** What the cursor reads, if it is not the height. */
  readonly counts?: readonly number[]
  /** `none`: only read. */
  readonly look: 'bars' | 'outline' | 'none'
  readonly width: number
  readonly opacity: number
}

/** A map of cells: rows from bottom to top, columns of one width from the left of the axis. */
export interface CellsMark extends OfSeries {
  readonly kind: 'cells'
  readonly columnWidth: number
  readonly rows: readonly (readonly number[])[]
}

/** Horizontal bars, one below the other, each under its words, and a mark across each where the axis reaches `full`. */
export interface RowsMark extends OfSeries {
  readonly kind: 'rows'
  readonly words: readonly string[]
  readonly ends: readonly number[]
  readonly full: number
}

/** A range of values, as an upright bar of a few px; what is off the scale ends at its edge. */
export interface RangeMark extends OfSeries {
  readonly kind: 'range'
  readonly x: number
  readonly low: number
  readonly high: number
  /** Width and how far right of `x` its middle is, px. */
  readonly width: number
  readonly dx: number
  readonly opacity: number
}

/** One value in the column of the max: a hollow mark, and the text beside it. */
export interface PeakMark extends OfSeries {
  readonly kind: 'peak'
  /** Absent: a ring. */
  readonly marker?: Marker
  readonly x: number
  readonly y: number
  readonly text: string
}

/** Words right of a place; those of a panel are moved apart if they would cover each other. */
export interface LabelMark extends OfSeries {
  readonly kind: 'label'
  readonly x: number
  readonly y: number
  readonly text: string
  /** Shown after it if there is room; empty: nothing. */
  readonly more: string
}

export type Mark =
  LineMark | DotsMark | BandMark | SpansMark | BarsMark | CellsMark | RowsMark | RangeMark | PeakMark | LabelMark

/** A line through the whole panel: across at a y (limit, zero), upright at an x (all others). */
export interface Rule {
  /**
   * limit: of latencies; change: of a level; faint: what is not certain enough to be one; label: of a run's label;
   * event: a deploy and the like;
   * moved: a stretch in which the environment was another.
   */
  readonly kind: 'limit' | 'zero' | 'change' | 'faint' | 'label' | 'event' | 'moved'
  readonly at: number
  /** Where the stretch ends; absent: it is a line. */
  readonly until?: number
  /** Empty: no room for words. */
  readonly label: string
  /** For screen readers and on hover. */
  readonly title: string
  /** Its series, for screen readers; absent: of all. */
  readonly of?: string
  /** Where it holds, of the places that it crosses; absent: everywhere. */
  readonly bar?: number | undefined
  /** Where its words are; absent: in the middle. */
  readonly anchor?: 'start' | 'end' | undefined
  readonly verdict?: 'better' | 'worse' | 'changed'
  /** Link to what shows it; absent or null: none. */
  readonly href?: string | null
}

/** A named latency that the lines are held against. */
export interface Limit {
  readonly ms: number
  readonly label: string
  /** Where on the x axis it holds; absent: everywhere. */
  readonly x?: number
}

/** What a panel is fitted to besides its lines, and the unit of its ticks. */
export interface Fit {
  readonly factor: number
  /** Beside the topmost tick; empty: the title names it. */
  readonly unit: string
  readonly limits: readonly Limit[]
}

/** The column of the max, right of the lines. */
export interface MaxColumn {
  /** Null: every max fits on the scale of the lines. */
  readonly own: Axis | null
}

/** Where the column of the max begins, and where its marks are: shares of the width. */
export const maxColumn = { from: 0.955, at: 0.985 } as const

/** The parts of a panel that depend on its scale. */
export interface Scaled {
  readonly y: Axis
  readonly rules?: readonly Rule[]
  /** Absent or null: none. */
  readonly column?: MaxColumn | null
}

/** One of several drawings on one x axis. */
export interface Panel extends Scaled {
  /** Absent: the plot's title is enough. */
  readonly title?: string
  /** Read out by screen readers for the drawing; absent: the title of the plot, and the names of its series. */
  readonly label?: string
  readonly marks: readonly Mark[]
  /** How the cursor words its values. */
  readonly says: Saying
  /** Shown before them. */
  readonly prefix?: string
  readonly frame: keyof typeof frames
  /** The series whose cell it is in; absent: panels are stacked. */
  readonly cell?: number
  /** The same on a logarithmic axis; absent or null: one scale only. */
  readonly onLog?: Scaled | null
  /** Fitted again whenever other lines are shown; absent: fixed. */
  readonly fit?: Fit
  /** Drawn only as far as both axes reach. */
  readonly isCut?: boolean
}

/** The wording of a number; data, so that a plot can be sent. */
export type Saying = 'ms' | 'shift' | 'percent' | 'count' | 'requests' | 'perSecond'

/** How the cursor words its position. */
export type Heading =
  | { readonly kind: 'latency' | 'share' | 'bar' }
  | { readonly kind: 'quantile' }
  /**
   * Time since the start; null: the start is unknown. Bins that begin before `warmUpUntilMs` are of the warm-up;
   * absent:
   * none is.
   */
  | {
      readonly kind: 'elapsed'
      readonly binMs: number
      readonly startedAt: string | null
      readonly warmUpUntilMs?: number | undefined
    }
  /** One per place, ms since 1970. */
  | { readonly kind: 'times'; readonly times: readonly number[] }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }

/**
 * Everything that a chart shows, decided by its prepare function; renderers only render it. Contains only numbers and
 * texts.
 */
export interface Plot {
  /** Its anchor on the page, and the name of its table in the address. */
  readonly id: string
  readonly title: string
  readonly x: Axis
  readonly series: readonly Series[]
  readonly panels: readonly Panel[]
  /** Positions of the cursor, rising; empty: at the bars. */
  readonly places: readonly number[]
  /** Null: there is nothing to read. */
  readonly heading: Heading | null
  /** Plots of a page with the same link share their cursor; absent: it has its own. */
  readonly link?: string
  /** The largest value is read first. */
  readonly isSorted?: boolean
  /** Whether the legend shows markers; absent: no legend. */
  readonly legend?: 'lines' | 'markers'
  /** Shown below the legend of several series; absent or null: nothing. */
  readonly footnote?: string | null
  /** Shown below; absent or null: nothing. */
  readonly note?: string | null
  /** Recharts takes over once it is loaded. */
  readonly isRich?: boolean
  /** Of two scales, the logarithmic one is shown first. */
  readonly isLogFirst?: boolean
  /** So far down a page that it is only laid out when it comes near. */
  readonly isLate?: boolean
}

/** Figures behind a plot, as texts. */
export interface PlotTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A plot with its figures, which are made when they are shown. */
export interface Prepared<One extends Plot = Plot> {
  readonly plot: One
  table(): PlotTable
}

/** A map of cells over which a box can be drawn: it takes whole cells. */
export interface BoxChoice {
  /** The address that the bounds of a box are appended to. */
  readonly base: string
  /** Lower latency of each row of cells, ms, from the bottom. */
  readonly lowerMs: readonly number[]
  /** The box that is shown, as a style's `inset`; null: none is. */
  readonly shown: string | null
}

/** Boxes of drawings, in px: the same for all renderers, so that nothing shifts. `tick`: from the axis to its words. */
export const frames = {
  large: { left: 56, right: 44, top: 24, bottom: 44, height: 244, tick: 18 },
  trend: { left: 56, right: 34, top: 24, bottom: 28, height: 248, tick: 16 },
  small: { left: 56, right: 34, top: 14, bottom: 20, height: 98, tick: 16 },
  /** Below a trend, with its margins: the whole history. */
  map: { left: 56, right: 34, top: 2, bottom: 2, height: 34, tick: 16 },
  middle: { left: 56, right: 34, top: 10, bottom: 26, height: 160, tick: 18 },
  low: { left: 56, right: 34, top: 10, bottom: 26, height: 96, tick: 18 },
  /** Below the percentile plot, with its margins. */
  shift: { left: 56, right: 44, top: 24, bottom: 44, height: 84, tick: 18 },
  fan: { left: 46, right: 44, top: 28, bottom: 40, height: 264, tick: 17 },
  /** The fan of a page of its own. */
  wideFan: { left: 46, right: 44, top: 28, bottom: 40, height: 322, tick: 17 },
  cell: { left: 56, right: 12, top: 10, bottom: 26, height: 88, tick: 18 },
  /** Higher by each row. */
  rows: { left: 8, right: 20, top: 8, bottom: 28, height: 0, tick: 18 },
} as const

const rowPx = 44

/** Height of the area between the axes, px. */
export const heightOf = ({ frame, marks }: Panel): number =>
  frames[frame].height + rowPx * (marks.find((mark) => mark.kind === 'rows')?.words.length ?? 0)

/** The plot on its other scale; unchanged if it has none. */
export function onLogScale(plot: Plot): Plot {
  return { ...plot, panels: plot.panels.map((panel) => ({ ...panel, ...panel.onLog })) }
}

/** The end of each bar. */
export const barEnds = ({ from, to }: BarsMark): readonly number[] =>
  to.map((end, at) => end ?? from[at + 1] ?? Number.NaN)

/** The names of a plot for screen readers. */
export const labelOf = ({ title, series }: Pick<Plot, 'title' | 'series'>): string =>
  `${title}: ${series.map((one) => one.name).join(', ')}`

/** A name in a legend. */
export interface LegendEntry extends Series {
  /** The series that it represents. */
  readonly ids: readonly string[]
}

/** One entry for the repeats of a side: they share a line style. */
export function legendEntries(series: readonly Series[]): readonly LegendEntry[] {
  return series.flatMap((one) => {
    const { side, style } = one
    if (!side) return [{ ...one, ids: [one.id] }]
    const own = series.filter((other) => other.side?.name === side.name && other.style.color === style.color)
    const ids = own.map(({ id }) => id)
    return own[0] === one ? [{ ...one, name: `${side.name} (${plural(side.size, 'run')})`, ids }] : []
  })
}

/** Opacity of a series drawn as an area; null: it is a line. */
export function bandOpacityOf({ series, panels }: Pick<Plot, 'series' | 'panels'>, id: string): number | null {
  const place = series.findIndex((one) => one.id === id)
  const marks = panels.flatMap((panel) => panel.marks.filter((mark) => mark.series === place))
  const [band] = marks.flatMap((mark) => (mark.kind === 'band' ? [mark.opacity] : []))
  return band === undefined || marks.some(({ kind }) => kind === 'line') ? null : band
}
