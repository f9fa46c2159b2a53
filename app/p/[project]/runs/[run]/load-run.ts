import { linesOfPage, readLineRanges, type UploadLine } from '@/app/_server/uploads/read-upload-lines'
import { rawStore } from '@/app/_server/store/process-store'
import { StoreError } from '@/app/_server/store/store-error'
import { readRawEnds, type RawEnds } from '@/app/_server/uploads/read-raw-ends'
import { pageProjects } from '@/app/_server/pages/page-projects'
import { hasRaw } from '@/app/_server/uploads/require-raw'
import { NotFoundError } from '@/lib/errors'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import type { RuleLimit } from '@/lib/rules/limits'
import type { PastRun } from '@/lib/history/neighbours'
import type { RunPart, StoredRun } from '@/lib/history/stored-runs'
import { mergedForm } from '@/lib/run/merged-form'
import { listFindings } from '@/prisma/queries/alerts/alerts'
import { findMergedInto, listParts } from '@/prisma/queries/runs/merged-runs'
import { listPastRuns } from '@/prisma/queries/runs/run-neighbours'
import { findRunsBeside, type RunsBeside } from '@/prisma/queries/runs/runs-beside'
import { getRun } from '@/prisma/queries/runs/runs'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { foundOr404, openProject } from '../../open-project'

/** Lines shown before and after the run's own. */
const around = 5

export interface LoadedRun extends RunsBeside {
  readonly run: StoredRun
  readonly repositoryUrl: string | null
  /** The runs that were merged into it. */
  readonly parts: readonly RunPart[]
  /** The run's block and the lines around it; empty where the file is not text. */
  readonly lines: readonly UploadLine[]
  /** Both ends of a file of raw results; null if the lines of its block are shown, or if it is not text. */
  readonly ends: RawEnds | null
  /**
   * Why the file cannot be shown although it was never released: it is missing in the store, or the store is away;
   * null: it can.
   */
  readonly rawMissing: 'lost' | 'away' | null
  readonly otherProjects: readonly { readonly slug: string; readonly name: string }[]
  /** Runs of its series before it. */
  readonly past: readonly PastRun[]
  /** What alerts report of its series. */
  readonly findings: readonly AlertFinding[]
  /** Of the project's rules. */
  readonly limits: readonly RuleLimit[]
}

/**
 * The run of this address, read once per request; a part leads to the run that it was merged into, an unknown one is
 * the 404 page.
 */
export const openRun = cache(async (slug: string, runId: string): Promise<StoredRun> => {
  const { granted } = await openProject(slug)
  try {
    return await getRun(granted, runId)
  } catch (error) {
    const whole = error instanceof NotFoundError ? await foundOr404(findMergedInto(granted, runId)) : null
    if (whole !== null) redirect(`/p/${slug}/runs/${whole}`)
    return foundOr404(Promise.reject(error as Error))
  }
})

/** Everything that the run's page shows. */
export async function loadRun(slug: string, runId: string): Promise<LoadedRun> {
  const { project, granted, limits } = await openProject(slug)
  const run = await openRun(slug, runId)
  const [beside, parts, past, findings, raw, projects] = await Promise.all([
    foundOr404(findRunsBeside(granted, run)),
    run.imported.form === mergedForm ? listParts(granted, run.id) : [],
    listPastRuns(granted, run),
    listFindings(granted, [run.seriesId]),
    readRaw(run),
    pageProjects(),
  ])
  const otherProjects = projects.filter((other) => other.slug !== slug)
  const { repositoryUrl } = project
  return { ...{ run, repositoryUrl, parts, past, findings, limits, otherProjects }, ...beside, ...raw }
}

/** What the page shows of the run's file. */
async function readRaw({ upload, imported }: StoredRun): Promise<Pick<LoadedRun, 'lines' | 'ends' | 'rawMissing'>> {
  const [first, last] = imported.context.lines
  const nothing = { lines: [], ends: null }
  try {
    if (!(await hasRaw(upload))) return { ...nothing, rawMissing: upload.rawRemovedAt === null ? 'lost' : null }
    if (upload.encoding !== null)
      return {
        lines: linesOfPage(await readLineRanges(upload.storedSha256, [[Math.max(1, first - around), last + around]])),
        ends: null,
        rawMissing: null,
      }
    const ends = await readRawEnds(await rawStore().stored(upload.storedSha256), imported.form)
    return { lines: [], ends, rawMissing: null }
  } catch (error) {
    if (error instanceof StoreError) return { ...nothing, rawMissing: 'away' }
    throw error
  }
}
