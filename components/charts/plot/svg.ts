import { element, joined, words, type Attributes, type Markup } from '../../ui/markup'
import {
  barEnds,
  frames,
  heightOf,
  maxColumn,
  type BandMark,
  type BarsMark,
  type CellsMark,
  type DotsMark,
  type LabelMark,
  type LineMark,
  type Panel,
  type PeakMark,
  type Plot,
  type RangeMark,
  type Rule,
  type RowsMark,
  type Tick,
} from './model'
import { place, type Marker } from './scale'

/** A place in the box: shares of its width from the left and of its height from the top. */
export type Place = readonly [right: number, down: number]

/** Roles of words and lines in a drawing, to which a theme gives colours and sizes. */
export type Role =
  | 'grid'
  | 'axis'
  | 'zero'
  | 'limit'
  | 'tick'
  | 'rarity'
  | 'limitLabel'
  | 'quiet'
  | 'event'
  | 'change'
  | 'faint'
  | 'moved'
  | 'endLabel'

export interface PlacedWords {
  readonly role: Role
  readonly at: Place
  readonly dx: number
  readonly dy: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly text: string
  /** Shown after it if there is room. */
  readonly sign?: string | undefined
  /** From how many px of the drawing's width on there is room for it: 400, 600 … 1200; absent: wherever it is wide. */
  readonly signFromPx?: number | undefined
  readonly isSpare?: boolean | undefined
  /** Absent: the role's. */
  readonly color?: string
}

/** Target of a drawing: how places, colours and words are written there. */
export interface Canvas {
  /** Shares of the box as lengths. */
  x(share: number): string
  y(share: number): string
  /** A path through places, for `stretched`. */
  path(places: readonly Place[]): string
  /** `isCut`: only as far as the box reaches. */
  stretched(inner: Markup, isCut?: boolean): Markup
  /** A share of the height, for `stretched`. */
  thickness(share: number): number
  /** Something drawn around 0, 0, at this place. */
  placed(at: Place, inner: Markup): Markup
  paint(role: Role, verdict?: Rule['verdict']): Attributes
  color(variable: string): string
  words(all: readonly PlacedWords[]): Markup
  /** Whether marks may be links. */
  readonly hasLinks: boolean
}

/** A path through these places; empty for none. Relative steps in whole units, or parts of them, so it is short. */
export function pathThrough(places: readonly Place[], unitsX: number, unitsY = unitsX, parts = 1): string {
  let path = ''
  let [atRight, atDown] = [0, 0]
  for (const [at, place] of places.entries()) {
    const [right, down] = [Math.round(place[0] * unitsX * parts), Math.round(place[1] * unitsY * parts)]
    const [dx, dy] = [(right - atRight) / parts, (down - atDown) / parts]
    const step = dy < 0 ? `${dx}${dy}` : `${dx} ${dy}`
    path += at === 0 ? `M${step}` : at === 1 ? `l${step}` : step.startsWith('-') ? step : ` ${step}`
    ;[atRight, atDown] = [right, down]
  }
  return path
}

/** Of lines that were not isolated. */
export const shadowOpacity = 0.3

/** How a series' line is drawn: the repeats of a side are thin, so that together they look like a band. */
export const strokeOf = (width: number, isRepeat: boolean) =>
  isRepeat ? { width: 1.25, opacity: 0.75 } : { width, opacity: 1 }

export const markerPaths: Readonly<Record<Marker, string>> = {
  circle: 'M-4 0a4 4 0 108 0a4 4 0 10-8 0z',
  square: 'M-3.5-3.5h7v7h-7z',
  diamond: 'M0-5L5 0L0 5L-5 0z',
  triangle: 'M0-5L4.5 4h-9z',
  down: 'M0 5L4.5-4h-9z',
  cross: 'M-4.4-3L-3-4.4L0-1.4L3-4.4L4.4-3L1.4 0L4.4 3L3 4.4L0 1.4L-3 4.4L-4.4 3L-1.4 0z',
}

/** Fill and edge of a marker. */
export const markerPaint = (color: string, isHollow: boolean) =>
  isHollow ? { fill: 'var(--bg)', stroke: color, width: 1.5 } : { fill: color, stroke: 'var(--bg)', width: 1 }

interface Drawing {
  readonly plot: Plot
  readonly panel: Panel
  readonly canvas: Canvas
  readonly x: (value: number) => number
  /** From the top. */
  readonly y: (value: number) => number
  /** The same of what is in the column of the max. */
  readonly yOfMax: (value: number) => number
}

