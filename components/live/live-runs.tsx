'use client'

import { useRouter } from 'next/navigation'
import { createContext, useContext, useEffect, useRef, useState, useTransition, type ReactNode } from 'react'
import type { JudgedRow } from '@/lib/run/judgement'
import { checkRuns, type RunChanges, type ShownList } from './check-runs'
import styles from './live-runs.module.css'
import { useChanges } from './use-changes'

/** An upload and its judgement are several changes within a moment. */
const settleMs = 300
/** However often the project changes. */
const pauseMs = 3_000

interface Props extends Omit<ShownList, 'known'> {
  /** Version of the project that the page shows. */
  readonly version: string
  readonly known?: readonly string[]
  /** Beside the button, which has its place there; absent: it lies over what is below. */
  readonly lead?: ReactNode
  /** The list, whose marks follow `useJudged`. */
  readonly children?: ReactNode
}

const JudgedRuns = createContext<ReadonlyMap<string, JudgedRow>>(new Map())

/** The state of a run of the list that was judged since; undefined: it was not. */
export const useJudged = (runId: string): JudgedRow | undefined => useContext(JudgedRuns).get(runId)

/**
 * A list that waits: says how many runs came since it was made, and shows them when asked to, so that nothing moves
 * under the reader's hand. States of its runs replace "not judged yet" by themselves.
 */
export function LiveRuns({ version, known = [], lead, children, ...shown }: Props) {
  const [isShowing, startShowing] = useTransition()
  const router = useRouter()
  const changes = useRunChanges({ ...shown, known }, version, () => router.refresh())
  const tint = useTint(shown.newestAt)
  const { newer, isPart } = changes
  const show = () => {
    tint()
    startShowing(() => router.refresh())
  }
  return (
    <JudgedRuns value={changes.judged}>
      {lead !== undefined && <div className={styles.lead}>{lead}</div>}
      <div className={`screen-only ${styles.bar}`} role="status">
        {newer > 0 && (
          <button type="button" aria-keyshortcuts="." className={styles.show} disabled={isShowing} onClick={show}>
            {newer}
            {isPart ? ' or more' : ''} new {newer === 1 ? 'run' : 'runs'} · show
          </button>
        )}
      </div>
      {children}
    </JudgedRuns>
  )
}

const none: RunChanges = { newer: 0, isPart: false, judged: new Map() }

/** What changed since the page was made. `refresh`: called when nothing would move. */
function useRunChanges(list: ShownList, version: string, refresh: () => void): RunChanges {
  const [found, setFound] = useState({ of: version, changes: none })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const checkedAtMs = useRef(-pauseMs)
  const controller = useRef<AbortController>(undefined)
  // What it shows may be another list by the time that it is asked for.
  const newest = useRef({ list, version, refresh })
  useEffect(() => {
    newest.current = { list, version, refresh }
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      controller.current?.abort()
    },
    [],
  )
  const check = async () => {
    checkedAtMs.current = performance.now()
    controller.current?.abort()
    controller.current = new AbortController()
    const { list: asked, version: of } = newest.current
    // The next change asks again.
    const changes = await checkRuns(asked, controller.current.signal).catch(() => null)
    if (changes === null || newest.current.version !== of) return
    if (changes.newer === 0 && changes.judged.size > 0) newest.current.refresh()
    else setFound({ of, changes })
  }
  useChanges(list.slug, version, () => {
    clearTimeout(timer.current)
    const waitMs = Math.max(settleMs, checkedAtMs.current + pauseMs - performance.now())
    timer.current = setTimeout(() => void check(), waitMs)
  })
  return found.of === version ? found.changes : none
}

/** Call the returned function before the list is loaded again: what is new is then tinted for a moment. */
function useTint(newestAt: string): () => void {
  const from = useRef<string>(undefined)
  useEffect(() => {
    const since = from.current
    from.current = undefined
    if (since === undefined || since === newestAt) return
    for (const box of document.querySelectorAll<HTMLInputElement>('input[name=run]'))
      if ((box.dataset['at'] ?? '') > since) box.closest('tr')?.animate(tinted, { duration: 6_000, easing: 'ease-in' })
  }, [newestAt])
  return () => {
    from.current = newestAt
  }
}

const tinted = [{ background: 'var(--selected)' }, { background: 'var(--selected)' }, { background: 'transparent' }]
