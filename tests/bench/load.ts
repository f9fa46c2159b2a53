/**
 * `npm run bench:load -- [--minutes 10] [--soak] [--embedded]`: 20 uploads a second of 100 kB, and 50 viewers who open
 * a page every 10 s, against the real server on PostgreSQL (or the embedded database); this process is the generator,
 * niced. Prints one line of JSON: latencies of uploads and pages in ms, failures, memory. Times count from when a
 * request was due, so that stalls are not left out. `--soak`: 30 minutes after 15 of warm-up, for the growth of memory.
 * PostgreSQL syncs every commit, as in production. Needs a build.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, setPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../fuzz/random'
import { startOwn } from '../postgres'
import { startApp } from '../server/app'
import { steadyRows, vegetaCsv } from '../vegeta-csv'

const uploadsPerSecond = 20
const uploadBytes = 100_000
const viewers = 50
const pageEveryMs = 10_000
/** A series is no longer than a busy team's: uploads take turns. */
const scenarios = 40

const isSoak = process.argv.includes('--soak')
const minutes = Number(process.argv[process.argv.indexOf('--minutes') + 1]) || (isSoak ? 45 : 10)
/**
 * Until each scenario has the 400 runs that an evaluation reads: 13.3 minutes. Before that, memory grows with the data.
 */
const warmUpMs = (isSoak ? minutes / 3 : 0) * 60_000

const rounded = (ms: number) => Math.round(ms * 10) / 10
function quantiles(ms: readonly number[]) {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (q: number) => rounded(sorted[Math.ceil(sorted.length * q) - 1] ?? NaN)
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** Resident memory of a process in MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024)
}

const postgres = process.argv.includes('--embedded') ? null : await startOwn(undefined, ['fsync=on'])
const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-load-'))
const app = await startApp({ dataFolder: folder, databaseUrl: postgres?.url })
setPriority(19) // after the server was created, which keeps its own
const pid = app.process.pid ?? 0

/** Series noise of a quiet machine; without any, every run would be the same and there would be nothing to judge. */
const noise = 0.02
const random = randomFrom(20_261_123)
const variants = Array.from({ length: 64 }, () => {
  const latencyNs = Math.round(5_000_000 * (1 + noise * (2 * random() - 1)))
  const rows = vegetaCsv(steadyRows(3_000, 60_000, 0, latencyNs)).split('\n')
  let bytes = 0
  return rows.slice(
    0,
    rows.findIndex((row) => (bytes += row.length + 1) > uploadBytes),
  )
})
let sent = 0
/** Each attack starts a second after the one before it: newer runs come last in their series, as on a normal day. */
function newResults(): string {
  sent += 1
  const lines = variants[sent % variants.length] ?? []
  return lines.map((line) => `${Number(line.slice(0, 10)) + sent}${line.slice(10)}\n`).join('')
}

const answered: { readonly what: string; readonly dueMs: number; readonly ms: number }[] = []
const failures: string[] = []
const memory: { readonly atMs: number; readonly mb: number }[] = []
const startedAt = performance.now()
const endsAt = startedAt + minutes * 60_000

async function timed(dueAt: number, what: string, request: () => Promise<Response>): Promise<void> {
  try {
    const response = await request()
    const text = await response.text()
    if (!response.ok) failures.push(`${what}: ${response.status} ${text.slice(0, 200)}`)
  } catch (error) {
    failures.push(`${what}: ${String(error)}`)
  }
  answered.push({ what, dueMs: dueAt - startedAt, ms: performance.now() - dueAt })
}

const project = `${app.url}/api/v1/projects/load`
async function sendUploads(): Promise<void> {
  const under: Promise<void>[] = []
  for (let dueAt = startedAt; dueAt < endsAt; dueAt += 1_000 / uploadsPerSecond) {
    await sleep(Math.max(0, dueAt - performance.now()))
    const body = newResults()
    const place = `${project}/uploads?create=1&scenario=load-${sent % scenarios}`
    under.push(timed(dueAt, 'upload', () => fetch(place, { method: 'PUT', body })))
    if (under.length > 1_000) await Promise.all(under.splice(0, 500))
  }
  await Promise.all(under)
}