function drawingOf(plot: Plot, panel: Panel, canvas: Canvas): Drawing {
  const y = (value: number) => 1 - place(value, panel.y.domain, panel.y.scale)
  const own = panel.column?.own ?? null
  const yOfMax = own === null ? y : (value: number) => 1 - place(value, own.domain, own.scale)
  return { plot, panel, canvas, x: (value) => place(value, plot.x.domain, plot.x.scale), y, yOfMax }
}

/** What Recharts cannot draw: words at the ends of lines, and the column of the max. */
export function drawEnds(plot: Plot, panel: Panel, canvas: Canvas): Markup {
  const drawing = drawingOf(plot, panel, canvas)
  return joined(columnOf(drawing), limitBars(drawing), brokenAxis(drawing), ...maximaOf(drawing), endLabels(drawing))
}

/** One panel of a plot as SVG elements between its axes. */
export function drawPanel(plot: Plot, panel: Panel, canvas: Canvas): Markup {
  const drawing = drawingOf(plot, panel, canvas)
  const under = (panel.rules ?? []).filter(({ kind }) => kind === 'zero')
  const over = (panel.rules ?? []).filter(({ kind }) => kind !== 'zero')
  const paths = panel.marks.map((mark) => pathOf(mark, drawing))
  const quiet = panel.frame === 'small' ? quietTicks(over, drawing) : joined()
  const isEmpty = [...paths, quiet].every((part) => String(part) === '')
  return joined(
    gridOf(drawing),
    columnOf(drawing),
    ...under.map((rule) => across(rule, drawing)),
    ...panel.marks.map((mark) => (mark.kind === 'bars' && mark.look === 'bars' ? barsOf(mark, drawing) : joined())),
    isEmpty ? joined() : canvas.stretched(joined(quiet, ...paths), panel.isCut === true),
    under.length > 0
      ? joined()
      : element('line', { ...wide(canvas), y1: canvas.y(1), y2: canvas.y(1), ...canvas.paint('axis') }),
    ...panel.marks.map((mark, at) =>
      mark.kind === 'dots'
        ? dotsOf(mark, `${plot.id}-${at}`, drawing)
        : mark.kind === 'rows'
          ? rowsOf(mark, drawing)
          : joined(),
    ),
    ...over.map((rule) => (rule.kind === 'limit' ? across(rule, drawing) : joined())),
    limitBars(drawing),
    brokenAxis(drawing),
    ...maximaOf(drawing),
    endLabels(drawing),
    ...over.map((rule, at) => (rule.kind === 'limit' ? joined() : upright(rule, at, drawing))),
  )
}

const wide = (canvas: Canvas): Attributes => ({ x1: canvas.x(0), x2: canvas.x(1) })

/** Lines and words of both axes. */
function gridOf({ plot, panel, canvas, x, y }: Drawing): Markup {
  const { tick } = frames[panel.frame]
  const isRows = panel.frame === 'rows'
  const hasUprights = isRows || panel.frame === 'fan' || plot.x.ticks.some(({ sign }) => sign !== undefined)
  const lines = [
    ...panel.y.ticks.map(({ at }) => element('line', { ...wide(canvas), y1: canvas.y(y(at)), y2: canvas.y(y(at)) })),
    ...(hasUprights ? plot.x.ticks : []).map(({ at }) =>
      element('line', { x1: canvas.x(x(at)), x2: canvas.x(x(at)), y1: canvas.y(0), y2: canvas.y(1) }),
    ),
  ]
  const below = (one: Tick, role: Role, dy: number, text: string): PlacedWords => {
    const { at, anchor = 'middle', sign, isSpare } = one
    return { role, at: [x(at), 1], dx: 0, dy, anchor, text, sign: role === 'tick' ? sign : undefined, isSpare }
  }
  return joined(
    element('g', canvas.paint('grid'), joined(...lines)),
    canvas.words([
      ...panel.y.ticks.map(({ at, label }): PlacedWords => ({
        role: 'tick',
        at: [0, y(at)],
        dx: -8,
        dy: 4,
        anchor: 'end',
        text: label,
      })),
      ...plot.x.ticks.map((one) => below(one, 'tick', tick, one.label)),
      ...plot.x.ticks.flatMap((one) => (one.below ? [below(one, 'rarity', tick + 16, one.below)] : [])),
    ]),
  )
}

