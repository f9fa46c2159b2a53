import { bucketCount, edgeMs } from '../cube/buckets'
import { normalTail } from '../stats/distributions'
import { aliasesOf } from './aliases'
import type { WhyEvidence } from './explain-sides'
import { groupsOf, hasMoved, weightOf, type GroupValue } from './groups'
import { rowsAbove } from './scatter'
import { movedAbove } from './shares-above'
import type { ShownParts } from './shown-parts'
import { valueName } from './why-sentence'

/** A value, and how much of the difference above a latency lies within its requests. */
export interface RankedValue {
  readonly attribute: string
  readonly value: string
  readonly words: string
  /** Share of the traffic, the mean of both sides. */
  readonly traffic: number
  /** Shares of the traffic on each side, where they moved beyond chance; null: they did not. */
  readonly moved: { readonly base: number; readonly head: number } | null
  /** Share of its requests above the latency; null: the side has none of it. */
  readonly baseSlow: number | null
  readonly headSlow: number | null
  /** Share of all requests; values of several attributes overlap. */
  readonly within: number
  /** Share of the whole difference; null: it is not beyond chance. */
  readonly ofDifference: number | null
  /** ms; null: too few of its requests. */
  readonly baseP99: number | null
  readonly headP99: number | null
  /** It is another name of the requests that the sentence names. */
  readonly isAlias: boolean
}

export interface Ranking {
  readonly values: readonly RankedValue[]
  /** All requests share a factor or an addition: parts are beyond that. */
  readonly isBeyondShift: boolean
  /** Attributes and values that were looked at. */
  readonly attributes: number
  readonly looked: number
}

const maxShown = 12
const fewestRows = 30
/** After Bonferroni. */
export const leastP = 0.01
/** A smaller part is not worth a line of its own. */
const leastPart = 0.02
const fewestForP99 = 300
/** A value of nearly all requests separates nothing. */
const mostTraffic = 0.9

/** All values that both sides may have, those that hold most of the difference above a latency first. */
export function rankedValues(
  { base, head, explanation }: WhyEvidence,
  { thresholdMs, baseShare, headShare }: Pick<ShownParts, 'thresholdMs' | 'baseShare' | 'headShare'>,
): Ranking {
  const groups = groupsOf(base, head)
  const bucket = bucketAt(thresholdMs)
  const looked = Math.max(
    1,
    groups.reduce((sum, { values }) => sum + values.length, 0),
  )
  const [first] = explanation.candidates
  const aliases = first === undefined ? [] : aliasesOf(groups, first)
  const difference = headShare - baseShare
  const shift = first?.kind === 'shift' ? first.shift : undefined
  const log = Math.log(thresholdMs)
  const values = groups.flatMap(({ name, values: own }) =>
    own.flatMap((value): RankedValue[] => {
      const [baseSlow, headSlow] = [slowOf(value.base, bucket), slowOf(value.head, bucket)]
      // What all share is not a value's own.
      const moved = shift === undefined || value.base === null ? baseSlow : movedAbove(value.base, log, shift)
      const within = weightOf(value) * ((headSlow ?? moved ?? 0) - (moved ?? headSlow ?? 0))
      const isShown =
        weightOf(value) < mostTraffic && isBeyondChance(value, [moved, headSlow], explanation.scatter, looked)
      const part = difference === 0 ? 0 : within / difference
      return [
        {
          ...{ attribute: name, value: value.value, words: valueName({ attribute: name, value: value.value }) },
          moved: hasMoved(value, base, head) ? { base: value.baseShare, head: value.headShare } : null,
          ...{ traffic: weightOf(value), baseSlow, headSlow, within },
          ofDifference: isShown && part >= leastPart ? part : null,
          ...{ baseP99: p99Of(value.base), headP99: p99Of(value.head) },
          isAlias: aliases.some((one) => one.attribute === name && one.value === value.value),
        },
      ]
    }),
  )
  const isNamed = (one: RankedValue) => one.attribute === first?.attribute && one.value === first.value
  const order = (one: RankedValue) => (isNamed(one) ? 3 : one.ofDifference !== null ? 2 : one.moved !== null ? 1 : 0)
  const sign = difference < 0 ? -1 : 1
  const sorted = values.sort((a, b) => order(b) - order(a) || sign * (b.within - a.within))
  const isBeyondShift = shift !== undefined
  return { values: sorted.slice(0, maxShown), isBeyondShift, attributes: groups.length, looked }
}

/** The bucket with this upper edge. */
function bucketAt(ms: number): number {
  for (let bucket = 0; bucket < bucketCount; bucket++) if (edgeMs(bucket) >= ms * (1 - 1e-9)) return bucket
  return bucketCount - 1
}

const slowOf = (side: GroupValue['base'], bucket: number): number | null =>
  side === null || side.rows === 0 ? null : rowsAbove(side.counts, bucket) / side.rows

const p99Of = (side: GroupValue['base']): number | null =>
  side === null || side.rows < fewestForP99 ? null : side.quantileMs(0.99)

function isBeyondChance(
  { base, head }: GroupValue,
  [before, after]: readonly [number | null, number | null],
  scatter: number,
  looked: number,
): boolean {
  if (base === null || head === null || before === null || after === null) return false
  if (Math.min(base.rows, head.rows) < fewestRows) return false
  const share = (before * base.rows + after * head.rows) / (base.rows + head.rows)
  const variance = Math.max(share * (1 - share), 1e-9) * scatter * (1 / base.rows + 1 / head.rows)
  return 2 * normalTail(Math.abs(after - before) / Math.sqrt(variance)) * looked < leastP
}
