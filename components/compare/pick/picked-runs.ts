import { maxCompared, readSides } from '@/lib/judge/compare-url'
import type { RunRow } from '@/lib/history/stored-runs'

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** The runs picked so far for a comparison, from the address of the pick page. */
export interface PickedRuns {
  /** Sides that are already compared, to which runs are added; none: a new comparison. */
  readonly to: readonly (readonly string[])[]
  /** Ids of ticked runs, in the order of the form. */
  readonly ids: readonly string[]
  /** The run chosen as base; null: none was. */
  readonly baseId: string | null
  /** A run that the user came to compare; null: none. */
  readonly candidateId: string | null
  /** Words that listed runs must contain; empty: all are listed. */
  readonly text: string
  /** The search was submitted, not the comparison. */
  readonly isSearch: boolean
}

/** Reads `?to=a...b&run=c&run=d&base=c&q=ping&find=1`; `?base=a&candidate=b` is a whole comparison. */
export function readPicked(params: SearchParams): PickedRuns {
  const first = (key: string) => [params[key] ?? []].flat()[0] ?? null
  const baseId = first('base')
  const candidateId = first('candidate')
  const ticked = [params.run ?? []].flat().filter((id) => id !== '')
  const isPair = baseId !== null && candidateId !== null
  return {
    to: readSides(first('to') ?? '') ?? [],
    ids: [...new Set(isPair ? [baseId, candidateId, ...ticked] : ticked)].slice(0, 40),
    baseId,
    candidateId: isPair ? null : candidateId,
    text: (first('q') ?? '').trim().slice(0, 200),
    isSearch: first('find') !== null,
  }
}

/** The picked sides, the base first; null: not enough, too many, or the search is still on. */
export function pickedSides({ to, ids, baseId, isSearch }: PickedRuns): readonly (readonly string[])[] | null {
  const known = new Set(to.flat())
  const added = ids.filter((id) => !known.has(id))
  const base = to.length === 0 ? added.filter((id) => id === baseId) : []
  const sides = [...to, ...base.map((id) => [id]), ...added.flatMap((id) => (base.includes(id) ? [] : [[id]]))]
  return !isSearch && added.length > 0 && sides.length >= 2 && sides.length <= maxCompared ? sides : null
}

type Listed = Pick<RunRow, 'id' | 'scenario' | 'tool' | 'orderedAt'>

/**
 * The ids that are ticked when the list opens, the base first: the picked ones; else the wanted run against one of its
 * scenario and tool that is not younger; else none.
 */
export function proposedRuns({ ids, baseId, candidateId }: PickedRuns, runs: readonly Listed[]): readonly string[] {
  if (ids.length > 0)
    return baseId === null ? ids : [...ids].sort((a, b) => Number(b === baseId) - Number(a === baseId))
  const wanted = runs.find(({ id }) => id === candidateId)
  if (!wanted) return []
  const alike = runs.filter((one) => one !== wanted && one.scenario === wanted.scenario && one.tool === wanted.tool)
  const base = alike.find(({ orderedAt }) => orderedAt <= wanted.orderedAt) ?? alike[0]
  return base ? [base.id, wanted.id] : [wanted.id]
}
