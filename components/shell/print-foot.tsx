'use client'

import { useEffect, useRef } from 'react'
import { formatMoment } from '@/lib/format'

/** On paper only: the page's name, its address and when it was printed. */
export function PrintFoot() {
  const foot = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const fill = () => {
      const at = new Date().toISOString()
      const time = `${formatMoment(at)} UTC`
      if (foot.current) foot.current.textContent = `${document.title} · ${window.location.href} · printed ${time}`
    }
    fill()
    window.addEventListener('beforeprint', fill)
    return () => window.removeEventListener('beforeprint', fill)
  }, [])
  return <p ref={foot} className="print-foot" aria-hidden="true" />
}
