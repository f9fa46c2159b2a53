/** What a style sheet gives a drawing's parts; a file has no style sheet. */
const inlined = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'display',
] as const
const svgNamespace = 'http://www.w3.org/2000/svg'
const headPx = 28

/** The drawings in a chart's frame as one SVG text with their title, as they are shown. Null: none is shown. */
export function chartToSvg(frame: HTMLElement, title: string): string | null {
  const body = frame.getBoundingClientRect()
  // A legend stands in the frame or right below it.
  const below = frame.nextElementSibling
  const parts = below instanceof HTMLUListElement ? [frame, below] : [frame]
  const drawings = parts
    .flatMap((part) => [...part.querySelectorAll('svg')])
    .filter((svg) => svg.parentElement?.closest('svg') === null && svg.getBoundingClientRect().height > 0)
  if (drawings.length === 0) return null
  const top = Math.min(...drawings.map((svg) => svg.getBoundingClientRect().top)) - headPx - 12
  const bottom = Math.max(...drawings.map((svg) => svg.getBoundingClientRect().bottom)) + 48
  const root = document.createElementNS(svgNamespace, 'svg')
  root.setAttribute('xmlns', svgNamespace)
  root.setAttribute('width', `${Math.ceil(body.width)}`)
  root.setAttribute('height', `${Math.ceil(bottom - top)}`)
  const style = getComputedStyle(frame)
  const sheet = document.createElementNS(svgNamespace, 'rect')
  sheet.setAttribute('width', '100%')
  sheet.setAttribute('height', '100%')
  sheet.setAttribute('fill', style.backgroundColor)
  const heading = document.createElementNS(svgNamespace, 'text')
  heading.setAttribute('x', '16')
  heading.setAttribute('y', '22')
  heading.setAttribute('fill', style.color)
  heading.setAttribute('style', `font:600 13px ${style.fontFamily}`)
  heading.textContent = title
  root.append(sheet, heading)
  for (const svg of drawings) {
    const place = svg.getBoundingClientRect()
    const copy = inlineStyles(svg)
    copy.setAttribute('x', `${place.left - body.left}`)
    copy.setAttribute('y', `${place.top - top}`)
    copy.setAttribute('width', `${place.width}`)
    copy.setAttribute('height', `${place.height}`)
    copy.setAttribute('overflow', 'visible')
    root.append(copy)
  }
  for (const words of parts.flatMap((part) => [...part.querySelectorAll('h3, li')])) {
    const place = words.getBoundingClientRect()
    // The line of a legend stands before its words.
    const lineEnd = words.querySelector('svg')?.getBoundingClientRect().right
    const text = document.createElementNS(svgNamespace, 'text')
    text.setAttribute('x', `${(lineEnd === undefined ? place.left : lineEnd + 6) - body.left}`)
    text.setAttribute('y', `${(place.top + place.bottom) / 2 - top + 4}`)
    text.setAttribute('fill', getComputedStyle(words).color)
    text.setAttribute('style', `font:500 12px ${style.fontFamily}`)
    text.textContent = words.textContent
    root.append(text)
  }
  return new XMLSerializer().serializeToString(root)
}

function inlineStyles(svg: SVGSVGElement): Element {
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) throw new TypeError('A copy of an SVG is an SVG')
  const copies = [copy, ...copy.querySelectorAll('*')]
  for (const [at, part] of [svg, ...svg.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(part)
    const text = inlined.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';')
    copies[at]?.setAttribute('style', text)
    copies[at]?.removeAttribute('class')
  }
  return copy
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

/** Saves a blob under this name. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
