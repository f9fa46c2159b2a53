import { readUploadLines, type UploadLine } from '@/app/_server/uploads/read-upload-lines'
import { rawStore } from '@/app/_server/uploads/raw-store'
import { readRawEnds, type RawEnds } from '@/app/_server/uploads/read-raw-ends'
import { pageProjects } from '@/app/_server/page-projects'
import { hasRaw } from '@/app/_server/uploads/require-raw'
import type { RunRow, StoredRun } from '@/lib/run/stored'
import { findBaselineRun } from '@/prisma/queries/baselines'
import { findPreviousRun, getRun } from '@/prisma/queries/runs'
import { listSameAttack } from '@/prisma/queries/same-attack'
import { cache } from 'react'
import { foundOr404, openProject } from '../../open-project'

/** Lines shown before and after the run's own. */
const around = 5

export interface LoadedRun {
  readonly run: StoredRun
  readonly repositoryUrl: string | null
  readonly previous: RunRow | null
  readonly baseline: RunRow | null
  /** The same attack in other forms. */
  readonly sameAttack: readonly RunRow[]
  /** The run's block and the lines around it; empty where the file is not text. */
  readonly lines: readonly UploadLine[]
  /** Both ends of a file of raw results; null where the lines of its block are shown, and where it is no text. */
  readonly ends: RawEnds | null
  /** The store does not have the file, though nobody gave it up. */
  readonly isRawLost: boolean
  readonly otherProjects: readonly { readonly slug: string; readonly name: string }[]
}

/** The run of this address, read once a request; an unknown one is the 404 page. */
export const openRun = cache(async (slug: string, runId: string): Promise<StoredRun> => {
  const { viewer, project } = await openProject(slug)
  return foundOr404(getRun(viewer, project.id, runId))
})

/** Everything that the run's page shows. */
export async function loadRun(slug: string, runId: string): Promise<LoadedRun> {
  const { viewer, project } = await openProject(slug)
  const run = await openRun(slug, runId)
  const [first, last] = run.imported.context.lines
  const isRawThere = await hasRaw(run.upload)
  const [previous, baseline, sameAttack, lines, ends, projects] = await Promise.all([
    findPreviousRun(viewer, run),
    findBaselineRun(viewer, run),
    listSameAttack(viewer, run),
    run.upload.encoding === null || !isRawThere
      ? []
      : readUploadLines(viewer, project.id, run.uploadId, Math.max(1, first - around), last + around),
    run.upload.encoding === null && isRawThere
      ? readRawEnds(await rawStore().stored(run.upload.storedSha256), run.imported.form)
      : null,
    pageProjects(),
  ])
  const otherProjects = projects.filter((other) => other.slug !== slug)
  const isRawLost = run.upload.rawRemovedAt === null && !isRawThere
  const { repositoryUrl } = project
  return { run, repositoryUrl, previous, baseline, sameAttack, lines, ends, isRawLost, otherProjects }
}
