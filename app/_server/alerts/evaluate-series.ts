import { judgeLine } from '@/lib/rules/judge-line'
import { linesOf } from '@/lib/run/series'
import type { Viewer } from '@/lib/viewer'
import { getWatches, saveLooks, type AlertNews, type DueSeries } from '@/prisma/queries/looks'
import { listReferenceRuns, listRules } from '@/prisma/queries/rules'
import { getSeriesHistories } from '@/prisma/queries/series'

/** The detector looks at the newest runs only; beyond them nothing is news. */
const newestRuns = 400
const mostTries = 5

/**
 * Looks at all lines of a series by the rules of its project, and writes what it finds. A look that another one overtook is done again. Throws
 * NotFoundError when project or series are gone.
 */
export async function evaluateSeries(viewer: Viewer, due: DueSeries): Promise<readonly AlertNews[]> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { lookedAt, byProfile } = await getWatches(viewer, due.projectId, due.seriesId)
    const rules = await listRules(viewer, due.projectId)
    const reference = await listReferenceRuns(viewer, due.projectId, rules)
    const [history] = await getSeriesHistories(viewer, due.projectId, [due.seriesId], newestRuns)
    const now = new Date()
    const looks = (history ? linesOf(history) : []).map((line) =>
      judgeLine(line, byProfile[line.profile] ?? [], { rules, reference, at: now.toISOString() }),
    )
    const news = await saveLooks(viewer, { due, lookedAt, looks }, now)
    if (news !== null) return news
  }
  throw new Error(`series ${due.seriesId}: ${mostTries} evaluations were overtaken`)
}
