import { z } from 'zod'
import { toolSchema } from '../../lib/run/imported-run-schema'
import type { RunFacets } from '../../lib/history/run-list'
import type { Db } from '../statements/access'

const foldAtOnce = 1_000
const maxKeys = 100
const maxValues = 100

/** Whether changes of the counts of terms are pending. */
export async function hasChanges(db: Db): Promise<boolean> {
  return (await db.$executeRaw`SELECT 1 FROM term_change LIMIT 1`) > 0
}

/** Adds the oldest pending changes to the counts of their terms. Returns how many there were. */
export async function foldChanges(db: Db): Promise<number> {
  const [folded] = z.array(z.object({ changes: z.coerce.number() })).parse(
    await db.$queryRaw`
      WITH taken AS (
        DELETE FROM term_change WHERE id IN (SELECT id FROM term_change ORDER BY id LIMIT ${foldAtOnce} FOR UPDATE SKIP LOCKED)
        RETURNING project_id, term_id, kind, key, value, change
      ), added AS (
        INSERT INTO term (project_id, id, kind, key, value, runs)
        SELECT project_id, term_id, min(kind), min(key), min(value), sum(change) FROM taken GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (project_id, id) DO UPDATE SET runs = term.runs + EXCLUDED.runs
      )
      SELECT count(*) AS changes FROM taken`,
  )
  await db.$executeRaw`DELETE FROM term WHERE runs = 0`
  return folded?.changes ?? 0
}

const rowsSchema = z.array(z.object({ kind: z.string(), key: z.string(), value: z.string() }))

/** The most common values of each facet, and of the most common label keys. */
export async function listFacetTerms(db: Db, projectId: string): Promise<RunFacets> {
  const found = rowsSchema.parse(
    await db.$queryRaw`
      WITH changed AS MATERIALIZED (
        SELECT kind, key, value, sum(change) AS runs FROM term_change
        WHERE project_id = ${projectId} AND kind <> 'word' GROUP BY 1, 2, 3
      ), keys AS (
        SELECT value, sum(runs) AS runs FROM (
          (SELECT value, runs FROM term WHERE project_id = ${projectId} AND kind = 'key' AND key = ''
            ORDER BY runs DESC LIMIT ${maxKeys})
          UNION ALL SELECT value, runs FROM changed WHERE kind = 'key'
        ) AS counted GROUP BY 1 HAVING sum(runs) > 0 ORDER BY 2 DESC, 1 LIMIT ${maxKeys}
      ), facet AS (
        SELECT kind, '' AS key, 0 AS place FROM unnest(ARRAY['tool', 'scenario', 'variant', 'environment']) AS kind
        UNION ALL SELECT 'label', value, row_number() OVER (ORDER BY runs DESC, value) FROM keys
      )
      SELECT facet.kind, facet.key, counted.value FROM facet, LATERAL (
        SELECT value, sum(runs) AS runs FROM (
          (SELECT value, runs FROM term WHERE project_id = ${projectId} AND kind = facet.kind AND key = facet.key
            ORDER BY runs DESC LIMIT ${maxValues})
          UNION ALL SELECT value, runs FROM changed WHERE changed.kind = facet.kind AND changed.key = facet.key
        ) AS one GROUP BY 1 HAVING sum(runs) > 0 ORDER BY 2 DESC, 1 LIMIT ${maxValues}
      ) AS counted ORDER BY facet.place, facet.kind, counted.runs DESC, counted.value`,
  )
  const valuesOf = (kind: string, key = '') =>
    found.filter((row) => row.kind === kind && row.key === key).map((row) => row.value)
  const keys = [...new Set(found.filter((row) => row.kind === 'label').map((row) => row.key))]
  return {
    tools: valuesOf('tool').filter((tool) => toolSchema.safeParse(tool).success),
    scenarios: valuesOf('scenario'),
    variants: valuesOf('variant'),
    environments: valuesOf('environment'),
    labels: Object.fromEntries(keys.map((key) => [key, valuesOf('label', key)])),
  }
}

const totalsSchema = z.array(z.object({ id: z.string(), runs: z.coerce.number(), latest: z.date().nullable() }))

/** Projects with the number of their live runs and the time of the newest; null: there is none. */
export async function readTotals(
  db: Db,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly runs: number; readonly latest: Date | null }>> {
  const found = totalsSchema.parse(
    await db.$queryRaw`
      WITH changed AS MATERIALIZED (
        SELECT project_id, sum(change) AS runs FROM term_change WHERE kind = 'run' GROUP BY 1
      )
      SELECT wanted.id, coalesce(term.runs, 0) + coalesce(changed.runs, 0) AS runs, newest.ordered_at AS latest
      FROM unnest(${[...projectIds]}::text[]) AS wanted (id)
      LEFT JOIN term ON term.project_id = wanted.id AND term.id = term_id('run', '', '')
      LEFT JOIN changed ON changed.project_id = wanted.id
      LEFT JOIN LATERAL (
        SELECT ordered_at FROM run WHERE run.project_id = wanted.id AND deleted_at IS NULL ORDER BY ordered_at DESC LIMIT 1
      ) AS newest ON true`,
  )
  return new Map(found.map(({ id, ...totals }) => [id, totals]))
}
