import type { LoadChange } from './load-change'
import type { Lump } from './lump'
import type { ShiftOfAll } from './shift-of-all'
import type { TimeWindow } from './time-window'

/** What a difference may stand with. */
export const candidateKinds = [
  'load-differs',
  'status',
  'target',
  'value',
  'cold-starts',
  'mix',
  'time-window',
  'warm-up',
  'shift',
  'tail',
  'mode',
  'server-part',
] as const
export type CandidateKind = (typeof candidateKinds)[number]

/** One thing that the difference stands with, and how much of it. */
export interface Candidate {
  readonly kind: CandidateKind
  /** Order among candidates: what explains nearly all, in the smallest set of requests, is first. */
  readonly score: number
  /** Share of the difference that it explains, 0…1. */
  readonly explained: number
  /** `target`, `connection`, `header:x-cache`, `server-timing;db`; null: of all requests. */
  readonly attribute: string | null
  readonly value: string | null
  /** Standard deviations by which it stands out; null: it is judged by its fit. */
  readonly z: number | null
  /** Share of the traffic, the mean of both sides; null: it is not a set of requests. */
  readonly traffic: number | null
  /** Share of the traffic on each side, where it moved; null: that is not what it is about. */
  readonly shares: { readonly base: number; readonly head: number } | null
  readonly side: 'base' | 'head' | null
  readonly window?: TimeWindow
  readonly shift?: ShiftOfAll
  readonly lump?: Lump
  readonly load?: LoadChange
}

/** A candidate with what is stated of it; all else is not known. */
export const candidate = (stated: Pick<Candidate, 'kind' | 'score' | 'explained'> & Partial<Candidate>): Candidate => ({
  ...{ attribute: null, value: null, z: null, traffic: null, shares: null, side: null },
  ...stated,
  explained: Math.min(1, Math.max(0, stated.explained)),
})

/** Of two attributes that say the same the simpler one: by which requests are chosen, before what came of them. */
export const preference = (attribute: string): number =>
  ({ target: 0, cold: 0, connection: 1, method: 2, error: 3, status: 3, bytes: 4 })[attribute] ?? 1
