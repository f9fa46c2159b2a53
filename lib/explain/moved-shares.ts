import type { Cube } from '../cube/cube'
import { candidate, preference, type Candidate } from './candidate'
import { Distribution } from './distribution'
import { isErrorCode, shareZ, weightOf, type Group, type GroupValue } from './groups'
import { distance } from './shares-above'

/** An attribute with more values is no mix. */
const mostValues = 60
const leastChange = 0.008
const leastZ = 5
const leastShare = 0.65
const fewestRows = 15
/** Error codes that moved by more are named whatever the mix of latencies. */
const leastErrors = 0.01

/** How the share of all error codes moved, and by how many standard deviations the one that moved most. */
export interface ErrorChange {
  readonly change: number
  /** Share of all error codes on each side. */
  readonly shares: { readonly base: number; readonly head: number }
  readonly z: number
  /** The code that moved most; null: there are none. */
  readonly most: GroupValue | null
}

export function errorChange(groups: readonly Group[], base: Cube, head: Cube): ErrorChange {
  const codes = groups.find(({ name }) => name === 'status')?.values.filter(({ value }) => isErrorCode(value)) ?? []
  const z = Math.max(0, ...codes.map((code) => Math.abs(shareZ(code, base, head))))
  const sumOf = (side: 'baseShare' | 'headShare') => codes.reduce((sum, code) => sum + code[side], 0)
  const shares = { base: sumOf('baseShare'), head: sumOf('headShare') }
  return { change: shares.head - shares.base, shares, z, most: mostMoved(codes) }
}

export const isErrorChange = ({ change, z }: ErrorChange): boolean => Math.abs(change) > leastErrors && z > leastZ

const changeOf = ({ baseShare, headShare }: GroupValue): number => headShare - baseShare

const mostMoved = (values: readonly GroupValue[]): GroupValue | null =>
  values.reduce<GroupValue | null>(
    (most, one) => (most === null || Math.abs(changeOf(one)) > Math.abs(changeOf(most)) ? one : most),
    null,
  )

/** Errors that came or went. */
export function errorCandidate(errors: ErrorChange): readonly Candidate[] {
  const { most, shares, z } = errors
  if (most === null || !isErrorChange(errors)) return []
  const of = { attribute: 'status', value: most.value, traffic: weightOf(most) }
  return [candidate({ kind: 'status', score: 2, explained: 1, ...of, shares, z })]
}

/**
 * Attributes whose values keep their latencies and change their shares: base, reweighted to head's shares, explains what
 * of the difference disappears.
 */
export function movedShares(
  groups: readonly Group[],
  base: Cube,
  head: Cube,
  { errors, scatter }: { readonly errors: ErrorChange; readonly scatter: number },
): readonly Candidate[] {
  const [b, h] = [new Distribution(base.all, base.resolutionMs), new Distribution(head.all, head.resolutionMs)]
  const whole = distance(b, h, scatter)
  if (whole <= 4 * (1 / base.rows + 1 / head.rows)) return []
  return groups.flatMap((group) => {
    if (group.values.length > mostValues) return []
    const moved = group.values.filter((value) => Math.abs(shareZ(value, base, head)) > leastZ)
    if (!moved.some((value) => Math.abs(changeOf(value)) >= leastChange)) return []
    const explained = 1 - Math.max(distance(reweighted(group, base), h, scatter), 0) / whole
    const named = namedOf(group, errors)
    if (explained <= leastShare || named === null) return []
    const isError = (group.name === 'status' || group.name === 'error') && isErrorCode(named.value)
    const kind = group.name === 'cold' ? 'cold-starts' : isError ? 'status' : 'mix'
    const score = 1.25 + 0.3 * explained - 0.01 * preference(group.name) + (kind === 'mix' ? 0 : 0.3)
    const of = { attribute: group.name, value: named.value, traffic: weightOf(named) }
    const z = Math.abs(shareZ(named, base, head))
    return [candidate({ kind, score, explained, ...of, shares: { base: named.baseShare, head: named.headShare }, z })]
  })
}

/** The value to name: what moved most; of connections the new ones, of statuses an error. */
function namedOf(group: Group, { change, most }: ErrorChange): GroupValue | null {
  const named = mostMoved(group.values)
  if (group.name === 'connection') return group.values.find(({ value }) => value === 'new') ?? named
  const isOther = group.name === 'status' && named !== null && !isErrorCode(named.value)
  return isOther && most !== null && Math.abs(change) > leastErrors / 2 ? most : named
}

/** Base's values with head's shares; a value that base hardly has takes head's latencies. */
function reweighted(group: Group, base: Cube): Distribution {
  const mixed = new Float64Array(base.all.length)
  for (const { base: own, head, headShare } of group.values) {
    const from = own !== null && own.rows >= fewestRows ? own : head
    if (from === null || headShare === 0) continue
    for (let bucket = 0; bucket < mixed.length; bucket++)
      mixed[bucket] = (mixed[bucket] ?? 0) + ((from.counts[bucket] ?? 0) / from.rows) * headShare
  }
  return new Distribution(mixed, base.resolutionMs, base.rows)
}
