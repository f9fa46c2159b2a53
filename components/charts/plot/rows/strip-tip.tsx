'use client'

import { useEffect, useState } from 'react'
import styles from './rows.module.css'

/** Loaded with the first strip that the pointer reaches: it costs no page anything. */
const loadReads = () => import('./strip-reads')

interface Tip {
  readonly lines: readonly string[]
  /** In the window, px. */
  readonly left: number
  readonly top: number
}

/** What is read of the strips of a page under a mouse: one for all of them. */
export function StripTip() {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => {
    let latest: PointerEvent | null = null
    const onMove = async (event: PointerEvent) => {
      latest = event
      const strip = event.pointerType === 'mouse' ? stripOf(event) : null
      const next = strip === null ? null : await tipAt(strip, event.clientX)
      // Meanwhile, the pointer may have moved on.
      if (latest === event) setTip(next)
    }
    const onPointer = (event: PointerEvent) => void onMove(event)
    const onScroll = () => {
      latest = null
      setTip(null)
    }
    document.addEventListener('pointermove', onPointer, { passive: true })
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      document.removeEventListener('pointermove', onPointer)
      window.removeEventListener('scroll', onScroll)
    }
  }, [])
  if (tip === null) return null
  const [value, ...others] = tip.lines
  return (
    <div className={`outlined text-12 ${styles.tip}`} style={{ left: tip.left, top: tip.top }} aria-hidden="true">
      <strong className="block">{value}</strong>
      {others.map((line) => (
        <span key={line} className="block muted">
          {line}
        </span>
      ))}
    </div>
  )
}

/** The strip under the pointer; null: none. */
const stripOf = ({ target }: PointerEvent) =>
  target instanceof Element ? target.closest<SVGElement>('svg[data-reads]') : null

/** Null: nothing is known of the run that is nearest to the pointer. */
async function tipAt(strip: SVGElement, clientX: number): Promise<Tip | null> {
  const { placeOfRun, readRun, unpackReads } = await loadReads()
  const reads = unpackReads(strip.dataset['reads'] ?? '')
  const { left, width, bottom } = strip.getBoundingClientRect()
  const shares = reads.runs.map((_, at) => placeOfRun(at, reads.runs.length))
  const now = (clientX - left) / Math.max(1, width)
  const nearest = shares.reduce((best, share, at) => {
    return Math.abs(share - now) < Math.abs((shares[best] ?? Infinity) - now) ? at : best
  }, 0)
  const lines = readRun(reads, nearest)
  if (lines.length === 0) return null
  const at = left + (shares[nearest] ?? 0) * width
  return { lines, left: Math.min(at + 10, window.innerWidth - 190), top: bottom + 4 }
}
