import { escapeMarkup } from '../../../lib/escape'
import type { JudgedState } from '../../../lib/run/judged-states'
import type { PictureCaption } from '../../ui/plot-caption'
import { element, joined, words, type Attributes, type Markup } from '../../ui/markup'
import { stateShapes } from '../../ui/icon'
import { bandOpacityOf, frames, heightOf, legendEntries, type Panel, type Plot } from './model'
import { drawPanel, pathThrough, type Canvas, type PlacedWords, type Role } from './svg'

/** A text in a file: `y` is its baseline, in px. */
export interface FileText {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly anchor: 'start' | 'middle' | 'end'
  readonly isStrong: boolean
  /** Of its type, px; absent: 13. */
  readonly size?: number
}

/** A plot in px, for standalone files: no style sheet, no font, no script. */
export interface FileDrawing {
  readonly width: number
  readonly height: number
  /** SVG elements without texts. */
  readonly shapes: Markup
  readonly texts: readonly FileText[]
}

/** The colour that the file writes for a colour token. */
export type ColorOf = (variable: string) => string

const paints: Readonly<Record<Role, Attributes>> = {
  grid: { stroke: 'var(--line)' },
  axis: { stroke: 'var(--line-strong)' },
  zero: { stroke: 'var(--text)' },
  limit: { stroke: 'var(--worse)', 'stroke-width': 1.5, 'stroke-dasharray': '6 4' },
  quiet: { stroke: 'var(--line-strong)', 'stroke-dasharray': '1 3' },
  event: { stroke: 'var(--muted)', 'stroke-width': 1.5 },
  change: { stroke: 'var(--muted)', 'stroke-width': 2.5 },
  moved: { stroke: 'var(--unusual)', 'stroke-width': 5 },
  faint: { stroke: 'var(--muted)', 'stroke-dasharray': '1 4' },
  tick: {},
  rarity: {},
  limitLabel: {},
  endLabel: {},
}
const strong: readonly Role[] = ['limitLabel', 'change', 'endLabel']

const px = (value: number): string => String(Number(value.toFixed(1)))
const titlePx = 44
const axisPx = 52
const panelTitlePx = 22
const entryPx = 22
/** Sample and space around a name of the legend. */
const samplePx = 52
/** Width of a letter in a name, on average and rather too wide: no type is measured here. */
const letterPx = 8.4
const left = 70
const right = 40

/** Lays out a plot in this width, with its title above and a legend below; `height` null: its height on the page. */
export function drawFile(
  plot: Plot,
  size: { readonly width: number; readonly height: number | null },
  color: ColorOf,
): FileDrawing {
  const { width } = size
  const entries = plot.legend === undefined ? [] : legendEntries(plot.series)
  const wanted = samplePx + letterPx * Math.max(...entries.map(({ name }) => name.length))
  // A few long names have a line each; more of them are shortened.
  const fewest = entries.length <= 4 ? 1 : 2
  const entryWidth = Math.min(Math.max(160, wanted), (width - 40) / fewest)
  const columns = Math.max(1, Math.floor((width - 40) / entryWidth))
  const legendPx = entryPx * Math.ceil(entries.length / columns)
  const texts: FileText[] = [{ x: 20, y: 24, text: plot.title, anchor: 'start', isStrong: true }]
  let top = titlePx
  const panels = plot.panels.map((panel) => {
    const name = panelName(plot, panel)
    if (name !== '') texts.push({ x: 20, y: (top += panelTitlePx) - 14, text: name, anchor: 'start', isStrong: false })
    const high =
      plot.panels.length === 1 && size.height !== null ? size.height - axisPx - legendPx - top : heightOf(panel)
    const canvas = fileCanvas({ width: width - left - right, height: high, top, color, texts })
    const drawn = element('g', { transform: `translate(${left} ${top})` }, drawPanel(plot, panel, canvas))
    top += high + (panel.frame === 'large' ? axisPx : frames[panel.frame].bottom + 10)
    return drawn
  })
  const legend = entries.map(({ id, name, style }, at) => {
    const [x, y] = [20 + (at % columns) * entryWidth, top + 14 + entryPx * Math.floor(at / columns)]
    texts.push({
      x: x + 36,
      y,
      text: shortened(name, Math.floor((entryWidth - samplePx) / letterPx + 0.01)),
      anchor: 'start',
      isStrong: true,
    })
    const bandOpacity = bandOpacityOf(plot, id)
    if (bandOpacity !== null)
      return element('rect', { x, y: y - 10, width: 28, height: 12, fill: color(style.color), opacity: bandOpacity })
    const line = {
      d: `M${x} ${y - 4}h28`,
      stroke: color(style.color),
      'stroke-width': 3,
      'stroke-dasharray': style.dash,
    }
    return element('path', { ...line, fill: 'none' })
  })
  return { width, height: size.height ?? top + legendPx + 8, shapes: joined(...panels, ...legend), texts }
}

const panelName = ({ series }: Plot, { title, cell }: Panel): string =>
  [cell === undefined ? undefined : series[cell]?.name, title].filter((part) => part !== undefined).join(': ')

interface Box {
  readonly width: number
  readonly height: number
  readonly top: number
  readonly color: ColorOf
  readonly texts: FileText[]
}

