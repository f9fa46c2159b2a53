import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
import { draggedPart, type Part, type Touch } from './gestures'
import type { BoxChoice, Plot } from './model'
import styles from './plot.module.css'
import { place } from './scale'
import type { Place } from './svg'

interface Props {
  readonly plot: Plot
  readonly box: BoxChoice
  /** A drag along time alone is the cursor's: it draws only that part. */
  readonly canZoom: boolean
  /** Where the cursor is on the x axis, and where the part begins that the keys selected; null: nowhere. */
  readonly x: number | null
  readonly from: number | null
  /** The cursor lets go of a drag or a selection that became a box. */
  readonly letGo: () => void
}

/**
 * Dragging a rectangle over cells, or the key B, opens what is in that box. It listens before the cursor does, and is
 * loaded once the reader points at a plot or tabs to it.
 */
export function BoxLayer(props: Props) {
  const { box } = props
  const own = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<Touch | null>(null)
  const [isOpening, startOpening] = useTransition()
  const router = useRouter()
  // What it hears is about the plot as it is shown by then.
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const open = useRef<(part: Part) => void>(() => undefined)
  useEffect(() => {
    open.current = (part) => {
      const query = boxQuery(props.plot, part, box)
      props.letGo()
      if (query === null) return
      startOpening(() => router.push(`${box.base}${query}`, { scroll: box.shown === null }))
    }
  })
  useEffect(() => {
    const area = own.current?.parentElement
    const host = area?.closest<HTMLElement>('[role="application"]')
    if (!area || !host) return
    const stop = new AbortController()
    let touch: Touch | null = null
    const partOf = (one: Touch): Part | null => {
      const { width, height } = area.getBoundingClientRect()
      const part = draggedPart(one, width, height)
      return part !== null && (part.y !== null || !latest.current.canZoom) ? part : null
    }
    const on = <Name extends keyof HTMLElementEventMap>(name: Name, hear: (event: HTMLElementEventMap[Name]) => void) =>
      host.addEventListener(name, hear, { signal: stop.signal })
    on('pointerdown', (event) => {
      const at = placeIn(area, event)
      const isIn = at[1] >= 0 && at[1] <= 1
      touch = isIn && event.pointerType !== 'touch' && event.button === 0 ? { from: at, to: at } : null
    })
    on('pointermove', (event) => {
      if (touch === null) return
      const [x, y] = placeIn(area, event)
      touch = { from: touch.from, to: [within(x), within(y)] }
      const part = partOf(touch)
      setDrawn(part === null ? null : touch)
      // Until then it may be a part of the time.
      if (part?.y) latest.current.letGo()
    })
    on('pointerup', (event) => {
      const part = touch && partOf(touch)
      touch = null
      if (part === null) return setDrawn(null)
      event.stopPropagation()
      open.current(part)
    })
    on('pointerleave', () => {
      if (touch !== null) setDrawn(null)
      touch = null
    })
    on('keydown', (event) => {
      const { plot, x, from, canZoom } = latest.current
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey
      const asks = event.key === 'b' || (event.key === 'Enter' && !canZoom && event.target === host)
      if (x === null || !isPlain || !asks) return
      event.stopPropagation()
      setDrawn(null)
      const ends = [x, from ?? x].map((value) => place(value, plot.x.domain, plot.x.scale)).sort((a, b) => a - b)
      open.current({ x: [ends[0] ?? 0, ends[1] ?? 1], y: null })
    })
    return () => stop.abort()
  }, [])
  return (
    <div ref={own} data-box-layer aria-busy={isOpening || undefined} className={isOpening ? styles.opening : undefined}>
      {drawn !== null && <DrawnBox touch={drawn} />}
    </div>
  )
}

const within = (share: number): number => Math.min(1, Math.max(0, share))

function placeIn(area: Element, { clientX, clientY }: PointerEvent): Place {
  const { left, top, width, height } = area.getBoundingClientRect()
  return [(clientX - left) / Math.max(1, width), (clientY - top) / Math.max(1, height)]
}

/** A rectangle that is being drawn, or whose requests are being read. */
function DrawnBox({ touch: { from, to } }: { readonly touch: Touch }) {
  const [left, right] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])]
  const [top, bottom] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])]
  const inset = [top, 1 - right, 1 - bottom, left].map((share) => `${share * 100}%`).join(' ')
  return <div className={styles.box} style={{ inset }} />
}

/** The position of the panel with cells; −1: the plot has none. */
const cellsPanel = ({ panels }: Plot): number =>
  panels.findIndex(({ marks }) => marks.some(({ kind }) => kind === 'cells'))

/**
 * The cells that a part touches, as bounds in an address: seconds and ms. What reaches to the first column, the lowest
 * or the highest row is open there. Null: the plot has no cells.
 */
export function boxQuery(plot: Plot, { x, y }: Part, { lowerMs }: BoxChoice): string | null {
  const cells = plot.panels[cellsPanel(plot)]?.marks.find((mark) => mark.kind === 'cells')
  if (cells === undefined) return null
  const [start, end] = plot.x.domain
  const columns = (end - start) / cells.columnWidth
  const bounds = new URLSearchParams()
  const put = (key: string, value: number | undefined) => value !== undefined && bounds.set(key, String(value))
  if (x !== null) {
    const second = (column: number) => Number(((start + column * cells.columnWidth) / 1_000).toPrecision(12))
    const [from, to] = [Math.floor(x[0] * columns + nudge), Math.ceil(x[1] * columns - nudge)]
    if (start > 0 || from > 0) put('from', second(from))
    put('to', second(Math.max(to, from + 1)))
  }
  if (y !== null) {
    const rows = lowerMs.length
    // Shares are counted from the top.
    const [low, high] = [Math.floor((1 - y[1]) * rows + nudge), Math.ceil((1 - y[0]) * rows - nudge)]
    if (low > 0) put('above', lowerMs[low])
    put('below', lowerMs[Math.max(high, low + 1)])
  }
  return bounds.toString()
}

/** What ends this little beyond the edge of a cell does not touch the next. */
const nudge = 0.02
