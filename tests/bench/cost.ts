/**
 * `npm run bench:cost -- [requests] [--embedded]`: what uploads, pages and answers cost a server with accounts. Prints
 * a row per request: statements that PostgreSQL executed for it, and CPU of the server, in milliseconds and divided by
 * that of `node -e 0` on the same machine. `--embedded`: the embedded database, in the server's process, which counts no
 * statements. Needs a build.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { startOwn } from '../postgres'
import { World } from '../server/access/world'
import { heyText } from '../server/feed-series'
import { median } from './pages/page-times'
import { cpuMsOf, emptyProgramMs } from './process-cpu'

const requests = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 40)
const scenarios = 25
const runsPerScenario = 4

const postgres = process.argv.includes('--embedded')
  ? null
  : await startOwn(undefined, ['shared_preload_libraries=pg_stat_statements'])
const counter = postgres === null ? null : new pg.Client({ connectionString: postgres.url })
await counter?.connect()
await counter?.query('CREATE EXTENSION pg_stat_statements')

/**
 * Statements since the last reset that are not ours, with BEGIN and COMMIT; without the bodies of `term_id`, which the
 * planner evaluates, and of the trigger at the end of a transaction.
 */
async function countStatements(): Promise<number> {
  const result = await counter?.query<{ calls: string }>(
    `SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements
    WHERE toplevel AND query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE 'SELECT ($4 || left(md5%'
    AND query NOT LIKE 'INSERT INTO "project_version"%' AND query NOT LIKE '%tailboard.changed_projects%'
    AND query NOT LIKE 'changed := %'`,
  )
  return Number(result?.rows[0]?.calls)
}

const emptyFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-cost-'))
process.env['TAILBOARD_TEST_DATA_FOLDER'] = emptyFolder
const unlimited = { TAILBOARD_TOKEN_UPLOADS: '100000', TAILBOARD_TOKEN_UPLOADS_HOUR: '100000' }
const world = await World.start({ ...unlimited, ...(postgres === null ? {} : { DATABASE_URL: postgres.url }) })
const { people, places } = world
const { token } = await world.token('upload')
const { app } = world
const project = `/api/v1/projects/${places.own}`

let sent = 0
const saved = z.object({ runs: z.tuple([z.object({ id: z.string() })]) })
/** A new run of the next scenario; the id of it. */
async function upload(): Promise<string> {
  sent += 1
  const place = `${app.url}${project}/uploads?scenario=load-${sent % scenarios}&label=commit=c${sent}`
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const response = await fetch(place, { method: 'PUT', body: heyText(100 + (sent % 7) + sent / 1_000), headers })
  if (response.status !== 201) throw new Error(`An upload: ${response.status} ${await response.text()}`)
  return saved.parse(await response.json()).runs[0].id
}

/** A request by a member of the project; throws if it fails. */
async function get(address: string): Promise<void> {
  const cookie = `__Host-tailboard=${people.viewer.session.secret}`
  const response = await fetch(app.url + address, { headers: { cookie }, redirect: 'manual' })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${address}: ${response.status}`)
}

/** Waits for the server's background work, so that it does not count in the next measurement. */
async function untilIdle(): Promise<void> {
  for (let quiet = 0, before = cpuMsOf(app.pid, 'itself'); quiet < 3;) {
    await sleep(100)
    const now = cpuMsOf(app.pid, 'itself')
    quiet = now === before ? quiet + 1 : 0
    before = now
  }
}

interface Cost {
  readonly cpuMs: number
  /** Null: this database counts none. */
  readonly statements: number | null
}

/** `count` requests, one after the other; the statements of five more, one at a time: their median. */
async function measure(request: () => Promise<unknown>, count: number): Promise<Cost> {
  for (let at = 0; at < 10; at += 1) await request()
  await untilIdle()
  const before = cpuMsOf(app.pid, 'itself')
  for (let at = 0; at < count; at += 1) await request()
  const cpuMs = (cpuMsOf(app.pid, 'itself') - before) / count
  const statements: number[] = []
  for (let at = 0; counter !== null && at < 5; at += 1) {
    await untilIdle()
    await counter.query('SELECT pg_stat_statements_reset()')
    await request()
    statements.push(await countStatements())
  }
  return { cpuMs, statements: counter === null ? null : median(statements) }
}

let run = ''
for (let at = 0; at < scenarios * runsPerScenario; at += 1) run = await upload()
await untilIdle()
const baseMs = emptyProgramMs()
const board = `/p/${places.own}`
let made = 0
/** A page that the server has not kept: another query is another page. */
const getNew = (address: string) => get(`${address}?made=${(made += 1)}`)
/** `most`: statements beyond which the bench fails. */
const all: readonly (readonly [name: string, most: number, request: () => Promise<unknown>, count?: number])[] = [
  ['upload of a small run', 12, upload],
  ['run', 7, () => getNew(`${board}/runs/${run}`)],
  ['board', 10, () => getNew(board)],
  ['list', 7, () => getNew(`${board}/runs`)],
  ['trends', 6, () => getNew(`${board}/trends`)],
  ['home', 7, () => getNew('/')],
  ['run, again', 1, () => get(`${board}/runs/${run}`)],
  ['board, again', 1, () => get(board)],
  ['answer of the API', 4, () => get(`${project}/runs/${run}`), 10 * requests],
  ['healthz', 0, () => get('/healthz'), 10 * requests],
]
process.stdout.write(`node -e 0: ${baseMs.toFixed(0)} ms of CPU; ${postgres === null ? 'embedded' : 'PostgreSQL'}\n`)
process.stdout.write('| request | statements | CPU, ms | ÷ node -e 0 |\n| --- | --- | --- | --- |\n')
const exceeded: string[] = []
for (const [name, most, request, count = requests] of all) {
  const { statements, cpuMs } = await measure(request, count)
  process.stdout.write(`| ${name} | ${statements ?? ''} | ${cpuMs.toFixed(1)} | ${(cpuMs / baseMs).toFixed(3)} |\n`)
  if (statements !== null && statements > most) exceeded.push(`${name}: ${statements} statements, more than ${most}`)
}
await world.end()
await counter?.end()
await postgres?.end()
rmSync(emptyFolder, { recursive: true, force: true })
if (exceeded.length > 0) throw new Error(exceeded.join('\n'))
