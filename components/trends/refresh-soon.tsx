'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const firstMs = 1_000
const lastMs = 30_000

/** Asks for the page again, later each time, for as long as it is shown: for what the server is still at. */
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
