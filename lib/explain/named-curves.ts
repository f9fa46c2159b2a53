import type { BucketCounts, Cube } from '../cube/cube'
import { sumCounts } from '../cube/join-values'
import { Distribution } from './distribution'
import type { WhyEvidence } from './explain-sides'
import { candidateName } from './why-sentence'

/** A percentile of some requests. */
export interface CurvePoint {
  readonly q: number
  readonly ms: number
}

/** The percentiles of some requests on one side. */
export interface Curve {
  readonly rows: number
  readonly points: readonly CurvePoint[]
}

/** Requests with a name, on both sides; a side without any is null. */
export interface NamedCurves {
  readonly title: string
  readonly base: Curve | null
  readonly head: Curve | null
}

const quantiles = [0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999] as const
/** A percentile with fewer requests above it is not drawn. */
const fewestAbove = 5

/** What is named, and all other requests; of nothing that is a set of requests, all of them. */
export function namedCurves({ base, head, explanation, words }: WhyEvidence): readonly NamedCurves[] {
  const [first] = explanation.candidates
  const own = first === undefined ? null : ([setOf(base, first), setOf(head, first)] as const)
  const whole = { title: 'All requests', base: curveOf(base.all, base), head: curveOf(head.all, head) }
  if (first === undefined || own === null || (own[0] === null && own[1] === null)) return [whole]
  const rest = (cube: Cube, counts: BucketCounts | null) =>
    curveOf(counts === null ? cube.all : cube.all.map((count, at) => count - (counts[at] ?? 0)), cube)
  return [
    {
      title: candidateName({ ...first, shares: null }, words),
      base: own[0] && curveOf(own[0], base),
      head: own[1] && curveOf(own[1], head),
    },
    { title: 'All others', base: rest(base, own[0]), head: rest(head, own[1]) },
  ]
}

/** The rows that a candidate is about; null: it is no set of requests, or the run has none of it. */
function setOf(
  { attributes, slices }: Cube,
  { attribute, value, window }: WhyEvidence['explanation']['candidates'][number],
): BucketCounts | null {
  if (window !== undefined) return slices.length === 0 ? null : sumCounts(slices.slice(window.from, window.to))
  if (value === null) return null
  const values = attributes.find(({ name }) => name === attribute)?.values
  return values?.find((one) => one.value === value)?.counts ?? null
}

function curveOf(counts: BucketCounts, { resolutionMs }: Cube): Curve | null {
  const distribution = new Distribution(counts, resolutionMs)
  const { rows } = distribution
  const known = quantiles.filter((q) => (1 - q) * rows >= fewestAbove)
  if (known.length === 0) return null
  return { rows, points: known.map((q) => ({ q, ms: distribution.quantileMs(q) })) }
}
