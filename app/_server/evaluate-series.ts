import { lookAtLine, type Sensitivity } from '@/lib/alerts'
import { linesOf } from '@/lib/series'
import type { Viewer } from '@/lib/viewer'
import { getWatches, saveLooks, type AlertNews, type DueSeries } from '@/prisma/queries/looks'
import { getSeriesHistories } from '@/prisma/queries/series'

/** The detector looks at the newest runs only; beyond them nothing is news. */
const newestRuns = 400
const mostTries = 5

/**
 * Looks at all lines of a series, and writes what it finds. A look that another one overtook is done again. Throws
 * NotFoundError when project or series are gone.
 */
export async function evaluateSeries(
  viewer: Viewer,
  due: DueSeries,
  sensitivity: Sensitivity = 'balanced',
): Promise<readonly AlertNews[]> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { lookedAt, byProfile } = await getWatches(viewer, due.projectId, due.seriesId)
    const [history] = await getSeriesHistories(viewer, due.projectId, [due.seriesId], newestRuns)
    const looks = (history ? linesOf(history) : []).map((line) => ({
      line,
      look: lookAtLine(line, byProfile[line.profile] ?? [], { sensitivity }),
    }))
    const news = await saveLooks(viewer, { due, lookedAt, sensitivity, looks }, new Date())
    if (news !== null) return news
  }
  throw new Error(`series ${due.seriesId}: ${mostTries} looks were overtaken`)
}
