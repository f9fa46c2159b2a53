/**
 * `npm run bench:upload -- [rows] [rounds]`: a million results sent with curl to the running server, until the run is
 * stored and listed, against `vegeta report` on the local file (wall clock, interleaved, medians); then the latency of
 * other requests while 400 bytes a row arrive, 400 MB for a million. TAILBOARD_VEGETA: path of vegeta. Needs a build
 * (`npm run build`) and, for that half, PostgreSQL.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { startPostgres } from '../postgres'
import { startApp, type RunningApp } from '../server/app'
import { writeResults } from './results-files'

const run = promisify(execFile)
const print = (line: string) => process.stdout.write(`${line}\n`)
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN
const p95 = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? NaN

const rows = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 5)
const bytesOfLoad = rows * 400
const runsSchema = z.object({
  rows: z.array(z.object({ id: z.string(), figures: z.object({ requests: z.number().nullable() }) })),
})

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

/** Sends a file with curl, and polls the history until its run is there. Throws if its count is wrong. */
async function uploadWithCurl(app: RunningApp, file: string, count: number): Promise<void> {
  const url = `${app.url}/api/v1/projects/bench`
  const { stdout } = await run('curl', ['-sS', '--fail-with-body', '-T', file, `${url}/uploads?again=1`])
  const id = /\/runs\/(\w+)/.exec(stdout)?.[1]
  const { rows: newest } = runsSchema.parse(await (await fetch(`${url}/runs?limit=200`)).json())
  const stored = newest.find((one) => one.id === id)
  if (stored?.figures.requests !== count)
    throw new Error(`the run of ${file} is not listed with ${count} requests, after the answer ${stdout}`)
}

/** Times of small requests, one after the other, until `done`; milliseconds. */
async function probe(app: RunningApp, done: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!done()) {
    times.push(
      (await secondsOf(() => fetch(`${app.url}/api/v1/projects/bench/runs?limit=20`).then((answer) => answer.text()))) *
        1_000,
    )
    await sleep(10)
  }
  return times
}

async function measure(name: string, databaseUrl: string | undefined, folder: string, files: Files): Promise<void> {
  const app = await startApp({ dataFolder: mkdtempSync(path.join(folder, 'data-')), databaseUrl })
  try {
    await fetch(`${app.url}/api/v1/projects`, {
      method: 'POST',
      body: JSON.stringify({ name: 'Bench', slug: 'bench' }),
    })
    for (const file of [files.csv, files.gob, files.json]) {
      await uploadWithCurl(app, file, rows) // the first one of each form includes compilation
      const ours: number[] = []
      const theirs: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await secondsOf(() => uploadWithCurl(app, file, rows)))
        if (files.peer !== null) {
          const { peer } = files
          theirs.push(await secondsOf(() => run(peer, ['report', '-output=/dev/null', file])))
        }
      }
      const against =
        theirs.length === 0
          ? ''
          : `, vegeta report ${median(theirs).toFixed(2)} s: ${(median(ours) / median(theirs)).toFixed(2)} of it`
      print(
        `  ${name}, ${path.extname(file).slice(1)} ${(statSync(file).size / 1e6).toFixed(0)} MB: ${median(ours).toFixed(2)} s${against}`,
      )
    }
    const idle = await probe(app, deadline(Math.min(5_000, rows)))
    let isDone = false
    const upload = uploadWithCurl(app, files.load, files.loadRows).finally(() => (isDone = true))
    const busy = await probe(app, () => isDone)
    await upload
    print(
      `  ${name}, while ${(statSync(files.load).size / 1e6).toFixed(0)} MB come in: p95 of other requests ${p95(busy).toFixed(1)} ms, idle ${p95(idle).toFixed(1)} ms (${(p95(busy) / p95(idle)).toFixed(1)} times)`,
    )
  } finally {
    await app.stop()
  }
}

function deadline(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() > end
}

interface Files {
  readonly csv: string
  readonly gob: string
  readonly json: string
  readonly load: string
  readonly loadRows: number
  readonly peer: string | null
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-upload-speed-'))
const postgres = await startPostgres()
try {
  const given = process.env['TAILBOARD_VEGETA']
  const peer = given !== undefined && existsSync(given) ? given : null
  if (peer === null) print('vegeta is not compared: TAILBOARD_VEGETA does not name its executable')
  const csv = writeResults(folder, 'lean', 'csv', rows)
  const loadRows = Math.ceil((bytesOfLoad / statSync(csv).size) * rows)
  const files: Files = {
    csv,
    gob: writeResults(folder, 'lean', 'gob', rows),
    json: writeResults(folder, 'lean', 'json', rows),
    load: writeResults(folder, 'lean', 'csv', loadRows),
    loadRows,
    peer,
  }
  print(`${rows} results by curl to a running server, stored and listed, medians of ${rounds} rounds, wall clock`)
  if (postgres.kind === 'running') await measure('PostgreSQL', await postgres.createDatabase(), folder, files)
  else print(`  ${postgres.reason}`)
  await measure('embedded', undefined, folder, files)
} finally {
  if (postgres.kind === 'running') await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
