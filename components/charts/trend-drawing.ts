import type { TrendLine, TrendPlot } from './trend-plot'

/** Lengths are counted in this many parts of a box's width and height, so that paths are whole numbers. */
export const drawingUnits = { small: 1_000, large: 10_000 } as const

/** Beyond this many dots a line is drawn without them. */
const mostDots = 120

type Spot = readonly [x: number, y: number]

/** A line as it is drawn; places are shares of the box. */
export interface DrawnLine extends Pick<TrendLine, 'key' | 'name' | 'style' | 'band' | 'marks'> {
  /** Through all points, with gaps; in `drawingUnits`. */
  readonly path: string
  /** Points that have a marker. */
  readonly spots: readonly Spot[]
  /** From the least to the greatest run of points with several, in `drawingUnits`. */
  readonly spreads: string
}

/** A plot without what is only read: enough to draw it. */
export interface TrendDrawing extends Omit<TrendPlot, 'lines'> {
  /** Where labels changed, as ticks that say nothing, in `drawingUnits`; a large plot has `labelMarks`. */
  readonly labelTicks: string
  readonly lines: readonly DrawnLine[]
  readonly isSmall: boolean
}

/** Draws a plot large, or small: fewer ticks, no words but those of marks, no markers but of lone points. */
export function drawTrends({ lines, ...plot }: TrendPlot, isSmall: boolean): TrendDrawing {
  const ends = <Tick>(ticks: readonly Tick[]) =>
    isSmall ? ticks.filter((_, at) => at === 0 || at === ticks.length - 1) : ticks
  return {
    ...plot,
    labelMarks: isSmall ? [] : (plot.labelMarks ?? []),
    labelTicks: isSmall ? (plot.labelMarks ?? []).map(({ x }) => tickAt(x)).join('') : '',
    yTicks: ends(plot.yTicks),
    xTicks: ends(plot.xTicks),
    lines: lines.map((line) => drawLine(line, isSmall)),
    isSmall,
  }
}

const tickAt = (x: number): string =>
  `M${Math.round(x * drawingUnits.small)} ${drawingUnits.small * 0.92}V${drawingUnits.small}`

function drawLine({ key, name, style, band, marks, dots, stretches }: TrendLine, isSmall: boolean): DrawnLine {
  const units = isSmall ? drawingUnits.small : drawingUnits.large
  const scaled = (share: number) => Math.round(share * units)
  let [x, y] = [0, 0]
  const step = (toX: number, toY: number, letter: 'm' | 'l'): string => {
    const [dx, dy] = [scaled(toX) - x, scaled(toY) - y]
    x += dx
    y += dy
    return `${letter}${dx}${dy < 0 ? '' : ' '}${dy}`
  }
  const path = stretches
    .flatMap((stretch) => stretch.map((at, place) => step(dots[at]?.x ?? 0, dots[at]?.y ?? 0, place === 0 ? 'm' : 'l')))
    .join('')
  const lone = stretches.flatMap((stretch) => (stretch.length === 1 ? stretch : []))
  const spots = !isSmall && dots.length <= mostDots ? dots : lone.flatMap((at) => dots[at] ?? [])
  const spreads = dots.flatMap(({ x: at, spread }) =>
    spread === null ? [] : [`M${scaled(at)} ${scaled(spread[0])}V${scaled(spread[1])}`],
  )
  return { key, name, style, band, marks, path, spots: spots.map((dot) => [dot.x, dot.y]), spreads: spreads.join('') }
}