/** The part of a mark that is a path in the stretched box. */
function pathOf(mark: Panel['marks'][number], drawing: Drawing): Markup {
  if (mark.kind === 'line') return lineOf(mark, drawing)
  if (mark.kind === 'band') return bandOf(mark, drawing)
  if (mark.kind === 'cells') return cellsOf(mark, drawing)
  if (mark.kind === 'bars' && mark.look === 'outline') return outlineOf(mark, drawing)
  if (mark.kind !== 'spans') return joined()
  const { x, y } = drawing
  const spans = mark.x.map((at, index): readonly Place[] => [
    [x(at), y(mark.high[index] ?? 0)],
    [x(at), y(mark.low[index] ?? 0)],
  ])
  return path(spans, { stroke: colorOf(mark, drawing), opacity: 0.5 }, drawing)
}

const colorOf = ({ series }: { readonly series: number }, { plot, canvas }: Drawing): string =>
  canvas.color(plot.series[series]?.style.color ?? '')

function path(parts: readonly (readonly Place[])[], attributes: Attributes, { canvas }: Drawing): Markup {
  const d = parts.map((part) => canvas.path(part)).join('')
  if (d === '') return joined()
  return element('path', { d, fill: 'none', 'vector-effect': 'non-scaling-stroke', ...attributes })
}

function lineOf(mark: LineMark, drawing: Drawing): Markup {
  const { plot, x } = drawing
  const series = plot.series[mark.series]
  const stroke = strokeOf(mark.width, !mark.isRound && series?.side !== undefined)
  const faded = mark.fadedFrom ?? mark.y.length
  const places = mark.y.map((value, index): Place | null => {
    const at = plot.places[mark.at[index] ?? -1]
    return value === null || at === undefined ? null : [x(at), yOfLine(value, drawing)]
  })
  const parts = stretchesOf(mark.isStepped ? stepped(places) : places.slice(0, faded))
  const isDotted = mark.isRound && parts.flat().length === 1
  const attributes = {
    stroke: colorOf(mark, drawing),
    'stroke-width': isDotted ? 6 : stroke.width,
    'stroke-opacity': mark.isShadow ? shadowOpacity : stroke.opacity === 1 ? undefined : stroke.opacity,
    'stroke-dasharray': isDotted ? '' : series?.style.dash,
    ...(mark.isRound && { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }),
  }
  // With round ends, a line of no length is a dot, otherwise nothing.
  const solid = parts.map((part) => (part.length === 1 && mark.isRound ? [...part, ...part] : part))
  const fading = faded < places.length ? stretchesOf(places.slice(Math.max(0, faded - 1))) : []
  return joined(path(solid, attributes, drawing), path(fading, { ...attributes, opacity: 0.4 }, drawing))
}

/** Beyond a box that is cut, a line goes on. */
const yOfLine = (value: number, { panel, y }: Drawing): number => {
  const [from, to] = panel.y.domain
  return panel.isCut === true && panel.y.scale === 'linear' ? 1 - (value - from) / (to - from) : y(value)
}

/** A step holds until the next place. */
const stepped = (places: readonly (Place | null)[]): readonly (Place | null)[] =>
  places.flatMap((to, index) => {
    const from = places[index - 1]
    return from && to ? [[to[0], from[1]] as const, to] : [to]
  })

/** Places without a gap between them. */
function stretchesOf(places: readonly (Place | null)[]): readonly (readonly Place[])[] {
  const parts: Place[][] = [[]]
  for (const one of places) {
    if (one === null) parts.push([])
    else parts.at(-1)?.push(one)
  }
  return parts.filter((part) => part.length > 0)
}

function bandOf(mark: BandMark, drawing: Drawing): Markup {
  if (mark.x.length < 2) return joined()
  const { x, y } = drawing
  const edge = (values: readonly number[]) => mark.x.map((at, index): Place => [x(at), y(values[index] ?? 0)])
  const d = drawing.canvas.path([...edge(mark.high), ...edge(mark.low).reverse()])
  return element('path', { d: `${d}z`, fill: colorOf(mark, drawing), opacity: mark.opacity })
}

