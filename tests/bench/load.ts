/**
 * `npm run bench:load -- [--minutes 2] [--per-second 20] [--streams 200] [--large] [--soak] [--embedded]`: uploads a second and 50
 * viewers who open a page every 10 s, against the real server with accounts on PostgreSQL (or the embedded database),
 * from the first second on; this process is the generator, niced. Uploads are reports of hey, or with `--large` 100 kB
 * of vegeta's results. Prints a line per half and minute, then one line of JSON: latencies of uploads and pages in ms,
 * failures, memory, and the server's CPU. Times count from when a request was due, so that stalls are not left out.
 * `--streams`: as many pages wait for changes of the project meanwhile; `events` is what each of them was sent.
 * `--capacity`: raises the rate until a p95 is beyond 300 ms. `--soak`: 30 minutes after 15 of warm-up, for the growth
 * of memory. PostgreSQL syncs every commit, as in production. Needs a build.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, setPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../fuzz/random'
import { startOwn } from '../postgres'
import { World } from '../server/access/world'
import { heyText } from '../server/feed-series'
import { readStream } from '../server/live/read-stream'
import { steadyRows, vegetaCsv } from '../vegeta-csv'
import { cpuMsOf, emptyProgramMs } from './process-cpu'

const has = (name: string): boolean => process.argv.includes(`--${name}`)
const numberAfter = (name: string): number | null => {
  const value = Number(process.argv[process.argv.indexOf(`--${name}`) + 1])
  return has(name) && value > 0 ? value : null
}
const isSoak = has('soak')
const minutes = numberAfter('minutes') ?? (isSoak ? 45 : 2)
const perSecond = numberAfter('per-second') ?? 20
const largeBytes = 100_000
const viewers = 50
const pageEveryMs = 10_000
/** A series is no longer than a busy team's: uploads take turns. */
const scenarios = has('large') ? 40 : 25
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

const emptyMs = emptyProgramMs()
const postgres = has('embedded') ? null : await startOwn(undefined, ['fsync=on'])
const folder = mkdtempSync(path.join(tmpdir(), 'tailboard-load-'))
process.env['TAILBOARD_TEST_DATA_FOLDER'] = folder
const unlimited = { TAILBOARD_TOKEN_UPLOADS: '1000000', TAILBOARD_TOKEN_UPLOADS_HOUR: '1000000' }
// As docs/deploy sets it.
const memorySettings = { MALLOC_ARENA_MAX: '2' }
const databaseUrl = postgres === null ? {} : { DATABASE_URL: postgres.url }
const world = await World.start({
  ...unlimited,
  ...memorySettings,
  TAILBOARD_TOKEN_REQUESTS: '1000000',
  ...databaseUrl,
})
setPriority(19) // after the server was created, which keeps its own
const { app, places, people } = world
const { token } = await world.token('upload')
const memoryMb = () =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]) / 1_024)

/** Series noise of a quiet machine; without any, every run would be the same and there would be nothing to judge. */
const noise = 0.02
const random = randomFrom(20_261_123)
const variants = Array.from({ length: has('large') ? 64 : 0 }, () => {
  const latencyNs = Math.round(5_000_000 * (1 + noise * (2 * random() - 1)))
  const rows = vegetaCsv(steadyRows(3_000, 60_000, 0, latencyNs)).split('\n')
  let bytes = 0
  return rows.slice(
    0,
    rows.findIndex((row) => (bytes += row.length + 1) > largeBytes),
  )
})
let sent = 0
/** Each run starts a second after the one before it: newer runs come last in their series, as on a normal day. */
function newResults(): string {
  sent += 1
  if (!has('large')) return heyText(100 * (1 + noise * (2 * random() - 1)) + sent / 1e6)
  const lines = variants[sent % variants.length] ?? []
  return lines.map((line) => `${Number(line.slice(0, 10)) + sent}${line.slice(10)}\n`).join('')
}

interface Answered {
  readonly what: string
  readonly dueMs: number
  readonly ms: number
}
const answered: Answered[] = []
const failures: string[] = []
const startedAt = performance.now()

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

function upload(): Promise<Response> {
  const place = `${app.url}/api/v1/projects/${places.own}/uploads?scenario=load-${sent % scenarios}`
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  return fetch(place, { method: 'PUT', body: newResults(), headers })
}

async function sendUploads(beginsAt: number, endsAt: number, rate: number): Promise<void> {
  const under: Promise<void>[] = []
  for (let dueAt = beginsAt; dueAt < endsAt; dueAt += 1_000 / rate) {
    await sleep(Math.max(0, dueAt - performance.now()))
    under.push(timed(dueAt, 'upload', upload))
    if (under.length > 1_000) await Promise.all(under.splice(0, 500))
  }
  await Promise.all(under)
}

const board = `/p/${places.own}`
const pages = [board, `${board}/runs`, `${board}/trends`, `${board}/alerts`, '/']
/** A fifth each are viewers, editors, admins, owners, and one more viewer. */
const sessions = [people.viewer, people.editor, people.admin, people.owner, people.spare].map(
  ({ session }) => `__Host-tailboard=${session.secret}`,
)
async function view(viewer: number, beginsAt: number, endsAt: number): Promise<void> {
  const first = beginsAt + (viewer * pageEveryMs) / viewers
  const cookie = sessions[viewer % sessions.length] ?? ''
  for (let turn = 0, dueAt = first; dueAt < endsAt; turn += 1, dueAt += pageEveryMs) {
    await sleep(Math.max(0, dueAt - performance.now()))
    const place = pages[(viewer + turn) % pages.length] ?? board
    await timed(dueAt, place, () => fetch(app.url + place, { headers: { cookie } }))
  }
}

