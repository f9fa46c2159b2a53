import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { localViewer } from '@/lib/viewer'
import { grant } from '@/prisma/queries/projects/projects'
import { listRuns } from '@/prisma/queries/runs/runs'
import { listSeries } from '@/prisma/queries/series/series'
import { startApp } from '../../server/app'

/** From the request to the last byte of the response, milliseconds. */
export interface MeasuredPage {
  readonly name: string
  readonly minMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly bytes: number
}

/** Uncounted requests to each page first: a running server has compiled its code. */
const warmUps = 20
const requests = 40

/** Addresses of pages that read a project's history. The database must be open. */
export async function pagesOf(projectId: string, slug: string): Promise<ReadonlyMap<string, string>> {
  const page = { sort: 'time', direction: 'desc', limit: 50 } as const
  const project = await grant(localViewer, { id: projectId }, 'read')
  const { rows } = await listRuns(project, {}, page)
  const [series] = await listSeries(project)
  const [run] = rows
  if (run === undefined || series === undefined) throw new Error('the project is empty')
  const scenario = encodeURIComponent(run.scenario)
  const ids = rows.slice(0, 10).map((row) => row.id)
  return new Map([
    ['home', '/'],
    ['an empty list (the minimum)', `/p/${slug}/runs?text=nothing-has-this`],
    ['board', `/p/${slug}`],
    ['board, the fan of a row', `/api/v1/projects/${slug}/series/${series.id}/fan`],
    ['runs', `/p/${slug}/runs`],
    ['runs, a word', `/p/${slug}/runs?text=${run.labels['commit'] ?? ''}`],
    ['runs of a scenario by p99', `/p/${slug}/runs?scenario=${scenario}&sort=p99`],
    ['trends', `/p/${slug}/trends`],
    ['trends, the next 20', `/p/${slug}/trends?part=2`],
    ['trend of a series', `/p/${slug}/trends/${series.id}`],
    ['trend of a series, 2,000 runs', `/p/${slug}/trends/${series.id}?last=2000`],
    ['trend of a series, as table', `/p/${slug}/trends/${series.id}?table=trend`],
    ['comparison of ten runs', `/p/${slug}/compare/${ids.join('...')}`],
    ['matrix', `/p/${slug}/matrix`],
    ['alerts', `/p/${slug}/alerts`],
    ['API: runs', `/api/v1/projects/${slug}/runs`],
  ])
}

const uploadFixture = path.join(import.meta.dirname, '../../fixtures/hey-text/duration-and-interrupt.txt')
const uploadedSchema = z.object({ runs: z.tuple([z.object({ id: z.string() })]) })

/** A run uploaded to the project now, because copied runs have no raw file. Returns the address of its page. */
async function uploadRun(appUrl: string, slug: string): Promise<string> {
  const answer = await fetch(`${appUrl}/api/v1/projects/${slug}/uploads?again=1&scenario=GET%20/&variant=uploaded`, {
    method: 'PUT',
    headers: { Accept: 'application/json' },
    body: await readFile(uploadFixture),
  })
  if (!answer.ok) throw new Error(`the upload was answered with ${answer.status}: ${await answer.text()}`)
  return `/p/${slug}/runs/${uploadedSchema.parse(await answer.json()).runs[0].id}`
}

/** Starts the built app on a database that nothing else has open and requests each page in turn. */
export async function measurePages(
  database: { readonly dataFolder: string; readonly url: string | null },
  pages: ReadonlyMap<string, string>,
  slug: string,
): Promise<readonly MeasuredPage[]> {
  const app = await startApp({ dataFolder: database.dataFolder, databaseUrl: database.url ?? undefined })
  try {
    const measured: MeasuredPage[] = []
    let made = 0
    const uploaded = await uploadRun(app.url, slug)
    const all = new Map([...pages, ['run', uploaded]])
    for (const [name, address] of all) {
      const times: number[] = []
      let bytes = 0
      for (let at = -warmUps; at < requests; at += 1) {
        const startedAt = performance.now()
        // Another query is another page: the server keeps what it has made.
        const asked = `${address}${address.includes('?') ? '&' : '?'}made=${(made += 1)}`
        const answer = await fetch(app.url + asked)
        bytes = (await answer.arrayBuffer()).byteLength
        if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`)
        if (at >= 0) times.push(performance.now() - startedAt)
      }
      times.sort((a, b) => a - b)
      const at = (q: number) => times[Math.ceil(times.length * q) - 1] ?? NaN
      process.stderr.write(`  ${name}: ${at(0.5).toFixed(0)} ms\n`)
      measured.push({ name, minMs: times[0] ?? NaN, p50Ms: at(0.5), p95Ms: at(0.95), bytes })
    }
    // A reused database is measured again as it was.
    await fetch(`${app.url}/api/v1/projects/${slug}/runs/${uploaded.split('/').at(-1)}`, { method: 'DELETE' })
    return measured
  } finally {
    await app.stop()
  }
}
