'use client'

import { useRef, useState } from 'react'
import { chartToSvg, saveBlob, svgToPng } from './chart-export'
import styles from './chart-frame.module.css'

const fileName = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Saves or copies the chart of the frame around it, and shows that frame in full. */
export function ChartTools({ title }: { title: string }) {
  const root = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const frame = () => root.current?.closest('figure') ?? null
  const withSvg = (done: string, run: (svg: string) => void | Promise<void>) => async () => {
    const figure = frame()
    const svg = figure && chartToSvg(figure, title)
    if (!svg) return setSaid('Switch back to the chart first')
    try {
      await run(svg)
      setSaid(done)
    } catch (error) {
      setSaid(`That failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const saveSvg = withSvg('Saved', (svg) =>
    saveBlob(new Blob([svg], { type: 'image/svg+xml' }), `${fileName(title)}.svg`),
  )
  const savePng = withSvg('Saved', async (svg) => saveBlob(await svgToPng(svg), `${fileName(title)}.png`))
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
        <summary className={styles.tool}>Save</summary>
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
      <button type="button" className={styles.tool} onClick={fullScreen}>
        Full screen
      </button>
    </div>
  )
}
