import type { HdrPlot, HdrSeries } from './hdr-plot'
import { place } from './scale'

/** A piece of text of a drawing: `y` is its baseline. */
export interface DrawnText {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly anchor: 'start' | 'middle' | 'end'
  readonly strong: boolean
}

/** A percentile plot as shapes and texts in px, for files that stand alone: no style sheet, no font, no script. */
export interface DrawnPlot {
  readonly width: number
  readonly height: number
  /** SVG elements without texts. */
  readonly shapes: string
  readonly texts: readonly DrawnText[]
}

const ink = { grid: '#e1e5ea', axis: '#868f9b', text: '#566170', strong: '#1a2230', paper: '#ffffff' } as const
/** The series colours of the light theme (app/tokens.css), by CSS variable. */
const colors: Readonly<Record<string, string>> = {
  'var(--series-1)': '#0072b2',
  'var(--series-2)': '#d55e00',
  'var(--series-3)': '#009e73',
  'var(--series-4)': '#b45c91',
  'var(--series-5)': '#1a2230',
  'var(--series-6)': '#3a86b5',
  'var(--series-7)': '#a86f00',
}
const colorOf = (series: HdrSeries) => colors[series.style.color] ?? ink.strong
const px = (value: number) => value.toFixed(1)

/** Lays a prepared plot out in a box of this size, with its title above and a legend below. */
export function drawHdrPlot(plot: HdrPlot, width: number, height: number): DrawnPlot {
  const box = { left: 70, right: width - 40, top: 44, bottom: height - 52 - 22 * legendRows(plot, width) }
  const x = (value: number) => box.left + place(value, plot.xDomain, 'log') * (box.right - box.left)
  const y = (ms: number) => box.bottom - place(ms, plot.yDomain, plot.scale) * (box.bottom - box.top)
  const line = (x1: number, y1: number, x2: number, y2: number, stroke: string) =>
    `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" stroke="${stroke}"/>`
  const { limit } = plot
  const legend = legendOf(plot, width, box.bottom + 66)
  const shapes = [
    ...plot.yTicks.map(({ ms }) => line(box.left, y(ms), box.right, y(ms), ink.grid)),
    ...plot.xTicks.map((tick) => line(x(tick.x), box.top, x(tick.x), box.bottom, ink.grid)),
    line(box.left, box.bottom, box.right, box.bottom, ink.axis),
    ...plot.series.map((one) => curveOf(one, x, y)),
    ...(limit ? [limitLine(box.left, box.right, y(limit.ms))] : []),
    ...legend.map(({ series, x: left, y: middle }) => {
      const dash = series.style.dash === '' ? '' : ` stroke-dasharray="${series.style.dash}"`
      const [from, at, to] = [px(left), px(middle - 4), px(left + 28)]
      return `<path d="M${from} ${at}H${to}" stroke="${colorOf(series)}" stroke-width="3" fill="none"${dash}/>`
    }),
  ]
  const text = (at: number, baseline: number, words: string, anchor: DrawnText['anchor'], strong = false) => ({
    x: at,
    y: baseline,
    text: words,
    anchor,
    strong,
  })
  return {
    width,
    height,
    shapes: shapes.join(''),
    texts: [
      text(box.left - 50, 24, plot.title, 'start', true),
      ...plot.yTicks.map(({ ms, label }) => text(box.left - 8, y(ms) + 4, label, 'end')),
      ...plot.xTicks.map((tick) => text(x(tick.x), box.bottom + 20, `${tick.label} %`, 'middle')),
      ...plot.xTicks.flatMap((tick) =>
        tick.rarity === null ? [] : [text(x(tick.x), box.bottom + 37, tick.rarity, 'middle')],
      ),
      ...(limit && limit.side === 'left' ? [text(box.left + 6, y(limit.ms) - 5, limit.label, 'start', true)] : []),
      ...(limit && limit.side === 'right' ? [text(box.right - 6, y(limit.ms) - 5, limit.label, 'end', true)] : []),
      ...legend.map((entry) => text(entry.x + 36, entry.y, entry.series.name, 'start', true)),
    ],
  }
}

const limitLine = (from: number, to: number, y: number) =>
  `<path d="M${px(from)} ${px(y)}H${px(to)}" stroke="${ink.strong}" stroke-width="1.5" stroke-dasharray="6 4" fill="none"/>`

function curveOf(series: HdrSeries, x: (value: number) => number, y: (ms: number) => number): string {
  const { points, style } = series
  const firstFaded = points.findIndex((point) => !point.supported)
  const solid = firstFaded < 0 ? points : points.slice(0, firstFaded)
  const faded = firstFaded < 0 ? [] : points.slice(Math.max(0, firstFaded - 1))
  const color = colorOf(series)
  const dash = style.dash === '' ? '' : ` stroke-dasharray="${style.dash}"`
  const path = (part: HdrSeries['points'], opacity: number) => {
    if (part.length < 2) return ''
    const d = part.map((point, at) => `${at === 0 ? 'M' : 'L'}${px(x(point.x))} ${px(y(point.ms))}`).join('')
    return `<path d="${d}" fill="none" stroke="${color}" stroke-width="2.5" opacity="${opacity}"${dash}/>`
  }
  const dots = points
    .filter((point) => point.marked)
    .map((point) => {
      const fill = point.supported ? color : ink.paper
      return `<circle cx="${px(x(point.x))}" cy="${px(y(point.ms))}" r="4" fill="${fill}" stroke="${color}"/>`
    })
  return `${path(solid, 1)}${path(faded, 0.4)}${dots.join('')}`
}

const entryWidth = 260
const legendColumns = (width: number) => Math.max(1, Math.floor((width - 40) / entryWidth))
const legendRows = (plot: HdrPlot, width: number) => Math.ceil(plot.series.length / legendColumns(width))

function legendOf(plot: HdrPlot, width: number, top: number) {
  const columns = legendColumns(width)
  return plot.series.map((series, at) => ({
    series,
    x: 20 + (at % columns) * entryWidth,
    y: top + 22 * Math.floor(at / columns),
  }))
}

const escapeXml = (text: string) =>
  text
    .replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')

const clipped = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** The drawing as an SVG document; `hasTexts` false leaves the words to whoever can set type. */
export function toSvg(drawn: DrawnPlot, label: string, hasTexts = true): string {
  const { width, height, shapes, texts } = drawn
  const words = texts.map(
    ({ x, y, text, anchor, strong }) =>
      `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}" fill="${strong ? ink.strong : ink.text}" ` +
      `font-weight="${strong ? 600 : 400}">${escapeXml(clipped(text, 80))}</text>`,
  )
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-label="${escapeXml(label)}" font-family="Inter, system-ui, sans-serif" font-size="13">` +
    `<rect width="${width}" height="${height}" fill="${ink.paper}"/>${shapes}${hasTexts ? words.join('') : ''}</svg>`
  )
}
