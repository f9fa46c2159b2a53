import { LRUCache } from 'lru-cache'
import { normalTail } from './distributions'

/** Ranks from 1, ties share their mean rank (scipy's `rankdata`, method average). */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const n = values.length
  const order = Array.from({ length: n }, (_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = new Float64Array(n)
  for (let start = 0; start < n;) {
    let end = start + 1
    while (end < n && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1
    for (let at = start; at < end; at += 1) ranks[order[at] ?? 0] = (start + 1 + end) / 2
    start = end
  }
  return ranks
}

const nullDistributions = new LRUCache<string, Float64Array>({ max: 1_000 })

/**
 * P(U ≤ u) at each u from 0 on, under the null, for samples of m and k without ties: counts of the generating function
 * ∏(1−x^(m+i))/(1−x^i). Exact while C(m+k, k) is below 2^53 (56 values), to 1e-15 up to 60.
 */
function nullCumulative(m: number, k: number): Float64Array {
  const key = `${m},${k}`
  const known = nullDistributions.get(key)
  if (known) return known
  const size = m * k
  const counts = new Float64Array(size + 1)
  counts[0] = 1
  for (let i = 1; i <= k; i += 1) {
    const above = m + i
    for (let u = size; u >= above; u -= 1) counts[u] = (counts[u] ?? 0) - (counts[u - above] ?? 0)
    for (let u = i; u <= size; u += 1) counts[u] = (counts[u] ?? 0) + (counts[u - i] ?? 0)
  }
  let total = 0
  for (const count of counts) total += count
  let sum = 0
  const cumulative = counts.map((count) => (sum += count) / total)
  nullDistributions.set(key, cumulative)
  return cumulative
}

export interface RankTest {
  /** Two-sided. */
  readonly p: number
  /** |z| of the normal approximation, 0 or more. */
  readonly z: number
  readonly exact: boolean
}

/**
 * Mann–Whitney U test of two independent samples (Mann & Whitney 1947). p is 1 when either is empty. Exact up to
 * m·k = 400 if no value is in both samples: ties within a sample do not change U, however they are broken. Otherwise
 * normal, with tie and continuity correction, which is fast enough for a search of thousands of splits.
 */
export function rankTest(a: ArrayLike<number>, b: ArrayLike<number>): RankTest {
  const m = a.length
  const k = b.length
  if (m === 0 || k === 0) return { p: 1, z: 0, exact: false }
  const all = new Float64Array(m + k)
  all.set(a, 0)
  all.set(b, m)
  const ranks = ranksOf(all)
  let rankSum = 0
  for (let index = m; index < m + k; index += 1) rankSum += ranks[index] ?? 0
  const u = rankSum - (k * (k + 1)) / 2
  const n = m + k
  const tied = tieSum(all)
  const spread = Math.sqrt(Math.max(1e-12, ((m * k) / 12) * (n + 1 - tied / (n * (n - 1)))))
  const z = Math.max(0, Math.abs(u - (m * k) / 2) - 0.5) / spread
  if (m * k <= 400 && !shareValue(a, b)) {
    const lower = Math.round(Math.min(u, m * k - u))
    return { p: Math.min(1, 2 * (nullCumulative(m, k)[lower] ?? 1)), z, exact: true }
  }
  return { p: Math.min(1, 2 * normalTail(z)), z, exact: false }
}

function shareValue(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const seen = new Set(Array.from(a))
  return Array.from(b).some((value) => seen.has(value))
}

/** Σ (t³ − t) over groups of equal values. */
function tieSum(values: Float64Array): number {
  const sorted = values.slice().sort()
  let sum = 0
  for (let start = 0; start < sorted.length;) {
    let end = start + 1
    while (end < sorted.length && sorted[end] === sorted[start]) end += 1
    const ties = end - start
    sum += ties ** 3 - ties
    start = end
  }
  return sum
}

/**
 * The smallest two-sided p that m against k values can reach: 2 / C(m+k, k); 0 from 400 values on, 2 if a side is
 * empty.
 */
export function smallestPossibleP(m: number, k: number): number {
  if (m + k >= 400 && m > 0 && k > 0) return 0
  let combinations = 1
  for (let i = 1; i <= k; i += 1) combinations = (combinations * (m + i)) / i
  return 2 / combinations
}
