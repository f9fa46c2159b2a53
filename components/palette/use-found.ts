'use client'

import { useEffect, useState } from 'react'
import { readApi, sentenceOf } from '../ui/call-api'
import { foundItems, type PaletteItem } from './palette-items'

/** What the search of a project found; `problem`: why it could not. */
interface Found {
  readonly found: readonly PaletteItem[]
  readonly problem: string | null
  readonly isSearching: boolean
}

/** One letter names half of all runs. */
const fewestLetters = 2
const pauseMs = 120
const nothing: readonly PaletteItem[] = []

/** Runs and comparisons of a project that a text names, asked for once the typing pauses; an older question is given up. */
export function useFound(projectSlug: string | null, text: string): Found {
  const wanted = text.trim()
  const asked = projectSlug !== null && wanted.length >= fewestLetters ? `${projectSlug}\n${wanted}` : null
  const [answer, setAnswer] = useState<{ asked: string; found: readonly PaletteItem[]; problem: string | null } | null>(
    null,
  )
  useEffect(() => {
    if (asked === null || projectSlug === null) return
    const giveUp = new AbortController()
    const url = `/api/v1/projects/${projectSlug}/search?text=${encodeURIComponent(wanted)}`
    const timer = setTimeout(() => {
      readApi(url, giveUp.signal).then(
        (json) => setAnswer({ asked, found: foundItems(projectSlug, json), problem: null }),
        (error: unknown) => {
          if (!giveUp.signal.aborted) setAnswer({ asked, found: nothing, problem: sentenceOf(error) })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      giveUp.abort()
    }
  }, [asked, projectSlug, wanted])
  if (asked === null) return { found: nothing, problem: null, isSearching: false }
  if (answer?.asked === asked) return { ...answer, isSearching: false }
  // What was found for the text before stays until the new answer is there: the list does not flicker.
  return { found: answer?.found ?? nothing, problem: null, isSearching: true }
}
