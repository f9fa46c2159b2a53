'use client'

import { useRef, useState } from 'react'
import links from '../../ui/view-links.module.css'
import { drawFile, toSvg } from './file'
import type { Plot } from './model'
import styles from './plot.module.css'

const fileName = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The plot as an SVG file as wide as on the page, in the colours of the page's theme. */
function svgOf(plot: Plot, figure: HTMLElement): string {
  const style = getComputedStyle(figure)
  const color = (text: string) => {
    const name = /^var\((--[\w-]+)\)$/.exec(text)?.[1]
    return name === undefined ? text : resolved(figure, name) || style.color
  }
  const width = Math.max(480, Math.round(figure.clientWidth))
  return toSvg(drawFile(plot, { width, height: null }, color), plot.title, color)
}

/** What a variable comes to here: `light-dark(…)` has a value only where it is used. */
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

function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Saves or copies a plot, and shows the figure around it in full. `isDrawn` false: its table is shown. */
export function ExportTools({ plot, isDrawn }: { plot: Plot; isDrawn: boolean }) {
  const root = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const frame = () => root.current?.closest('figure') ?? null
  const withSvg = (done: string, run: (svg: string) => void | Promise<void>) => async () => {
    const figure = frame()
    if (!figure || !isDrawn) return setSaid('Switch back to the chart first')
    try {
      await run(svgOf(plot, figure))
      setSaid(done)
    } catch (error) {
      setSaid(`That failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const name = fileName(plot.title)
  const saveSvg = withSvg('Saved', (svg) => saveBlob(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`))
  const savePng = withSvg('Saved', async (svg) => saveBlob(await svgToPng(svg), `${name}.png`))
  const copyPng = withSvg('Copied', (svg) =>
    navigator.clipboard.write([new ClipboardItem({ 'image/png': svgToPng(svg) })]),
  )
  const fullScreen = () => {
    const leaving = document.fullscreenElement !== null
    const change = leaving ? document.exitFullscreen() : frame()?.requestFullscreen()
    change?.catch((error: unknown) => setSaid(`That failed: ${String(error)}`))
  }
  return (
    <div ref={root} className={styles.exports}>
      <details className={styles.menu}>
        <summary className={`${links.tool} ${styles.tool}`}>Save</summary>
        <div className={styles.items}>
          <button type="button" onClick={() => void savePng()}>
            Save as PNG
          </button>
          <button type="button" onClick={() => void saveSvg()}>
            Save as SVG
          </button>
          <button type="button" onClick={() => void copyPng()}>
            Copy as PNG
          </button>
          <p role="status">{said}</p>
        </div>
      </details>
      <button type="button" className={`${links.tool} ${styles.tool}`} onClick={fullScreen}>
        Full screen
      </button>
    </div>
  )
}
