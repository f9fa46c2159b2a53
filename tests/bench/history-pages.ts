import { localViewer } from '@/lib/viewer'
import { listRuns } from '@/prisma/queries/runs'
import { listSeries } from '@/prisma/queries/series'
import { startApp } from '../server/app'

/** From request to the last byte of an answer, milliseconds. */
export interface MeasuredPage {
  readonly name: string
  readonly leastMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly bytes: number
}

const requests = 20

/** Addresses of pages that read the history of a project (copied runs have no raw file, so no run page). The database must be open. */
export async function pagesOf(projectId: string, slug: string): Promise<ReadonlyMap<string, string>> {
  const page = { sort: 'time', direction: 'desc', limit: 50 } as const
  const { rows } = await listRuns(localViewer, projectId, {}, page)
  const [series] = await listSeries(localViewer, projectId)
  const [run] = rows
  if (run === undefined || series === undefined) throw new Error('the project is empty')
  const scenario = encodeURIComponent(run.scenario)
  const ids = rows.slice(0, 10).map((row) => row.id)
  return new Map([
    ['runs', `/p/${slug}/runs`],
    ['runs, a word', `/p/${slug}/runs?text=${run.labels['commit'] ?? ''}`],
    ['runs of a scenario by p99', `/p/${slug}/runs?scenario=${scenario}&sort=p99`],
    ['trends', `/p/${slug}/trends`],
    ['trends of a scenario', `/p/${slug}/trends?scenario=${scenario}`],
    ['trend of a series', `/p/${slug}/trends/${series.id}`],
    ['comparison of ten runs', `/p/${slug}/compare/${ids.join('...')}`],
    ['matrix', `/p/${slug}/matrix`],
    ['API: runs', `/api/v1/projects/${slug}/runs`],
  ])
}

/** Starts the built app on a database that nobody else has open and asks for each page, one after the other. */
export async function measurePages(
  database: { readonly dataFolder: string; readonly url: string | null },
  pages: ReadonlyMap<string, string>,
): Promise<readonly MeasuredPage[]> {
  const app = await startApp({ dataFolder: database.dataFolder, databaseUrl: database.url ?? undefined })
  try {
    const measured: MeasuredPage[] = []
    for (const [name, address] of pages) {
      const times: number[] = []
      let bytes = 0
      for (let at = -2; at < requests; at += 1) {
        const startedAt = performance.now()
        const answer = await fetch(app.url + address)
        bytes = (await answer.arrayBuffer()).byteLength
        if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`)
        if (at >= 0) times.push(performance.now() - startedAt)
      }
      times.sort((a, b) => a - b)
      const at = (q: number) => times[Math.ceil(times.length * q) - 1] ?? NaN
      process.stderr.write(`  ${name}: ${at(0.5).toFixed(0)} ms\n`)
      measured.push({ name, leastMs: times[0] ?? NaN, p50Ms: at(0.5), p95Ms: at(0.95), bytes })
    }
    return measured
  } finally {
    await app.stop()
  }
}
