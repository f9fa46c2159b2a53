import { notFound } from 'next/navigation'
import { readRef, readSides } from '@/lib/judge/compare-url'
import { noiseHistoryRuns, seriesOfLoneRuns } from '@/lib/judge/history-noise'
import type { Side } from '@/lib/judge/comparison'
import type { SeriesHistory, StoredRun } from '@/lib/run/stored'
import { getRuns, listRuns } from '@/prisma/queries/runs'
import { getSeriesHistories } from '@/prisma/queries/series'
import { foundOr404, openProject } from '../open-project'

export interface LoadedComparison {
  readonly projectSlug: string
  /** The base first. */
  readonly sides: readonly [Side<StoredRun>, ...Side<StoredRun>[]]
  /** What is known of the series of lone runs: their noise. */
  readonly histories: readonly SeriesHistory[]
}

/** The runs that the refs of an address stand for, side by side; what cannot be found is the 404 page. */
export async function loadComparison(slug: string, refs: string): Promise<LoadedComparison> {
  const { viewer, project } = await openProject(slug)
  const named = readSides(refs) ?? notFound()
  const newest = async (ref: string): Promise<string> => {
    const wanted = readRef(ref)
    if (wanted.kind === 'id') return wanted.id
    const { rows } = await listRuns(viewer, project.id, wanted.filter, { sort: 'time', direction: 'desc', limit: 1 })
    return rows[0]?.id ?? notFound()
  }
  const ids = await Promise.all(named.map((side) => Promise.all(side.map(newest))))
  const runs = await foundOr404(getRuns(viewer, project.id, ids.flat()))
  // Two refs may stand for one run: it is taken once, where it stands first.
  const left = new Map(runs.map((run) => [run.id, run]))
  const take = (id: string) => {
    const run = left.get(id)
    left.delete(id)
    return run ?? []
  }
  const [base, ...others] = ids.flatMap((side): Side<StoredRun>[] => {
    const [first, ...rest] = side.flatMap(take)
    return first ? [[first, ...rest]] : []
  })
  const sides = [base ?? notFound(), ...others] as const
  const histories = await getSeriesHistories(viewer, project.id, seriesOfLoneRuns(sides), noiseHistoryRuns)
  return { projectSlug: project.slug, sides, histories }
}
