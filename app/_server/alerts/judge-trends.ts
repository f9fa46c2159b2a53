import { after } from 'next/server'
import type { Granted } from '@/prisma/queries/projects/projects'
import { getTrends, getTrendsSoFar, type TrendsSoFar, type WantedTrends } from '@/prisma/queries/series/trends'

/** Series that a request judges itself: some 5 ms each. */
const maxJudged = 12

/** Judging in progress behind a request: requesting the same page again does not start it twice. */
const underWay = new Set<string>()

/**
 * Trends as far as one request can judge them; the rest is judged right after its response. Throws as `getTrends` does.
 */
export async function openTrends(project: Granted<'read'>, wanted: WantedTrends): Promise<TrendsSoFar> {
  const soFar = await getTrendsSoFar(project, wanted, maxJudged)
  const key = JSON.stringify([soFar.waiting, wanted.metrics.map((metric) => metric.id), wanted.runs])
  if (soFar.waiting.length > 0 && !underWay.has(key)) {
    underWay.add(key)
    after(() => getTrends(project, { ...wanted, seriesIds: soFar.waiting }).finally(() => underWay.delete(key)))
  }
  return soFar
}
