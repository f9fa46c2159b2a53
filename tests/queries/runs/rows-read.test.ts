import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, databasePool, openDatabase } from '@/prisma/db'
import { getProject } from '@/prisma/queries/projects/projects'
import { fillHistory } from '../../bench/history/fill'
import { queriesOf } from '../../bench/history/queries'
import { startPostgres } from '../../postgres'

const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)

interface PlanNode {
  readonly 'Relation Name'?: string | undefined
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number | undefined
  readonly 'Rows Removed by Index Recheck'?: number | undefined
  readonly Plans?: readonly PlanNode[] | undefined
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Relation Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Index Recheck': z.number().optional(),
    Plans: z.array(planNode).optional(),
  }),
)

/** Rows that its scans took from tables, used or not. */
function rowsReadBy(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, one) => sum + rowsReadBy(one), 0)
  if (node['Relation Name'] === undefined) return below
  const each =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return below + each * node['Actual Loops']
}

let rowsRead = 0
/** PostgreSQL tells the plan of each statement, as it was executed. */
async function watchPlans(client: pg.PoolClient): Promise<void> {
  client.on('notice', ({ message = '' }) => {
    const plan = message.slice(message.indexOf('{'))
    if (message.includes('plan:')) rowsRead += rowsReadBy(z.object({ Plan: planNode }).parse(JSON.parse(plan)).Plan)
  })
  await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
    SET auto_explain.log_timing = off; SET auto_explain.log_format = json; SET client_min_messages = log`)
}

/** Of all connections of the pool, so that none of them opens one unwatched. */
async function watchPool(): Promise<void> {
  const pool = databasePool()
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const client of clients) await watchPlans(client)
  for (const client of clients) client.release()
}

/** Rows that each query of the history reads in a database of which three runs in four are of one project. */
async function measure(): Promise<ReadonlyMap<string, number>> {
  if (postgres.kind === 'missing') throw new Error(postgres.reason)
  await openDatabase({ dataFolder: '', databaseUrl: await postgres.createDatabase('migrated') })
  try {
    await fillHistory(runs, () => undefined)
    const { id } = await getProject(localViewer, 'project-1')
    const queries = await queriesOf(id, false)
    await watchPool()
    const found = new Map<string, number>()
    for (const [name, call] of queries) {
      rowsRead = 0
      await call(0)
      found.set(name, rowsRead)
    }
    return found
  } finally {
    await closeDatabase()
  }
}

const runs = 16_000
/** A query that read the whole project would read three quarters of the runs. */
const usual = 1_000
/** Those that read more than a page for a reason; plans and random runs differ, hence twice what was measured. */
const larger: Readonly<Record<string, number>> = {
  // Every series has its row, and the newest of its runs.
  'list of series': 2_500,
  'board, its series': 12_000,
  'trends of 60 series, as they are stored': 20_000,
  'latest of all projects': 40_000,
  // A value of a label has its row.
  facets: 5_000,
  // All runs of that week, to find those of the range among them.
  'range of p99 in a week': 7_000,
  // Below some thousands of runs, the planner may walk all of them by p99 instead.
  'label of 400 runs, sorted by p99': 16_000,
}

describe.skipIf(postgres.kind === 'missing')('queries of the history (PostgreSQL)', { timeout: 120_000 }, () => {
  let rows: ReadonlyMap<string, number> = new Map()
  beforeAll(async () => {
    rows = await measure()
  }, 120_000)
  afterAll(async () => {
    if (postgres.kind === 'running') await postgres.stop()
  })

  it('read a page of rows, not the history', () => {
    expect(rows.size).toBeGreaterThan(40)
    expect([...rows].filter(([name, count]) => count > (larger[name] ?? usual))).toEqual([])
  })

  it('are all known by their names', () => {
    expect(Object.keys(larger).filter((name) => !rows.has(name))).toEqual([])
  })
})
