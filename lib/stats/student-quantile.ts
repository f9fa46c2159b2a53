import { studentQuantile } from './distributions'

/** Every metric of a page needs the same hundreds of quantiles, and each takes a hundred incomplete betas. */
const known = new Map<string, number>()
const maxKnown = 10_000

/** `studentQuantile` from a cache: the t with P(T > t) = `tail`, for 0 < tail ≤ 0.5. */
export function cachedStudentQuantile(tail: number, df: number): number {
  const key = `${tail} ${df}`
  const cached = known.get(key)
  if (cached !== undefined) return cached
  if (known.size >= maxKnown) known.clear()
  const found = studentQuantile(tail, df)
  known.set(key, found)
  return found
}