const board = `${app.url}/p/load`
const places = [board, `${board}/runs`, `${board}/trends`, `${app.url}/p/smithy-rs`, `${app.url}/`]
async function view(viewer: number): Promise<void> {
  const first = startedAt + (viewer * pageEveryMs) / viewers
  for (let turn = 0, dueAt = first; dueAt < endsAt; turn += 1, dueAt += pageEveryMs) {
    await sleep(Math.max(0, dueAt - performance.now()))
    const place = places[(viewer + turn) % places.length] ?? board
    await timed(dueAt, place.slice(app.url.length), () => fetch(place))
  }
}

const isUpload = ({ what }: { readonly what: string }) => what === 'upload'
const times = (of: typeof answered) => of.map(({ ms }) => ms)

/** One line per minute, on stderr, to show from which minute on a server falls behind. */
async function tell(): Promise<void> {
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(Math.max(0, startedAt + minute * 60_000 - performance.now()))
    const last = answered.filter(({ dueMs }) => dueMs >= (minute - 1) * 60_000 && dueMs < minute * 60_000)
    const [sentMs, seenMs] = [last.filter(isUpload), last.filter((one) => !isUpload(one))].map((of) =>
      quantiles(times(of)),
    )
    process.stderr.write(`${JSON.stringify({ minute, sentMs, seenMs, errors: failures.length })}\n`)
  }
}

async function watchMemory(): Promise<void> {
  for (; performance.now() < endsAt; await sleep(5_000))
    memory.push({ atMs: performance.now() - startedAt, mb: await memoryOf(pid) })
}

const loadBefore = loadavg().map(rounded)
const first = await fetch(`${project}/uploads?create=1`, { method: 'PUT', body: newResults() })
if (!first.ok) throw new Error(`The first upload: ${first.status} ${await first.text()}`)
const home = await (await fetch(`${app.url}/`)).text()
const sample = /href="(\/p\/[\w-]+)"/.exec(home)?.[1]
if (sample !== undefined) places[3] = app.url + sample
await Promise.all([sendUploads(), watchMemory(), tell(), ...Array.from({ length: viewers }, (_, at) => view(at))])

const aimed = answered.filter(({ dueMs }) => dueMs < 600_000)
/**
 * The mean of a fifth of the measurements after the warm-up: a single reading only shows when the collector last ran.
 */
const after = memory.filter(({ atMs }) => atMs >= warmUpMs).map(({ mb }) => mb)
const fifth = Math.max(1, Math.floor(after.length / 5))
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const [from, to] = [mean(after.slice(0, fifth)), mean(after.slice(-fifth))]
/** From the start on, to show where the warm-up ends: caches fill, and V8 lets the heap grow. */
const every5Minutes = Array.from({ length: Math.ceil(minutes / 5) }, (_, at) =>
  Math.round(mean(memory.filter(({ atMs }) => Math.floor(atMs / 300_000) === at).map(({ mb }) => mb))),
)
process.stdout.write(
  `${JSON.stringify({
    minutes,
    database: postgres === null ? 'embedded' : 'PostgreSQL',
    uploadBytes: newResults().length,
    loadBefore,
    uploadMs: quantiles(times(answered.filter(isUpload))),
    pageMs: quantiles(times(answered.filter((one) => !isUpload(one)))),
    firstTenMinutes: {
      uploadMs: quantiles(times(aimed.filter(isUpload))),
      pageMs: quantiles(times(aimed.filter((one) => !isUpload(one)))),
    },
    errors: failures.length,
    memoryMb: {
      from: Math.round(from),
      to: Math.round(to),
      max: Math.max(...after),
      every5Minutes,
      growthPercent: rounded((to / from - 1) * 100),
    },
  })}\n`,
)
for (const failure of failures.slice(0, 5)) process.stdout.write(`${failure}\n`)
await app.stop()
await postgres?.end()
await rm(folder, { recursive: true, force: true })