function outlineOf(mark: BarsMark, drawing: Drawing): Markup {
  const { plot, x, y } = drawing
  const series = plot.series[mark.series]
  const stroke = strokeOf(mark.width, series?.side !== undefined)
  const ends = barEnds(mark)
  const steps = mark.from.flatMap((from, index): readonly Place[] => {
    const [end = from, down] = [ends[index], y(mark.y[index] ?? 0)]
    return end > from
      ? [
          [x(from), down],
          [x(end), down],
        ]
      : []
  })
  const [first, last] = [mark.from[0] ?? 0, ends.at(-1) ?? 0]
  const attributes = {
    fill: colorOf(mark, drawing),
    'fill-opacity': mark.opacity,
    stroke: colorOf(mark, drawing),
    'stroke-width': stroke.width,
    'stroke-opacity': stroke.opacity === 1 ? undefined : stroke.opacity,
    'stroke-dasharray': series?.style.dash,
  }
  return path([[[x(first), y(0)], ...steps, [x(last), y(0)]]], attributes, drawing)
}

const shades = 24

/** One path for all cells of a shade, so that a full map is small: horizontal lines, as thick as a row is high. */
function cellsOf(mark: CellsMark, drawing: Drawing): Markup {
  const { plot, canvas, x } = drawing
  const { rows, columnWidth } = mark
  const fullest = Math.max(0, ...rows.flat())
  const cells = new Map<number, Place[][]>()
  rows.forEach((row, fromBottom) =>
    row.forEach((count, column) => {
      if (count === 0) return
      // The square root of its share of the fullest, so that a lone slow request is still visible.
      const shade = Math.max(1, Math.round(Math.sqrt(count / fullest) * shades))
      const down = (rows.length - fromBottom - 0.5) / rows.length
      const [from, to] = plot.x.domain
      const line: Place[] = [column, column + 1].map((end) => [x(Math.min(to, from + end * columnWidth)), down])
      cells.set(shade, [...(cells.get(shade) ?? []), line])
    }),
  )
  const lines = [...cells].map(([shade, parts]) =>
    path(
      parts,
      { 'stroke-opacity': Number((0.08 + (0.92 * shade) / shades).toFixed(3)), 'vector-effect': '' },
      drawing,
    ),
  )
  const thickness = canvas.thickness(1 / rows.length)
  return element('g', { stroke: colorOf(mark, drawing), 'stroke-width': thickness }, joined(...lines))
}

function barsOf(mark: BarsMark, drawing: Drawing): Markup {
  const { canvas, x, y } = drawing
  const ends = barEnds(mark)
  const bars = mark.from.flatMap((from, index) => {
    const value = mark.y[index] ?? 0
    const [left, width] = [x(from), x(ends[index] ?? from) - x(from)]
    if (value === 0) return []
    const top = y(value)
    const box = {
      x: canvas.x(left),
      width: canvas.x(Math.max(width, 0.002)),
      y: canvas.y(top),
      height: canvas.y(1 - top),
    }
    return element('rect', { ...box, stroke: hasSeam(width) ? canvas.color('var(--bg)') : undefined })
  })
  return element('g', { fill: colorOf(mark, drawing), 'fill-opacity': mark.opacity }, joined(...bars))
}

/** A seam would eat up a narrow bar; the width is a share of the axis. */
export const hasSeam = (width: number): boolean => width > 0.008

/** From this many markers on, their shape is written once. */
const manyDots = 20

function dotsOf(mark: DotsMark, id: string, { plot, panel, canvas, x, y }: Drawing): Markup {
  const line = panel.marks[mark.of]
  const style = plot.series[mark.series]?.style
  if (line?.kind !== 'line' || !style || mark.which.length === 0) return joined()
  const { fill, stroke, width } = markerPaint(style.color, mark.isHollow)
  const shape = element('path', {
    d: markerPaths[mark.marker ?? style.marker],
    transform: mark.size === 1 ? undefined : `scale(${mark.size})`,
  })
  const isMany = mark.which.length > manyDots
  const dots = mark.which.flatMap((index) => {
    const [at, value] = [plot.places[line.at[index] ?? -1], line.y[index] ?? null]
    if (at === undefined || value === null) return []
    const where: Place = [x(at), y(value)]
    if (panel.isCut === true && (value < panel.y.domain[0] || value > panel.y.domain[1])) return []
    return isMany
      ? element('use', { href: `#${id}`, x: canvas.x(where[0]), y: canvas.y(where[1]) })
      : canvas.placed(where, shape)
  })
  const defined = isMany ? element('defs', {}, element('g', { id }, shape)) : joined()
  const paint = { fill: canvas.color(fill), stroke: canvas.color(stroke), 'stroke-width': width }
  return element('g', paint, joined(defined, ...dots))
}

