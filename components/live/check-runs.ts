import { judgedStates } from '@/lib/run/judged-states'
import type { JudgedRow } from '@/lib/run/judgement'
import { memberOf, readApi } from '../ui/actions/call-api'

/** What a list shows, as far as newer runs and judgements matter. */
export interface ShownList {
  readonly slug: string
  /** Conditions of the list, as a query string. */
  readonly query: string
  /** When its newest run began; later ones are new. */
  readonly newestAt: string
  /** Its runs that are not judged yet. */
  readonly waiting: readonly { readonly id: string; readonly orderedAt: string }[]
  /** Later runs that it shows in another place. */
  readonly known: readonly string[]
}

/** What changed since the list was made. */
export interface RunChanges {
  readonly newer: number
  /** There may be more of them. */
  readonly isPart: boolean
  readonly judged: ReadonlyMap<string, JudgedRow>
}

const limit = 200

/** Asks the API for the runs since then that belong to the list. */
export async function checkRuns(list: ShownList, signal: AbortSignal): Promise<RunChanges> {
  const params = new URLSearchParams(list.query)
  const times = [list.newestAt, ...list.waiting.map(({ orderedAt }) => orderedAt)]
  params.set(
    'from',
    times.reduce((one, other) => (other < one ? other : one)),
  )
  params.set('limit', String(limit))
  const json = await readApi(`/api/v1/projects/${list.slug}/runs?${params.toString()}`, signal)
  const found = memberOf(json, 'rows')
  const rows: readonly unknown[] = Array.isArray(found) ? found : []
  const isNewer = (row: unknown) => {
    const [id, at] = [memberOf(row, 'id'), memberOf(row, 'orderedAt')]
    return typeof at === 'string' && at > list.newestAt && !list.known.includes(String(id))
  }
  const judged = list.waiting.flatMap(({ id }) => {
    const now = judgedOf(rows.find((row) => memberOf(row, 'id') === id))
    return now === null ? [] : [[id, now] as const]
  })
  return { newer: rows.filter(isNewer).length, isPart: rows.length === limit, judged: new Map(judged) }
}

function judgedOf(row: unknown): JudgedRow | null {
  const judged = memberOf(row, 'judged')
  const state = judgedStates.find((one) => one === memberOf(judged, 'state'))
  const sentence = memberOf(judged, 'sentence')
  return state === undefined || typeof sentence !== 'string' ? null : { state, sentence }
}
