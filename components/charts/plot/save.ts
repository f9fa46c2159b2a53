export { csvOf } from './csv'
import { drawFile, toSvg } from './file'
import type { Plot } from './model'

/** The plot as an SVG file as wide as on the page, in the colours of the page's theme. */
export function svgOf(plot: Plot, figure: HTMLElement): string {
  const style = getComputedStyle(figure)
  const color = (text: string) => {
    const name = /^var\((--[\w-]+)\)$/.exec(text)?.[1]
    return name === undefined ? text : resolved(figure, name) || style.color
  }
  const width = Math.max(480, Math.round(figure.clientWidth))
  return toSvg(drawFile(plot, { width, height: null }, color), plot.title, color)
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
export async function svgToPng(svg: string): Promise<Blob> {
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
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