function rangeOf({ x: at, low, high, width, dx, opacity, ...mark }: RangeMark, drawing: Drawing): Markup {
  const { canvas, x, yOfMax } = drawing
  const [top, bottom] = [yOfMax(high), yOfMax(low)]
  if (bottom <= 0) return joined()
  const box = { x: canvas.x(x(at)), y: canvas.y(top), width, height: canvas.y(Math.max(bottom - top, 0.006)) }
  return element('rect', {
    ...box,
    transform: `translate(${dx - width / 2} 0)`,
    fill: colorOf(mark, drawing),
    opacity: opacity === 1 ? undefined : opacity,
  })
}

/** The ranges and the marks of the max, with their numbers moved apart. */
function maximaOf(drawing: Drawing): readonly Markup[] {
  const { plot, panel, canvas, x, yOfMax } = drawing
  const ranges = panel.marks.filter((mark): mark is RangeMark => mark.kind === 'range')
  const peaks = panel.marks.filter((mark): mark is PeakMark => mark.kind === 'peak')
  const marks = peaks.map(({ marker = 'circle', ...mark }) => {
    const { fill, stroke, width } = markerPaint(colorOf(mark, drawing), true)
    const paint = { fill: canvas.color(fill), stroke, 'stroke-width': width }
    const dot = element('path', { d: markerPaths[marker], transform: 'scale(0.8)', ...paint })
    return canvas.placed([x(mark.x), yOfMax(mark.y)], dot)
  })
  // A later range is beside the first.
  const dx = ranges.some((range) => range.dx > 0) ? 17 : 9
  const named = peaks.filter(({ text }) => text !== '')
  const numbers = besideMarks(named, yOfMax, { plot, panel, canvas, x }, dx)
  return [...ranges.map((mark) => rangeOf(mark, drawing)), ...marks, canvas.words(numbers)]
}

/**
 * The ground of the column of the max, as wide as its numbers; with a scale of its own, the grid ends there, and its
 * ticks are those that no number covers.
 */
function columnOf({ panel, canvas, yOfMax }: Drawing): Markup {
  const { column, frame } = panel
  if (column == null) return joined()
  const { right } = frames[frame]
  const ground = { y: canvas.y(0), height: canvas.y(1), fill: canvas.color('var(--raised)') }
  const fill = joined(
    element('rect', { x: canvas.x(maxColumn.from), width: canvas.x(1.0005 - maxColumn.from), ...ground }),
    element('rect', { x: canvas.x(1), width: right - 2, ...ground }),
  )
  if (column.own === null) return fill
  const tick = (text: string, at: Place, dx: number, dy: number): PlacedWords => ({
    role: 'rarity',
    at,
    dx,
    dy,
    anchor: dx > 0 ? 'end' : 'middle',
    text,
    isSpare: true,
  })
  const numbers = panel.marks.flatMap((mark) => (mark.kind === 'peak' && mark.text !== '' ? [yOfMax(mark.y)] : []))
  const isFree = (at: number) => numbers.every((one) => Math.abs(one - at) * heightOf(panel) >= labelPx)
  return joined(
    fill,
    canvas.words([
      ...column.own.ticks
        .filter(({ at }) => isFree(yOfMax(at)))
        .map(({ at, label }) => tick(label, [1, yOfMax(at)], right - 5, 4)),
      ...(frame === 'fan' ? [] : [tick('own scale', [maxColumn.at, 1], 0, frames[frame].tick + 16)]),
    ]),
  )
}

/** Two strokes where an axis does not go on as it began: before a column with its own scale, and below a cut foot. */
function brokenAxis({ panel, canvas }: Drawing): Markup {
  const strokes = (at: Place, turn: string) =>
    canvas.placed(
      at,
      element(
        'g',
        { transform: turn, stroke: canvas.color('var(--line-strong)'), fill: canvas.color('var(--bg)') },
        joined(
          element('path', { d: 'M-5 4L-1-4H5L1 4z', stroke: 'none' }),
          element('path', { d: 'M-5 4L-1-4M1 4L5-4', 'stroke-width': 1.25 }),
        ),
      ),
    )
  return joined(
    panel.column?.own == null ? joined() : strokes([maxColumn.from - 0.018, 1], ''),
    panel.y.isBroken === true ? strokes([0, 0.97], 'rotate(60)') : joined(),
  )
}

