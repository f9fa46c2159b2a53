'use client'

import { useRef, type ReactNode } from 'react'
import { Menu } from '../../ui/menu'
import { announce, announceFailure } from '../../ui/actions/toasts'
import { usePlotCaption } from '../../ui/plot-caption'
import type { Plot } from './model'
import styles from './plot.module.css'

/** The code that draws a file is loaded on demand: it costs no page anything. */
const saving = () => import('./save')

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
  const caption = usePlotCaption()
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
            {item('Save as PNG', async (figure) => (await saving()).savePng(plot, figure, caption))}
            {item('Save as SVG', async (figure) => (await saving()).saveSvg(plot, figure, caption))}
            {item('Copy as PNG', async (figure) => {
              // The clipboard takes a promise: it must be asked while the press lasts.
              const png = saving().then(({ pngOf }) => pngOf(plot, figure, caption))
              await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
              announce('Chart copied')
            })}
          </>
        )}
        {csvHref !== undefined ? (
          <a href={csvHref} download="" data-command="Download the runs of this chart as CSV">
            Save as CSV
          </a>
        ) : (
          isDrawn && plot.heading !== null && item('Save as CSV', async () => (await saving()).saveCsv(plot))
        )}
        {item('Full screen', (figure) =>
          document.fullscreenElement !== null ? document.exitFullscreen() : figure.requestFullscreen(),
        )}
      </Menu>
    </div>
  )
}
