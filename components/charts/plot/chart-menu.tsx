'use client'

import { useRef, type ReactNode } from 'react'
import { Menu } from '../../ui/menu'
import { announce, announceFailure } from '../../ui/actions/toasts'
import { usePlotCaption, type PictureCaption } from '../../ui/plot-caption'
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

/** What can be done with the figure of a plot. */
const actionsOf = (plot: Plot, caption: PictureCaption | null) => {
  const name = fileName(plot.title)
  const pngOf = async (figure: HTMLElement) => {
    const { svgOf, svgToPng } = await saving()
    return svgToPng(await svgOf(plot, figure, caption))
  }
  return {
    savePng: async (figure: HTMLElement) => {
      const { saveBlob } = await saving()
      saveBlob(await pngOf(figure), `${name}.png`)
    },
    saveSvg: async (figure: HTMLElement) => {
      const { saveBlob, svgOf } = await saving()
      saveBlob(new Blob([await svgOf(plot, figure, caption)], { type: 'image/svg+xml' }), `${name}.svg`)
    },
    copyPng: async (figure: HTMLElement) => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(figure) })])
      announce('Chart copied')
    },
    saveCsv: async () => {
      const { csvOf, saveBlob } = await saving()
      saveBlob(new Blob([csvOf(plot)], { type: 'text/csv' }), `${name}.csv`)
    },
    fullScreen: (figure: HTMLElement) =>
      document.fullscreenElement !== null ? document.exitFullscreen() : figure.requestFullscreen(),
  }
}

/** Less frequent actions on a plot: save or copy it as a picture or figures, show it in full. */
export function ChartMenu({ plot, isDrawn, csvHref, children }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const { savePng, saveSvg, copyPng, saveCsv, fullScreen } = actionsOf(plot, usePlotCaption())
  const item = (words: string, act: (figure: HTMLElement) => Promise<void>) => {
    const onClick = () => {
      const figure = root.current?.closest('figure') ?? null
      if (figure !== null) act(figure).catch(announceFailure)
    }
    return (
      <button type="button" onClick={onClick}>
        {words}
      </button>
    )
  }
  return (
    <div ref={root}>
      <Menu label="Chart menu" className={styles.menu}>
        {children}
        {isDrawn && (
          <>
            {item('Save as PNG', savePng)}
            {item('Save as SVG', saveSvg)}
            {item('Copy as PNG', copyPng)}
          </>
        )}
        {csvHref !== undefined ? (
          <a href={csvHref} download="" data-command="Download the runs of this chart as CSV">
            Save as CSV
          </a>
        ) : (
          isDrawn && plot.heading !== null && item('Save as CSV', saveCsv)
        )}
        {item('Full screen', fullScreen)}
      </Menu>
    </div>
  )
}
