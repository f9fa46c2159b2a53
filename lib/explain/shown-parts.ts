import { bucketBelow } from '../cube/buckets'
import type { BucketCounts, Cube } from '../cube/cube'
import { sumCounts } from '../cube/join-values'
import { quantileName } from '../stats/quantile'
import { formatNumber, formatMs, formatPercent } from '../format'
import type { WhyEvidence } from './explain-sides'
import type { PartsAbove } from './parts'
import { rowsAbove, rowsOf } from './scatter'
import { candidateName, valueName } from './why-sentence'

export type ShownKind = 'named' | 'common' | 'mix' | 'rest'

/** A part of a difference as it is drawn. */
export interface ShownPart {
  readonly kind: ShownKind
  readonly words: string
  /** What it is, in a few words. */
  readonly more: string
  /** Share of requests; below 0: it takes some away. */
  readonly share: number
  /** In requests of the candidate: whole numbers that add up to the difference. */
  readonly rows: number
}

/** The requests above one latency, and what their difference consists of. */
export interface ShownParts {
  /** Percentile of the baseline: `p99`. */
  readonly name: string
  readonly thresholdMs: number
  readonly baseShare: number
  readonly headShare: number
  /** Requests above it, of as many as the candidate has. */
  readonly baseRows: number
  readonly headRows: number
  readonly parts: readonly ShownPart[]
}

type SharedPart = Omit<ShownPart, 'rows'>

/** The parts of a difference above each latency, as they are drawn. */
export function shownParts(evidence: WhyEvidence): readonly ShownParts[] {
  const { head, explanation } = evidence
  return explanation.parts.map((one) => {
    const parts = partsInTime(one, evidence) ?? partsOf(one, evidence)
    const [baseRows, headRows] = [Math.round(one.baseShare * head.rows), Math.round(one.headShare * head.rows)]
    const exact = parts.map(({ share }) => share * head.rows)
    const rows = wholeNumbers(exact, headRows - baseRows)
    return {
      name: quantileName(one.q),
      ...{ thresholdMs: one.thresholdMs, baseShare: one.baseShare, headShare: one.headShare, baseRows, headRows },
      parts: parts.map((part, at) => ({ ...part, rows: rows[at] ?? 0 })),
    }
  })
}

function partsOf(one: PartsAbove, { explanation }: WhyEvidence): readonly SharedPart[] {
  const { candidates, layer, kind } = explanation
  const [first] = candidates
  const named = first !== undefined && first.attribute === layer ? first.value : null
  const isNamed = (value: string | null) => named !== null && value === named
  const sum = (of: string, isIn: (value: string | null) => boolean) =>
    one.parts.reduce((total, part) => total + (part.kind === of && isIn(part.value) ? part.share : 0), 0)
  const all = () => true
  const parts: SharedPart[] = []
  if (first !== undefined && named !== null) {
    const more = first.traffic === null ? '' : `${formatPercent(first.traffic)} of the traffic`
    parts.push({ kind: 'named', words: `Within ${valueName(first)}`, more, share: sum('within', isNamed) })
  }
  if (one.parts.some((part) => part.kind === 'common'))
    parts.push({ kind: 'common', words: 'All alike', more: commonWords(explanation), share: sum('common', all) })
  if (layer !== 'all')
    parts.push({ kind: 'mix', words: 'Mix', more: mixWords(one, explanation), share: sum('mix', all) })
  const rest = sum('within', (value) => !isNamed(value)) + one.remainder
  return [...parts, { kind: 'rest', ...restWords(kind, named !== null), share: rest }]
}

function restWords(kind: WhyEvidence['explanation']['kind'], isNamed: boolean): Pick<ShownPart, 'words' | 'more'> {
  if (isNamed) return { words: 'Within the others', more: 'each at its own latency' }
  if (kind === 'nothing') return { words: 'Within all', more: 'no more than chance gives' }
  if (kind === 'server-part') return { words: 'Within all', more: 'no value holds it alone' }
  return { words: 'Not explained', more: 'by any value recorded' }
}

/** Where a stretch of time is named: what lies within it, and within the rest of the run. Null: none is. */
function partsInTime(one: PartsAbove, { base, head, explanation, words }: WhyEvidence): readonly SharedPart[] | null {
  const [first] = explanation.candidates
  if (first?.window === undefined || base.slices.length === 0 || head.slices.length === 0) return null
  const { from, to } = first.window
  const split = (cube: Cube) => {
    const inside = sumCounts(cube.slices.slice(from, to))
    return { rows: rowsOf(inside) / cube.rows, slow: slowShare(inside, one), rest: restOf(cube.all, inside) }
  }
  const [b, h] = [split(base), split(head)]
  const [inside, outside] = [(b.rows + h.rows) / 2, 1 - (b.rows + h.rows) / 2]
  const within = inside * (h.slow - b.slow)
  const rest = outside * (slowShare(h.rest, one) - slowShare(b.rest, one))
  const mix = one.headShare - one.baseShare - within - rest
  return [
    { kind: 'named', words: `Within ${candidateName(first, words)}`, more: 'of the run’s time', share: within },
    { kind: 'mix', words: 'Number of requests in it', more: 'beside the rest of the run', share: mix },
    { kind: 'rest', words: 'Within the rest of the run', more: 'the same stretches of both', share: rest },
  ]
}

const restOf = (all: BucketCounts, inside: BucketCounts): BucketCounts =>
  all.map((count, bucket) => count - (inside[bucket] ?? 0))

function slowShare(counts: BucketCounts, { thresholdMs }: PartsAbove): number {
  const rows = rowsOf(counts)
  return rows === 0 ? 0 : rowsAbove(counts, bucketBelow(Math.log(thresholdMs) + 1e-9)) / rows
}

function commonWords({ candidates }: WhyEvidence['explanation']): string {
  const { log = 0, addedMs = 0 } = candidates.find(({ kind }) => kind === 'shift')?.shift ?? {}
  if (addedMs !== 0) return `every request ${addedMs > 0 ? '+' : '−'}${formatMs(Math.abs(addedMs))}`
  return `every request × ${formatNumber(Math.exp(log))}`
}

/** The value whose share of the traffic moved most in what is above the latency. */
function mixWords({ parts }: PartsAbove, { layer }: WhyEvidence['explanation']): string {
  const most = parts
    .filter(({ kind }) => kind === 'mix')
    .reduce<(typeof parts)[number] | null>(
      (a, b) => (a === null || Math.abs(b.share) > Math.abs(a.share) ? b : a),
      null,
    )
  if (most === null || Math.abs(most.share) < 0.0005) return 'no share of the traffic matters'
  return `most by ${valueName({ attribute: layer, value: most.value })}`
}

/** Numbers rounded so that they add up to a whole one: the largest remainders are rounded up. */
function wholeNumbers(values: readonly number[], total: number): readonly number[] {
  const floors = values.map(Math.floor)
  const missing = total - floors.reduce((sum, one) => sum + one, 0)
  const order = values
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest)
    .slice(0, Math.max(0, missing))
  return floors.map((one, at) => one + (order.some((up) => up.at === at) ? 1 : 0))
}
