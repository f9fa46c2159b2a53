/**
 * `npm run bench:history -- [runs] [--embedded] [--keep FOLDER] [--only TEXT] [--pages] [--projects]`: fills a database
 * with that many runs (and another with a tenth), and measures the queries of the history: real calls, in total and the
 * part spent in SQL. A kept folder is not filled again. `--only`: queries whose name contains the text. `--pages`: also
 * pages of the built app. `--projects`: of 400 projects, two with a fifth of the runs each. Needs PostgreSQL's binaries.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, databasePool, openDatabase } from '@/prisma/db'
import { getProject } from '@/prisma/queries/projects/projects'
import { startOwn } from '../postgres'
import { fillHistory, manyProjects, oneBig } from './history/fill'
import { measurePages, pagesOf, type MeasuredPage } from './history/pages'
import { measureHistory, type Measured } from './history/queries'

const print = (line: string) => process.stdout.write(`${line}\n`)
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    embedded: { type: 'boolean' },
    keep: { type: 'string' },
    only: { type: 'string' },
    pages: { type: 'boolean' },
    projects: { type: 'boolean' },
  },
})
const count = Number(positionals[0] ?? 1_000_000)
const aimMs = 5
const pageAimMs = 60

/** Measurements of one database. */
interface Both {
  readonly queries: readonly Measured[]
  readonly pages: readonly MeasuredPage[]
}

async function measure(
  runs: number,
  database: { readonly url: string | null; readonly isFilled: boolean },
): Promise<Both> {
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-history-'))
  await openDatabase({ dataFolder, databaseUrl: database.url })
  try {
    if (!database.isFilled) {
      const spread = options.projects ? manyProjects : oneBig
      const { seconds } = await fillHistory(runs, (line) => print(`  ${line}`), spread)
      const { rows } = await databasePool().query<{ name: string }>('SELECT current_database() AS name')
      await databasePool().query(`COMMENT ON DATABASE "${rows[0]?.name}" IS 'filled'`)
      print(`  ${runs} runs in ${seconds.toFixed(0)} s`)
    }
    await printSizes()
    print(`  load of the machine: ${os.loadavg()[0]?.toFixed(1)}`)
    const { id } = await getProject(localViewer, 'project-1')
    const pages = await pagesOf(id, 'project-1')
    const queries = await measureHistory(id, options.only ?? '', runs)
    if (!options.pages) return { queries, pages: [] }
    await closeDatabase()
    return { queries, pages: await measurePages({ dataFolder, url: database.url }, pages, 'project-1') }
  } finally {
    await closeDatabase()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function printSizes(): Promise<void> {
  const { rows } = await databasePool().query<{ name: string; rows: number; table: string; indices: string }>(
    `SELECT relname AS name, reltuples::float8 AS rows, pg_size_pretty(pg_table_size(oid)) AS table, pg_size_pretty(pg_indexes_size(oid)) AS indices
     FROM pg_class WHERE relname IN ('run', 'run_term', 'term') ORDER BY 1`,
  )
  for (const { name, rows: n, table, indices } of rows) print(`  ${name}: ${n} rows, ${table}, indices ${indices}`)
}

/** A database with that many runs, and whether an earlier call filled it. */
async function databaseFor(server: string, runs: number) {
  const name = `history_${runs}${options.projects ? '_projects' : ''}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    const { rows } = await client.query<{ note: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS note FROM pg_database WHERE datname = $1`,
      [name],
    )
    const isFilled = rows[0]?.note === 'filled'
    if (!isFilled) {
      await client.query(`DROP DATABASE IF EXISTS ${name}`)
      await client.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
    }
    return { url: url.href, isFilled }
  } finally {
    await client.end()
  }
}

const shortMs = (value: number) => value.toFixed(value < 10 ? 2 : 1)

/** With other work on the machine, the minimum is the most reliable: the time of a call that nothing interrupts. */
function printTables(sizes: readonly number[], all: readonly Both[]): void {
  const heads = sizes.map((runs) => `${runs.toLocaleString('en')} runs`)
  const row = (cells: readonly string[]) => print(`| ${cells.join(' | ')} |`)
  row(['SQL: least / p50 / p95 (p50 of the whole call), ms', ...heads, 'aim for p50'])
  print(`| --- |${' --- |'.repeat(sizes.length + 1)}`)
  for (const [at, { name }] of (all[0]?.queries ?? []).entries()) {
    const ones = all.flatMap(({ queries }) => queries[at] ?? [])
    const cells = ones.map(({ sqlMinMs: sqlLeastMs, sqlP50Ms, sqlP95Ms, p50Ms }) => {
      return `${[sqlLeastMs, sqlP50Ms, sqlP95Ms].map(shortMs).join(' / ')} (${shortMs(p50Ms)})`
    })
    row([name, ...cells, ones.some((one) => one.sqlP50Ms > aimMs) ? `${aimMs}, missed` : `${aimMs}`])
  }
  if (!options.pages) return
  print('')
  row(['page: least / p50 / p95, ms; kB', ...heads, 'aim for p50'])
  print(`| --- |${' --- |'.repeat(sizes.length + 1)}`)
  for (const [at, { name }] of (all[0]?.pages ?? []).entries()) {
    const ones = all.flatMap(({ pages }) => pages[at] ?? [])
    const cells = ones.map(({ minMs: leastMs, p50Ms, p95Ms, bytes }) => {
      return `${[leastMs, p50Ms, p95Ms].map(shortMs).join(' / ')}; ${(bytes / 1_000).toFixed(0)}`
    })
    row([name, ...cells, ones.some((one) => one.p50Ms > pageAimMs) ? `${pageAimMs}, missed` : `${pageAimMs}`])
  }
}

if (options.embedded) {
  printTables([count], [await measure(count, { url: null, isFilled: false })])
} else {
  const postgres = await startOwn(options.keep, ['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=8GB'])
  try {
    const sizes = [Math.round(count / 10), count]
    const tables: Both[] = []
    for (const runs of sizes) tables.push(await measure(runs, await databaseFor(postgres.url, runs)))
    printTables(sizes, tables)
  } finally {
    await postgres.end()
  }
}