const labelPx = 15

/** Words that start at least this far apart, as a share of the width, never overlap, whatever their height. */
const labelShare = 0.12

/** Words at the ends of lines, from top to bottom, without overlap. */
function endLabels(drawing: Drawing): Markup {
  const { panel, canvas, x } = drawing
  const marks = panel.marks.filter((mark): mark is LabelMark => mark.kind === 'label')
  if (marks.length === 0) return joined()
  const groups: LabelMark[][] = []
  for (const mark of [...marks].sort((a, b) => a.x - b.x)) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (last && before && x(mark.x) - x(before.x) < labelShare) last.push(mark)
    else groups.push([mark])
  }
  return canvas.words(groups.flatMap((group) => labelsApart(group, drawing)))
}

const labelsApart = (marks: readonly LabelMark[], drawing: Drawing): readonly PlacedWords[] =>
  besideMarks(marks, drawing.y, drawing, 11)

/** Words right of marks, from top to bottom. */
function besideMarks(
  marks: readonly (LabelMark | PeakMark)[],
  y: (value: number) => number,
  { plot, panel, canvas, x }: Pick<Drawing, 'plot' | 'panel' | 'canvas' | 'x'>,
  dx: number,
): readonly PlacedWords[] {
  const height = heightOf(panel)
  const ends = marks.map((mark) => ({ mark, at: y(mark.y) * height })).sort((a, b) => a.at - b.at)
  const places = apart(
    ends.map(({ at }) => at),
    labelPx,
    [4, height - 8],
  )
  return ends.map(({ mark, at }, index): PlacedWords => {
    const dy = (places[index] ?? at) - at + 4
    const color = canvas.color(plot.series[mark.series]?.style.color ?? '')
    const own = { role: 'endLabel', at: [x(mark.x), y(mark.y)], dx, dy, anchor: 'start', text: mark.text } as const
    if (mark.kind !== 'label' || mark.more === '') return { ...own, color }
    const sign = ` ${mark.more}`
    const room = (panel.column == null ? 1 : maxColumn.from) - x(mark.x)
    return { ...own, color, sign, signFromPx: widthFor(mark.text + sign, dx, room) }
  })
}

/** Of words at the ends of lines, on average. */
const letterPx = 6.9

/**
 * How wide a drawing must be for words in a share of its width, px in steps of 200. Undefined: at its edge, where the
 * margin has room for them.
 */
function widthFor(text: string, dx: number, share: number): number | undefined {
  if (share < 0.02) return undefined
  return Math.min(6, Math.max(2, Math.ceil((dx + text.length * letterPx) / share / 200))) * 200
}

/** Rising places, moved so that neighbours are `gap` apart and all are between the ends as far as possible. */
export function apart(
  places: readonly number[],
  gap: number,
  [first, last]: readonly [number, number],
): readonly number[] {
  const moved = [...places]
  for (let round = 0; round < 40; round += 1)
    for (let at = 1; at < moved.length; at += 1) {
      const lacking = gap - ((moved[at] ?? 0) - (moved[at - 1] ?? 0))
      if (lacking <= 0) continue
      moved[at - 1] = (moved[at - 1] ?? 0) - lacking / 2
      moved[at] = (moved[at] ?? 0) + lacking / 2
    }
  for (let at = 0; at < moved.length; at += 1)
    moved[at] = Math.max(moved[at] ?? 0, at === 0 ? first : (moved[at - 1] ?? 0) + gap)
  for (let at = moved.length - 1; at >= 0; at -= 1)
    moved[at] = Math.min(moved[at] ?? 0, at === moved.length - 1 ? last : (moved[at + 1] ?? 0) - gap)
  return moved
}

/** A limit or zero. */
function across({ kind, at, label, anchor = 'start' }: Rule, { plot, panel, canvas, x, y }: Drawing): Markup {
  const role = kind === 'zero' ? 'zero' : 'limit'
  const last = endOfLines(plot, panel)
  const right = last === null ? 1 : x(last)
  const ends = { x1: canvas.x(0), x2: canvas.x(right), y1: canvas.y(y(at)), y2: canvas.y(y(at)) }
  const line = element('line', { ...ends, ...canvas.paint(role) })
  const end: Place = [anchor === 'start' ? 0 : right, y(at)]
  const text = { role: 'limitLabel', at: end, dx: anchor === 'start' ? 6 : -6, dy: -5, anchor, text: label } as const
  return label === '' ? line : joined(line, canvas.words([text]))
}

