import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { boundRun } from '../../lib/run/bounded-run'
import { hdrUnitSchema, histogramBucketsSchema, importedRunSchema } from '../../lib/run/imported-run-schema'
import type { ImportedRun, LatencyHistogram } from '../../lib/run/run'
import { deriveSuccesses } from '../../lib/stats/derived-histogram'
import type { Histogram } from '../generated/client'
import type { Db } from './access'

/** What importers read of a run; `version` names the transaction that wrote its row, and thus its histograms. */
interface CachedRun {
  readonly version: string
  readonly imported: ImportedRun
  /** Characters of its JSON and its payloads: about a third of the bytes that it takes in memory. */
  readonly size: number
}

type RunCache = LRUCache<string, CachedRun>

/**
 * By run, some 60 MB: a page, its files and its share read the same runs repeatedly. On globalThis: the routes and
 * Next's pages have their own copies of this module in one process.
 */
const key = Symbol.for('tailboard.runs')
function runCache(): RunCache {
  const holder = globalThis as { [key]?: RunCache }
  return (holder[key] ??= new LRUCache({ maxSize: 20_000_000, sizeCalculation: ({ size }) => size }))
}

const versionsSchema = z.array(z.object({ id: z.string(), version: z.string() }))

/** The transaction that wrote a run's row. */
export type RunVersion = Readonly<z.infer<typeof versionsSchema>[number]>

/** By whom the rows of these runs are written now. */
export const runVersions = async (db: Db, ids: readonly string[]): Promise<readonly RunVersion[]> =>
  ids.length === 0
    ? []
    : versionsSchema.parse(
        await db.$queryRaw`SELECT id, xmin::text AS version FROM run WHERE id = ANY(${[...ids]}::text[])`,
      )
const rowsSchema = z.array(z.object({ id: z.string(), version: z.string(), imported: z.string() }))

/**
 * What importers read of these runs, with their histograms, by id, as it is in the database now. A run that no
 * transaction wrote since it was last read here is not read again: it is then the same object.
 */
export async function cachedImportedRuns(
  db: Db,
  now: readonly RunVersion[],
): Promise<ReadonlyMap<string, ImportedRun>> {
  const known = now.flatMap(({ id, version }): [string, ImportedRun][] => {
    const cached = runCache().get(id)
    return cached?.version === version ? [[id, cached.imported]] : []
  })
  const found = new Map(known)
  const changed = now.flatMap(({ id }) => (found.has(id) ? [] : [id]))
  for (const { id, imported, ...row } of await readRuns(db, changed)) {
    runCache().set(id, { ...row, imported: frozen(imported) })
    found.set(id, imported)
  }
  return found
}

/** The same within a transaction: what it wrote may change again, so nothing is cached. */
export async function importedRuns(
  db: Db,
  runs: readonly Pick<RunVersion, 'id'>[],
): Promise<ReadonlyMap<string, ImportedRun>> {
  const ids = runs.map(({ id }) => id)
  return new Map((await readRuns(db, ids)).map(({ id, imported }) => [id, imported]))
}

/** All callers share the same object: changing it fails at once, instead of changing what others see. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

/**
 * The row first: histograms that another transaction writes in between come with a version that is then never asked
 * for.
 */
async function readRuns(db: Db, ids: readonly string[]): Promise<readonly (CachedRun & { readonly id: string })[]> {
  if (ids.length === 0) return []
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      SELECT id, xmin::text AS version, imported::text AS imported FROM run WHERE id = ANY(${[...ids]}::text[])`,
  )
  const found = await db.histogram.findMany({ where: { runId: { in: [...ids] } } })
  const histogramOf = new Map(found.map((row) => [`${row.runId} ${row.latencyIndex}`, toHistogram(row)]))
  return rows.map(({ id, version, imported: json }) => {
    const stored = importedRunSchema.parse(JSON.parse(json))
    const own = stored.latencies.map((latency, index) => {
      return { ...latency, histogram: histogramOf.get(`${id} ${index}`) ?? null }
    })
    const latencies = own.map((latency) =>
      latency.of === 'success' && latency.histogram === null && latency.origin === 'samples'
        ? { ...latency, histogram: deriveSuccesses(own) }
        : latency,
    )
    const whole = { ...stored, latencies }
    // It may have been stored before imports bounded runs.
    const imported = boundRun(whole)
    const characters = imported === whole ? json.length : JSON.stringify(imported).length
    const size = imported.latencies.reduce((sum, { histogram }) => sum + sizeOf(histogram), characters)
    return { id, version, imported, size }
  })
}

const sizeOf = (histogram: LatencyHistogram | null): number =>
  histogram === null ? 0 : histogram.kind === 'hdr' ? histogram.v2Base64.length : histogram.buckets.length * 10

function toHistogram(row: Histogram): LatencyHistogram {
  if (row.v2 === null) return histogramBucketsSchema.parse(row.buckets)
  return { kind: 'hdr', v2Base64: Buffer.from(row.v2).toString('base64'), unit: hdrUnitSchema.parse(row.unit) }
}
