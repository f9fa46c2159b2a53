import type { PictureCaption } from '../../ui/plot-caption'
import { csvOf } from './csv'
import { captioned, drawFile, toSvg } from './file'
import type { Plot } from './model'

const nameOf = ({ title }: Plot, ending: string): string =>
  `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.${ending}`

type Save = (plot: Plot, figure: HTMLElement, caption: PictureCaption | null) => Promise<void>

/** Offers the drawing of a figure as a PNG. Throws when the browser cannot draw it. */
export const savePng: Save = async (plot, figure, caption) =>
  saveBlob(await pngOf(plot, figure, caption), nameOf(plot, 'png'))

/** Offers the drawing of a figure as an SVG. */
export const saveSvg: Save = async (plot, figure, caption) =>
  saveBlob(new Blob([await svgOf(plot, figure, caption)], { type: 'image/svg+xml' }), nameOf(plot, 'svg'))

/** Offers the drawn figures as a table. */
export const saveCsv = (plot: Plot): void =>
  saveBlob(new Blob([csvOf(plot)], { type: 'text/csv' }), nameOf(plot, 'csv'))

/** The drawing of a figure as a PNG. Throws when the browser cannot draw it. */
export async function pngOf(plot: Plot, figure: HTMLElement, caption: PictureCaption | null): Promise<Blob> {
  return svgToPng(await svgOf(plot, figure, caption))
}

/** The plot as an SVG file as wide as on the page, in the colours of the page's theme and in its type. */
async function svgOf(plot: Plot, figure: HTMLElement, caption: PictureCaption | null): Promise<string> {
  const style = getComputedStyle(figure)
  const color = (text: string) => {
    const name = /^var\((--[\w-]+)\)$/.exec(text)?.[1]
    return name === undefined ? text : resolved(figure, name) || style.color
  }
  const width = Math.max(480, Math.round(figure.clientWidth))
  const drawn = drawFile(plot, { width, height: null }, color)
  const drawing = caption === null ? drawn : captioned(drawn, caption)
  const label = caption === null ? plot.title : `${plot.title}: ${caption.verdict}`
  return toSvg(drawing, label, color, { faces: await facesOf('Inter Variable') })
}

/** The fonts of a family that the page has loaded, as CSS with the files in it: a picture may read no other file. */
async function facesOf(family: string): Promise<string> {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  const own = rules.filter(
    (rule): rule is CSSFontFaceRule => rule instanceof CSSFontFaceRule && rule.style.fontFamily.includes(family),
  )
  const faces = own.filter(({ style }) => {
    const range = style.getPropertyValue('unicode-range').toUpperCase()
    return embedded.some((one) => range.includes(one))
  })
  const written = await Promise.all(
    faces.map(async ({ style, parentStyleSheet }) => {
      const file = /url\("?([^")]+)/.exec(style.getPropertyValue('src'))?.[1]
      if (file === undefined) return ''
      const answer = await fetch(new URL(file, parentStyleSheet?.href ?? location.href))
      const data = await dataUrlOf(await answer.blob())
      return `@font-face{font-family:Inter;font-weight:100 900;src:url(${data});unicode-range:${style.getPropertyValue('unicode-range')}}`
    }),
  )
  return written.join('')
}

/** Latin letters and the marks beside figures, as the style sheets name them. */
const embedded = ['U+0-FF', 'U+2190-2193']

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('The font cannot be read'))
    reader.readAsDataURL(blob)
  })
}

/** The computed value of a variable: `light-dark(…)` has a value only where it is used. */
function resolved(figure: HTMLElement, name: string): string {
  const probe = figure.appendChild(document.createElement('span'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** An SVG as PNG of twice its size, so that it is sharp. Throws when the browser cannot draw it. */
async function svgToPng(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width * 2
  canvas.height = image.height * 2
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw images')
  context.scale(2, 2)
  context.drawImage(image, 0, 0)
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!png) throw new Error('This browser cannot make a PNG')
  return png
}

/** Offers a file to save. */
function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