/** The last place of lines that end before the axis does, so that their ends are readable; null: there is none. */
export function endOfLines({ x, places }: Plot, { fit, marks }: Panel): number | null {
  if (fit === undefined) return null
  const ends = marks.flatMap((mark) => (mark.kind === 'line' ? (places[mark.at.at(-1) ?? -1] ?? []) : []))
  return ends.length === 0 ? null : Math.min(Math.max(...ends), x.domain[1])
}

/** Where along it a limit holds: a bar on its line. */
function limitBars({ plot, panel, canvas, x, y }: Drawing): Markup {
  const [first, last] = plot.x.domain
  return joined(
    ...(panel.rules ?? []).flatMap(({ bar, at }) => {
      if (bar === undefined || bar < first || bar > last) return []
      const stroke = { ...canvas.paint('limit'), 'stroke-width': 3, 'stroke-dasharray': 'none' }
      return [canvas.placed([x(bar), y(at)], element('path', { d: 'M-9 0h18', ...stroke }))]
    }),
  )
}

/** A mark of an event at an x. */
function upright(rule: Rule, index: number, { panel, canvas, x }: Drawing): Markup {
  const { kind, at, until, label, title, of, anchor, verdict, href } = rule
  const right = x(at)
  if (panel.frame === 'small' && kind === 'label') return joined()
  const role = kind === 'label' ? 'quiet' : kind === 'event' || kind === 'faint' || kind === 'moved' ? kind : 'change'
  const line =
    until === undefined
      ? element('line', { x1: canvas.x(right), x2: canvas.x(right), y1: canvas.y(0), y2: canvas.y(1) })
      : element('line', { x1: canvas.x(right), x2: canvas.x(x(until)), y1: canvas.y(0), y2: canvas.y(0) })
  const text: PlacedWords | null =
    label === ''
      ? null
      : kind === 'label'
        ? { role, at: [right, 0], dx: 4, dy: 11, anchor: 'start', text: label }
        : kind === 'event'
          ? {
              role,
              at: [right, 1],
              dx: anchor === 'end' ? -5 : 5,
              dy: -6 - 13 * (index % 3),
              anchor: anchor ?? 'start',
              text: label,
            }
          : { role, at: [right, 0], dx: 0, dy: -6, anchor: anchor ?? 'middle', text: label }
  const inner = joined(element('title', {}, words(title)), line, canvas.words(text === null ? [] : [text]))
  const name = of === undefined ? title : `${of}: ${title}`
  const attributes = { ...canvas.paint(role, verdict), 'aria-label': name }
  return href && canvas.hasLinks
    ? element('a', { href, ...attributes }, inner)
    : element('g', { role: 'img', ...attributes }, inner)
}

/** Where labels changed, in a small drawing: ticks without words. */
function quietTicks(rules: readonly Rule[], drawing: Drawing): Markup {
  const ticks = rules
    .filter(({ kind }) => kind === 'label')
    .map(({ at }): readonly Place[] => {
      const right = drawing.x(at)
      return [
        [right, 0.92],
        [right, 1],
      ]
    })
  return ticks.length === 0 ? joined() : element('g', drawing.canvas.paint('quiet'), path(ticks, {}, drawing))
}

const rowWords = 16

function rowsOf({ words: names, ends, full }: RowsMark, { plot, panel, canvas, x }: Drawing): Markup {
  const height = heightOf(panel)
  const down = (row: number, px: number) => canvas.y((row * (height / names.length) + px) / height)
  const rows = ends.map((end, row) => {
    const fill = canvas.color(plot.series[end > full ? 1 : 0]?.style.color ?? '')
    const bar = { x: canvas.x(0), width: canvas.x(x(end)), y: down(row, 22), height: 14, fill }
    const mark = { x1: canvas.x(x(full)), x2: canvas.x(x(full)), y1: down(row, 19), y2: down(row, 39) }
    const at: Place = [0, row / names.length]
    return joined(
      canvas.words([{ role: 'tick', at, dx: 4, dy: rowWords, anchor: 'start', text: names[row] ?? '' }]),
      element('rect', bar),
      element('line', { ...mark, stroke: canvas.color('var(--text)'), 'stroke-width': 2 }),
    )
  })
  return joined(...rows)
}
