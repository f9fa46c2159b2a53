/**
 * `npm run bench:history -- [runs] [--embedded]`: a database with that many runs (and one with a tenth), and how long the
 * queries of the history take: real calls, p50 and p95, whole and the part spent in SQL. Needs PostgreSQL's binaries.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { startPostgres } from '../postgres'
import { fillHistory } from './history-fill'
import { measureHistory, type Measured } from './history-queries'

const print = (line: string) => process.stdout.write(`${line}\n`)
const count = Number(process.argv[2] ?? 1_000_000)
const isEmbedded = process.argv.includes('--embedded')
const aimMs = 5

async function fillAndMeasure(runs: number, databaseUrl: string | null): Promise<readonly Measured[]> {
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-history-'))
  await openDatabase({ dataFolder, databaseUrl })
  try {
    const filled = await fillHistory(runs, (line) => print(`  ${line}`))
    print(`  ${filled.runCount} runs in ${filled.seconds.toFixed(0)} s`)
    return await measureHistory(filled)
  } finally {
    await closeDatabase()
    rmSync(dataFolder, { recursive: true, force: true })
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

if (isEmbedded) {
  printTable([count], [await fillAndMeasure(count, null)])
} else {
  const postgres = await startPostgres()
  if (postgres.kind === 'missing') throw new Error(postgres.reason)
  try {
    const sizes = [Math.round(count / 10), count]
    const tables: (readonly Measured[])[] = []
    for (const runs of sizes) tables.push(await fillAndMeasure(runs, await postgres.createDatabase()))
    printTable(sizes, tables)
  } finally {
    await postgres.stop()
  }
}
