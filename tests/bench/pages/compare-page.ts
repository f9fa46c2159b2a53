import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { timePage, type PageTime } from './page-times'
import { weighPages } from './page-weight'
import { writeVariedResults } from '../varied-results'

/** The cost of comparing ten runs with full histograms. */
export interface ComparePage extends PageTime {
  /** Compressed, until the page is idle. */
  readonly scriptBytes: number
  readonly totalBytes: number
  /** First contentful paint in a fresh browser, median; and that of the same page without scripts. */
  readonly paintMs: number
  readonly barePaintMs: number
}

const runCount = 10
const rowsOfRun = 60_000
const pageOfRuns = z.object({ rows: z.array(z.object({ id: z.string() })) })

/** Uploads ten runs to the running server and measures their comparison. Throws if one of them is refused. */
export async function measureComparePage(origin: string): Promise<ComparePage> {
  const url = await comparisonOfTen(origin)
  const time = await timePage(url)
  const [weight] = await weighPages(origin, [url.slice(origin.length)])
  return {
    ...time,
    scriptBytes: weight?.scriptBytes ?? Number.NaN,
    totalBytes: weight?.totalBytes ?? Number.NaN,
    paintMs: weight?.paintMs ?? Number.NaN,
    barePaintMs: weight?.barePaintMs ?? Number.NaN,
  }
}

async function comparisonOfTen(origin: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-compare-'))
  const api = `${origin}/api/v1/projects`
  const json = { 'content-type': 'application/json' }
  await answered(
    fetch(api, { method: 'POST', headers: json, body: JSON.stringify({ name: 'Ten', slug: 'bench-ten' }) }),
  )
  try {
    for (let seed = 0; seed < runCount; seed += 1) {
      const body = readFileSync(writeVariedResults(folder, seed, rowsOfRun))
      await answered(fetch(`${api}/bench-ten/uploads`, { method: 'PUT', body }))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const { rows } = pageOfRuns.parse(await (await fetch(`${api}/bench-ten/runs`)).json())
  if (rows.length !== runCount) throw new Error(`${rows.length} runs are listed of ${runCount}`)
  for (const [at, { id }] of rows.entries()) {
    const body = JSON.stringify({ scenario: 'GET /items', variant: `v${at}` })
    await answered(fetch(`${api}/bench-ten/runs/${id}`, { method: 'PATCH', headers: json, body }))
  }
  return `${origin}/p/bench-ten/compare/${rows.map(({ id }) => id).join('...')}`
}

async function answered(request: Promise<Response>): Promise<void> {
  const response = await request
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
}
