import { cache } from 'react'
import type { CompareView } from '@/components/compare/compare-view-state'
import { prepareComparison, type PreparedComparison } from '@/components/compare/prepare-comparison'
import { NotFoundError } from '@/lib/errors'
import { readRef, readSides } from '@/lib/judge/compare-url'
import { noiseOfSeries, seriesOfSides } from '@/lib/judge/history-noise'
import { reportedSteps } from '@/lib/rules/reported-steps'
import type { Viewer } from '@/lib/viewer'
import { listFindings } from '@/prisma/queries/alerts'
import { getRuns, listRuns } from '@/prisma/queries/runs'
import { listSeriesNoise } from '@/prisma/queries/trends'
import { getComparison } from '@/prisma/queries/comparisons'
import { foundOr404, openProject } from '../open-project'

/** The runs that the refs of an address stand for, side by side in this view. Throws NotFoundError where one is not found. */
export async function loadComparison(
  viewer: Viewer,
  projectId: string,
  refs: string,
  view: CompareView,
): Promise<PreparedComparison> {
  const newest = async (ref: string): Promise<string> => {
    const wanted = readRef(ref)
    if (wanted.kind === 'id') return wanted.id
    const { rows } = await listRuns(viewer, projectId, wanted.filter, { sort: 'time', direction: 'desc', limit: 1 })
    const [row] = rows
    if (!row) throw new NotFoundError('Run')
    return row.id
  }
  const named = readSides(refs) ?? []
  const ids = await Promise.all(named.map((side) => Promise.all(side.map(newest))))
  const runs = await getRuns(viewer, projectId, ids.flat())
  // Two refs may stand for one run: it is taken once, where it stands first.
  const left = new Map(runs.map((run) => [run.id, run]))
  const take = (id: string) => {
    const run = left.get(id)
    left.delete(id)
    return run ?? []
  }
  const sides = ids.map((side) => side.flatMap(take)).filter((side) => side.length > 0)
  const noises = await listSeriesNoise(viewer, projectId, seriesOfSides(sides))
  const findings = await listFindings(viewer, projectId, seriesOfSides(sides.slice(1)))
  const prepared = prepareComparison(sides, view, noiseOfSeries(noises), reportedSteps(findings))
  if (!prepared) throw new NotFoundError('Comparison')
  return prepared
}

/** What was saved under an id; read once a request. */
export const openSaved = cache(async (slug: string, id: string) => {
  const { viewer, project } = await openProject(slug)
  return foundOr404(getComparison(viewer, project.id, id))
})
