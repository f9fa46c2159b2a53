import { useEffect, useState } from 'react'
import { formatCount, formatDuration, formatMs, formatNumber, missing } from '@/lib/format'
import { memberOf, sentenceOf, textOf } from '../ui/actions/call-api'

/** The server's plan of a merge. Figures are texts already. */
export type MergePlan =
  | {
      readonly kind: 'merged'
      readonly figures: readonly (readonly [name: string, value: string])[]
      readonly remarks: readonly string[]
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string | null }

/**
 * Requests a plan, again when `key` changes (which names all that it depends on); null: not received yet, or no key.
 */
export function useMergePlan(
  key: string | null,
  ask: (key: string, signal: AbortSignal) => Promise<unknown>,
): MergePlan | null {
  const [heard, setHeard] = useState<{ readonly key: string; readonly plan: MergePlan } | null>(null)
  useEffect(() => {
    if (key === null) return
    const leaving = new AbortController()
    ask(key, leaving.signal).then(
      (json) => setHeard({ key, plan: readPlan(json) }),
      (error: unknown) => {
        if (leaving.signal.aborted) return
        setHeard({ key, plan: { kind: 'refused', reason: sentenceOf(error), hint: null } })
      },
    )
    return () => leaving.abort()
  }, [key, ask])
  return heard !== null && heard.key === key ? heard.plan : null
}

function readPlan(json: unknown): MergePlan {
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
