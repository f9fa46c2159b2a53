'use client'

import { useRef, useState } from 'react'
import links from '../../ui/view-links.module.css'
import type { Plot } from './model'
import styles from './plot.module.css'

/** Drawing a file is fetched when one is asked for: no page pays for it. */
const saving = () => import('./save')

const fileName = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Saves or copies a plot, and shows the figure around it in full. `isDrawn` false: its table is shown. */
export function ExportTools({ plot, isDrawn }: { plot: Plot; isDrawn: boolean }) {
  const root = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const frame = () => root.current?.closest('figure') ?? null
  const withFigure = (done: string, run: (figure: HTMLElement) => Promise<void>) => async () => {
    const figure = frame()
    if (!figure || !isDrawn) return setSaid('Switch back to the chart first')
    try {
      await run(figure)
      setSaid(done)
    } catch (error) {
      setSaid(`That failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const name = fileName(plot.title)
  const pngOf = async (figure: HTMLElement) => {
    const { svgOf, svgToPng } = await saving()
    return svgToPng(svgOf(plot, figure))
  }
  const saveSvg = withFigure('Saved', async (figure) => {
    const { saveBlob, svgOf } = await saving()
    saveBlob(new Blob([svgOf(plot, figure)], { type: 'image/svg+xml' }), `${name}.svg`)
  })
  const savePng = withFigure('Saved', async (figure) => {
    const { saveBlob } = await saving()
    saveBlob(await pngOf(figure), `${name}.png`)
  })
  const copyPng = withFigure('Copied', (figure) =>
    navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(figure) })]),
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
