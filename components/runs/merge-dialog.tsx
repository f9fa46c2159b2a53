'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { formatCount, formatDuration, formatMs, formatNumber, missing, plural } from '@/lib/format'
import { useAttempts } from '../ui/attempt'
import { callApi, memberOf, readApi, sentenceOf, textOf } from '../ui/call-api'
import dialogs from '../ui/dialog.module.css'
import { offerUndo } from '../ui/toasts'
import styles from './merge-dialog.module.css'

interface MergeDialogProps {
  readonly slug: string
  readonly runIds: readonly string[]
  onClose(): void
}

/** What the server says of the runs as one; null: it was not heard of yet. */
type Plan =
  | {
      readonly kind: 'merged'
      readonly figures: readonly (readonly [name: string, value: string])[]
      readonly remarks: readonly string[]
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string | null }

/** Says what the selected runs would be as one, or why they cannot be, and makes them one. */
export function MergeDialog({ slug, runIds, onClose }: MergeDialogProps) {
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [plan, setPlan] = useState<Plan | null>(null)
  const { problem, attempt } = useAttempts()
  const api = `/api/v1/projects/${slug}/runs`
  const asked = `${api}/merge?${new URLSearchParams(runIds.map((id) => ['run', id])).toString()}`

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    const leaving = new AbortController()
    readApi(asked, leaving.signal).then(
      (json) => setPlan(readPlan(json)),
      (error: unknown) => {
        if (!leaving.signal.aborted) setPlan({ kind: 'refused', reason: sentenceOf(error), hint: null })
      },
    )
    return () => leaving.abort()
  }, [asked])

  const merge = () =>
    attempt(async () => {
      const id = textOf(await callApi('POST', `${api}/merge`, { runs: runIds }), 'id')
      dialog.current?.close()
      router.push(`/p/${slug}/runs/${id}`)
      router.refresh()
      const split = () => callApi('POST', `${api}/${id}/split`)
      const back = () => {
        router.push(`/p/${slug}/runs`)
        router.refresh()
      }
      offerUndo(`${plural(runIds.length, 'run')} merged into one`, split, back)
    })
  return (
    <dialog ref={dialog} className={dialogs.dialog} aria-label="Merge into one run" onClose={onClose}>
      <h2 className="section-title">Merge {plural(runIds.length, 'run')} into one</h2>
      <div className={dialogs.form}>
        {plan === null && <p className="muted">Adding up …</p>}
        {plan?.kind === 'refused' && (
          <div role="alert" className={styles.refusal}>
            <p>They cannot be one run. {plan.reason}</p>
            {plan.hint !== null && <p className="muted">{plan.hint}</p>}
          </div>
        )}
        {plan?.kind === 'merged' && (
          <>
            <p>
              For generators that drove one test at the same time. Counts, rates and histograms are added; percentiles
              are read off the sum, never averaged.
            </p>
            <dl className={styles.figures}>
              {plan.figures.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {plan.remarks.length > 0 && (
              <ul className={styles.remarks}>
                {plan.remarks.map((remark) => (
                  <li key={remark}>{remark}</li>
                ))}
              </ul>
            )}
            <p className="muted">
              The {runIds.length} runs leave lists and series until the merged run is split again. Their files stay.
            </p>
          </>
        )}
        {problem !== null && <p role="alert">{problem}</p>}
        <div className={dialogs.buttons}>
          {plan?.kind === 'merged' && (
            <button type="button" className="button button-primary" onClick={() => void merge()}>
              Merge
            </button>
          )}
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {plan?.kind === 'refused' ? 'Close' : 'Cancel'}
          </button>
        </div>
      </div>
    </dialog>
  )
}

function readPlan(json: unknown): Plan {
  if (textOf(json, 'kind') !== 'merged')
    return { kind: 'refused', reason: textOf(json, 'reason') ?? '', hint: textOf(json, 'hint') }
  const figures = memberOf(json, 'figures')
  const of = (key: string) => {
    const value = memberOf(figures, key)
    return typeof value === 'number' ? value : null
  }
  const rate = of('requestsPerSecond')
  const remarks = memberOf(json, 'remarks')
  return {
    kind: 'merged',
    figures: [
      ['Requests', formatCount(of('requests'))],
      ['Took', formatDuration(of('durationMs'))],
      ['Requests/s', rate === null ? missing : formatNumber(rate)],
      ['p50', formatMs(of('p50Ms'))],
      ['p99', formatMs(of('p99Ms'))],
      ['Max', formatMs(of('maxMs'))],
    ],
    remarks: Array.isArray(remarks) ? remarks.filter((remark) => typeof remark === 'string') : [],
  }
}