const isUpload = ({ what }: Answered) => what === 'upload'
/** Of the requests that were due from one time to another, in ms since the start. */
function summaryOf(fromMs: number, toMs: number) {
  const due = answered.filter(({ dueMs }) => dueMs >= fromMs && dueMs < toMs)
  const times = (of: readonly Answered[]) => quantiles(of.map(({ ms }) => ms))
  return { uploadMs: times(due.filter(isUpload)), pageMs: times(due.filter((one) => !isUpload(one))) }
}
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

/** Cores that the server takes while `work` lasts. */
async function coresOf(work: () => Promise<unknown>): Promise<number> {
  const [cpuMs, atMs] = [cpuMsOf(app.pid, 'itself'), performance.now()]
  await work()
  return rounded((cpuMsOf(app.pid, 'itself') - cpuMs) / (performance.now() - atMs))
}

/** A load of so many uploads a second, and of the viewers. */
const load = (beginsAt: number, ms: number, rate: number) =>
  Promise.all([
    sendUploads(beginsAt, beginsAt + ms, rate),
    ...Array.from({ length: viewers }, (_, at) => view(at, beginsAt, beginsAt + ms)),
  ])

/** Pages that wait for changes of the project: what each was sent is counted once they are closed. */
const openStreams = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, at) => {
      const cookie = sessions[at % sessions.length] ?? ''
      return readStream(`${app.url}/api/v1/projects/${places.own}/changes`, { cookie })
    }),
  )

const aimMs = 300
/** The most uploads a second of which 95 % are answered in time, and 95 % of the pages, over half a minute. */
async function findCapacity(): Promise<number> {
  const stepMs = 30_000
  for (let rate = 5, most = 0; ; most = rate, rate += 5) {
    const beginsAt = performance.now()
    const cores = await coresOf(() => load(beginsAt, stepMs, rate))
    const { uploadMs, pageMs } = summaryOf(beginsAt - startedAt, beginsAt - startedAt + stepMs)
    print({ uploadsPerSecond: rate, cores, uploadMs, pageMs, errors: failures.length })
    if (uploadMs.p95 > aimMs || pageMs.p95 > aimMs || failures.length > 0) return most
  }
}

const memory: { readonly atMs: number; readonly mb: number }[] = []
async function watchMemory(endsAt: number): Promise<void> {
  for (; performance.now() < endsAt; await sleep(5_000))
    memory.push({ atMs: performance.now() - startedAt, mb: memoryMb() })
}

/** One line per minute, to show from which minute on a server falls behind. */
async function tell(): Promise<void> {
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(Math.max(0, startedAt + minute * 60_000 - performance.now()))
    print({ minute, ...summaryOf((minute - 1) * 60_000, minute * 60_000), errors: failures.length })
  }
}

/**
 * The mean of a fifth of the measurements after the warm-up: a single reading only shows when the collector last ran.
 */
function memoryGrowth() {
  const after = memory.filter(({ atMs }) => atMs >= warmUpMs).map(({ mb }) => mb)
  const fifth = Math.max(1, Math.floor(after.length / 5))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [from, to] = [mean(after.slice(0, fifth)), mean(after.slice(-fifth))]
  // From the start on, to show where the warm-up ends: caches fill, and V8 lets the heap grow.
  const every5Minutes = Array.from({ length: Math.ceil(minutes / 5) }, (_, at) =>
    Math.round(mean(memory.filter(({ atMs }) => Math.floor(atMs / 300_000) === at).map(({ mb }) => mb))),
  )
  const growthPercent = rounded((to / from - 1) * 100)
  return { from: Math.round(from), to: Math.round(to), max: Math.max(...after), every5Minutes, growthPercent }
}

const about = { database: postgres === null ? 'embedded' : 'PostgreSQL', emptyMs: rounded(emptyMs) }
const loadBefore = loadavg().map(rounded)
const streams = await openStreams(numberAfter('streams') ?? 0)
if (has('capacity')) print({ ...about, loadBefore, capacity: await findCapacity() })
else {
  const ms = minutes * 60_000
  const cores = await coresOf(() => Promise.all([load(startedAt, ms, perSecond), watchMemory(startedAt + ms), tell()]))
  const halves = { cold: summaryOf(0, ms / 2), warm: summaryOf(ms / 2, ms) }
  const sentMs = { perSecond, bytes: newResults().length, minutes }
  const events = streams.map((stream) => stream.versions().length)
  const open = streams.filter((stream) => !stream.isOver()).length
  const streamed = { streams: open, events: [Math.min(...events), Math.max(...events)] }
  const measured = { cores, ...halves, errors: failures.length, memoryMb: memoryGrowth() }
  print({ ...about, loadBefore, ...sentMs, ...measured, ...(streams.length > 0 ? streamed : {}) })
}
for (const stream of streams) stream.close()
for (const failure of failures.slice(0, 5)) process.stdout.write(`${failure}\n`)
await world.end()
await postgres?.end()
rmSync(folder, { recursive: true, force: true })
