'use client'

import { useRef, type ReactNode } from 'react'
import { Menu } from '../../ui/menu'
import { announce, announceFailure } from '../../ui/toasts'
import type { Plot } from './model'
import styles from './plot.module.css'

/** The code that draws a file is loaded on demand: it costs no page anything. */
const saving = () => import('./save')

const fileName = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

interface Props {
  readonly plot: Plot
  /** False: its table is shown. */
  readonly isDrawn: boolean
  /** Its figures as a file from the server; absent: the drawn ones. */
  readonly csvHref?: string | undefined
  /** Further entries. */
  readonly children?: ReactNode
}

/** Less frequent actions on a plot: save or copy it as a picture or figures, show it in full. */
export function ChartMenu({ plot, isDrawn, csvHref, children }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const frame = () => root.current?.closest('figure') ?? null
  const withFigure = (run: (figure: HTMLElement) => Promise<void>) => () => {
    const figure = frame()
    if (figure !== null) run(figure).catch(announceFailure)
  }
  const name = fileName(plot.title)
  const pngOf = async (figure: HTMLElement) => {
    const { svgOf, svgToPng } = await saving()
    return svgToPng(svgOf(plot, figure))
  }
  const saveSvg = withFigure(async (figure) => {
    const { saveBlob, svgOf } = await saving()
    saveBlob(new Blob([svgOf(plot, figure)], { type: 'image/svg+xml' }), `${name}.svg`)
  })
  const savePng = withFigure(async (figure) => {
    const { saveBlob } = await saving()
    saveBlob(await pngOf(figure), `${name}.png`)
  })
  const copyPng = withFigure(async (figure) => {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(figure) })])
    announce('Chart copied')
  })
  const saveCsv = withFigure(async () => {
    const { csvOf, saveBlob } = await saving()
    saveBlob(new Blob([csvOf(plot)], { type: 'text/csv' }), `${name}.csv`)
  })
  const fullScreen = withFigure((figure) =>
    document.fullscreenElement !== null ? document.exitFullscreen() : figure.requestFullscreen(),
  )
  return (
    <div ref={root}>
      <Menu label="Chart menu" className={styles.menu}>
        {children}
        {isDrawn && (
          <>
            <button type="button" onClick={savePng}>
              Save as PNG
            </button>
            <button type="button" onClick={saveSvg}>
              Save as SVG
            </button>
            <button type="button" onClick={copyPng}>
              Copy as PNG
            </button>
          </>
        )}
        {csvHref !== undefined ? (
          <a href={csvHref} download="" data-command="Download the runs of this chart as CSV">
            Save as CSV
          </a>
        ) : (
          isDrawn &&
          plot.heading !== null && (
            <button type="button" onClick={saveCsv}>
              Save as CSV
            </button>
          )
        )}
        <button type="button" onClick={fullScreen}>
          Full screen
        </button>
      </Menu>
    </div>
  )
}
