import { useState, type KeyboardEvent } from 'react'

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }

/** A cursor over bins of time: null is none. */
export interface BinCursor {
  readonly bin: number | null
  /** Puts it where the pointer is, as a share 0…1 of the width. */
  pointAt(share: number): void
  clear(): void
  /** Arrows step, Page keys by ten, Home and End go to the ends, Escape lets go. */
  onKeyDown(event: KeyboardEvent): void
}

/** The cursor of one timeline, or of many at the same time since their start. */
export function useBinCursor(binCount: number): BinCursor {
  const [bin, setBin] = useState<number | null>(null)
  const within = (wanted: number) => Math.min(binCount - 1, Math.max(0, wanted))
  return {
    bin,
    pointAt: (share) => setBin(within(Math.floor(share * binCount))),
    clear: () => setBin(null),
    onKeyDown(event) {
      if (event.key === 'Escape') setBin(null)
      const target = event.key === 'Home' ? 0 : event.key === 'End' ? binCount - 1 : null
      const step = steps[event.key]
      if (target === null && step === undefined) return
      event.preventDefault()
      setBin((now) => target ?? within(now === null ? 0 : now + (step ?? 0)))
    },
  }
}