function fileCanvas({ width, height, top, color, texts }: Box): Canvas {
  const painted = (attributes: Attributes): Attributes =>
    'stroke' in attributes ? { ...attributes, stroke: color(String(attributes['stroke'])) } : attributes
  const put = ({ role, at: [x, y], dx, dy, anchor, text, sign }: PlacedWords) => {
    const place = { x: left + x * width + dx, y: top + y * height + dy }
    texts.push({ ...place, text: text + (sign ?? ''), anchor, isStrong: strong.includes(role) })
  }
  return {
    x: (share) => px(share * width),
    y: (share) => px(share * height),
    path: (places) => pathThrough(places, width, height, 10),
    thickness: (share) => Number(px(share * height)),
    stretched: (inner, isCut = false) =>
      isCut ? element('svg', { width: px(width), height: px(height), overflow: 'hidden' }, inner) : inner,
    placed: ([x, y], inner) => element('g', { transform: `translate(${px(x * width)} ${px(y * height)})` }, inner),
    paint: (role, verdict) =>
      painted(
        verdict === undefined || verdict === 'changed'
          ? paints[role]
          : { ...paints[role], stroke: `var(--${verdict})` },
      ),
    color,
    words(all) {
      all.forEach(put)
      return joined()
    },
    hasLinks: false,
  }
}

const verdictPx = 17
const linePx = { verdict: 23, plain: 18 } as const

/** A drawing between what it shows, in words, and when and how that was measured. */
export function captioned({ width, height, shapes, texts }: FileDrawing, caption: PictureCaption): FileDrawing {
  const { subject, verdict, basis, facts } = caption
  const room = width - 40
  const said = wrapped(verdict, room / (letterPx * (verdictPx / 14)))
  const more = wrapped(basis, room / (letterPx * 0.86))
  const [from, to] = [44, 44 + said.length * linePx.verdict]
  const top = to + more.length * linePx.plain + 8
  const at = { x: 20, anchor: 'start' } as const
  const line = (text: string, y: number): FileText => ({ ...at, text, y, isStrong: false })
  return {
    width,
    height: top + height + 30,
    shapes: element('g', { transform: `translate(0 ${top})` }, shapes),
    texts: [
      line(clipped(subject, Math.floor(room / (letterPx * 0.86))), 24),
      ...said.map((text, row): FileText => {
        return { ...at, text, y: from + 6 + row * linePx.verdict, isStrong: true, size: verdictPx }
      }),
      ...more.map((text, row) => line(text, to + 4 + row * linePx.plain)),
      ...texts.map((one) => ({ ...one, y: one.y + top })),
      line(clipped(facts, Math.floor(room / (letterPx * 0.86))), top + height + 14),
    ],
  }
}

/** A text in lines of at most `most` characters, broken between words. */
function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter((one) => one !== '')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A text of at most `most` characters. */
const clipped = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** A name of at most `most` characters, without its middle: names of one plot often begin alike. */
function shortened(name: string, most: number): string {
  if (name.length <= most) return name
  const head = Math.ceil((most - 1) / 2)
  return `${name.slice(0, head)}…${name.slice(head + 1 - most)}`
}

/** XML files must not contain them. */
const withoutControls = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')

/** The shape of a state as an SVG document of `size` px, in one colour. */
export function stateSvg(state: JudgedState, size: number, color: string): string {
  const isHollow = state === 'no-history' || state === 'invalid'
  const stroke = isHollow ? 1.8 : state === 'failing' ? 2.2 : 0
  const shape = element('path', {
    d: stateShapes[state],
    fill: isHollow ? 'none' : color,
    ...(stroke === 0 ? {} : { stroke: color, 'stroke-width': stroke, 'stroke-linecap': 'round' }),
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 12 12" aria-hidden="true">${shape}</svg>`
}

interface SvgOptions {
  /** False: its words are left to a program that can set type. */
  readonly hasTexts?: boolean
  /** The type as CSS with its fonts in it; absent: that of the reader's system, if it has Inter. */
  readonly faces?: string
}

/** The drawing as an SVG document. */
export function toSvg(
  drawing: FileDrawing,
  label: string,
  color: ColorOf,
  { hasTexts = true, faces = '' }: SvgOptions = {},
): string {
  const { width, height, shapes, texts } = drawing
  const set = texts.map(({ x, y, text, anchor, isStrong, size }) =>
    element(
      'text',
      {
        x: px(x),
        y: px(y),
        'text-anchor': anchor,
        fill: color(isStrong ? 'var(--text)' : 'var(--muted)'),
        'font-weight': isStrong ? 600 : 400,
        ...(size === undefined ? {} : { 'font-size': size }),
      },
      words(withoutControls(clipped(text, 200))),
    ),
  )
  const sheet = element('rect', { width, height, fill: color('var(--bg)') })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-label="${escapeMarkup(withoutControls(label))}" font-family="Inter, system-ui, sans-serif" font-size="13" font-variant-numeric="tabular-nums">` +
    `${faces === '' ? '' : `<style>${faces}</style>`}${joined(sheet, shapes, ...(hasTexts ? set : []))}</svg>`
  )
}
