/**
 * `npm run bench:history -- [runs] [--embedded] [--keep FOLDER] [--only TEXT]`: a database with that many runs (and one
 * with a tenth), and how long the queries of the history take: real calls, p50 and p95, whole and the part spent in SQL.
 * What is kept is not filled again. `--only`: the queries whose name holds the text. Needs PostgreSQL's binaries.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, databasePool, openDatabase } from '@/prisma/db'
import { getProject } from '@/prisma/queries/projects'
import { startOwn } from '../postgres'
import { fillHistory } from './history-fill'
import { measureHistory, type Measured } from './history-queries'

const print = (line: string) => process.stdout.write(`${line}\n`)
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { embedded: { type: 'boolean' }, keep: { type: 'string' }, only: { type: 'string' } },
})
const count = Number(positionals[0] ?? 1_000_000)
const aimMs = 5

async function measure(runs: number, database: { readonly url: string | null; readonly isFilled: boolean }) {
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-history-'))
  await openDatabase({ dataFolder, databaseUrl: database.url })
  try {
    if (!database.isFilled) {
      const { seconds } = await fillHistory(runs, (line) => print(`  ${line}`))
      const { rows } = await databasePool().query<{ name: string }>('SELECT current_database() AS name')
      await databasePool().query(`COMMENT ON DATABASE "${rows[0]?.name}" IS 'filled'`)
      print(`  ${runs} runs in ${seconds.toFixed(0)} s`)
    }
    await printSizes()
    print(`  load of the machine: ${os.loadavg()[0]?.toFixed(1)}`)
    const { id } = await getProject(localViewer, 'project-1')
    return await measureHistory(id, options.only ?? '')
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

/** A database for so many runs, and whether an earlier call filled it. */
async function databaseFor(server: string, runs: number) {
  const name = `history_${runs}`
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

function printTable(sizes: readonly number[], tables: readonly (readonly Measured[])[]): void {
  const heads = sizes.map((runs) => `${runs.toLocaleString('en')} runs: SQL p50 / p95, call p50 / p95, ms`)
  print(`| query | ${heads.join(' | ')} | aim |`)
  print(`| --- |${' --- |'.repeat(sizes.length + 1)}`)
  for (const [at, { name }] of (tables[0] ?? []).entries()) {
    const cells = tables.map((table) => {
      const one = table[at]
      const ms = (value: number | undefined) => (value === undefined ? '' : value.toFixed(value < 10 ? 2 : 1))
      return one === undefined ? '' : `${ms(one.sqlP50Ms)} / ${ms(one.sqlP95Ms)}, ${ms(one.p50Ms)} / ${ms(one.p95Ms)}`
    })
    const missed = tables.some((table) => (table[at]?.sqlP50Ms ?? 0) > aimMs) ? ', missed' : ''
    print(`| ${name} | ${cells.join(' | ')} | ${aimMs}${missed} |`)
  }
}

if (options.embedded) {
  printTable([count], [await measure(count, { url: null, isFilled: false })])
} else {
  const postgres = await startOwn(options.keep, ['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=8GB'])
  try {
    const sizes = [Math.round(count / 10), count]
    const tables: (readonly Measured[])[] = []
    for (const runs of sizes) tables.push(await measure(runs, await databaseFor(postgres.url, runs)))
    printTable(sizes, tables)
  } finally {
    await postgres.end()
  }
}
