import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { localViewer } from '@/lib/viewer'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { sampleFile, sampleImport, sampleLatency, sampleRun } from '../samples'

const dayMs = 86_400_000
/** Recent enough to send messages. */
let startMs = Date.now() - 6 * dayMs

const steady = (at: number, ms: number) => ms * (1 + 0.01 * Math.sin(at * 2.4))

interface Runs {
  readonly count: number
  readonly ms: number
  readonly evaluations: number
  readonly commit?: string
  readonly daysAgo?: number
}

/**
 * Uploads runs with a steady p99 near `ms`, a minute apart, `daysAgo` earlier, and evaluates the series after each of
 * the last `evaluations`.
 */
export async function uploadRuns(
  projectId: string,
  { count, ms, evaluations, commit, daysAgo = 0 }: Runs,
): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    startMs += 60_000
    const startedAt = new Date(startMs - daysAgo * dayMs).toISOString()
    const quantiles = [{ q: 0.99, ms: steady(at, ms) }]
    // Runs of one commit repeat each other; the commit belongs to the first.
    const labels = commit === undefined || at > 0 ? {} : { commit }
    const proposal = { scenario: 'GET /ping', variant: 'direct', labels }
    const run = sampleRun({ startedAt, latencies: [sampleLatency({ meanMs: null, quantiles })], proposal })
    await saveImport(localViewer, sampleImport(projectId, sampleFile([run])))
    if (at >= count - evaluations) await evaluateDue()
  }
}

/** 20 steady runs, then six that are 40 % slower: opens one alert. */
export async function raiseAlert(projectId: string, commit?: string, daysAgo = 0): Promise<void> {
  const named = commit === undefined ? {} : { commit }
  await uploadRuns(projectId, { count: 20, ms: 100, evaluations: 1, daysAgo })
  await uploadRuns(projectId, { count: 6, ms: 140, evaluations: 6, daysAgo, ...named })
}
