'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const firstMs = 1_000
const lastMs = 30_000

/** Reloads the page while it is shown, at growing intervals, because the server is still working on it. */
export function RefreshSoon() {
  const router = useRouter()
  useEffect(() => {
    let waitMs = firstMs
    let timer = setTimeout(again, waitMs)
    function again() {
      router.refresh()
      waitMs = Math.min(lastMs, waitMs * 2)
      timer = setTimeout(again, waitMs)
    }
    return () => clearTimeout(timer)
  }, [router])
  return null
}
