import { z } from 'zod'
import { deriveSuccesses } from '../../lib/stats/derived-histogram'
import { hdrUnitSchema, histogramBucketsSchema, importedRunSchema } from '../../lib/run/imported-run-schema'
import type { ImportedRun, LatencyHistogram } from '../../lib/run/run'
import type { Histogram } from '../generated/client'
import type { Db } from './access'

/** What was read of a run; `version` names the transaction that wrote its row, and so its histograms. */
interface Kept {
  readonly version: string
  readonly imported: ImportedRun
  /** Characters of its JSON and its payloads: about a third of the bytes that it takes here. */
  readonly size: number
}

/** Of all that is kept: some 60 MB. */
const mostSize = 20_000_000
/** By run, the least recently read first: a page, its files and its share read the same runs again and again. */
const keptRuns = new Map<string, Kept>()
let keptSize = 0

const versionsSchema = z.array(z.object({ id: z.string(), version: z.string() }))
const rowsSchema = z.array(z.object({ id: z.string(), version: z.string(), imported: z.string() }))

/**
 * What importers read of these runs, with their histograms, by id. It is as the database has it now; what no transaction
 * wrote since it was read here last is not read again, and is then the same object.
 */
export async function keptImportedRuns(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, ImportedRun>> {
  const now = versionsSchema.parse(
    await db.$queryRaw`SELECT id, xmin::text AS version FROM run WHERE id = ANY(${[...ids]}::text[])`,
  )
  const changed = now.filter(({ id, version }) => keptRuns.get(id)?.version !== version).map(({ id }) => id)
  const read = new Map((await readRuns(db, changed)).map((run) => [run.id, run]))
  const found = now.flatMap(({ id, version }): [string, ImportedRun][] => {
    const known = keptRuns.get(id)
    const run = read.get(id) ?? (known?.version === version ? known : null)
    return run ? [[id, keep(id, { ...run, imported: frozen(run.imported) })]] : [] // else gone since the first statement
  })
  return new Map(found)
}

/** The same inside of a transaction: what it wrote itself may change again, so nothing is kept. */
export async function importedRuns(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, ImportedRun>> {
  return new Map((await readRuns(db, ids)).map(({ id, imported }) => [id, imported]))
}

/** Everybody gets the same object: who changes it fails at once, instead of changing what others see. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

function keep(id: string, { version, imported, size }: Kept): ImportedRun {
  keptSize += size - (keptRuns.get(id)?.size ?? 0)
  keptRuns.delete(id)
  keptRuns.set(id, { version, imported, size })
  for (const [oldest, { size: freed }] of keptRuns) {
    if (keptSize <= mostSize || oldest === id) break
    keptRuns.delete(oldest)
    keptSize -= freed
  }
  return imported
}

/** The row first: histograms that another transaction writes in between come with a version that is then never asked for. */
async function readRuns(db: Db, ids: readonly string[]): Promise<readonly (Kept & { readonly id: string })[]> {
  if (ids.length === 0) return []
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      SELECT id, xmin::text AS version, imported::text AS imported FROM run WHERE id = ANY(${[...ids]}::text[])`,
  )
  const found = await db.histogram.findMany({ where: { runId: { in: [...ids] } } })
  const histogramOf = new Map(found.map((row) => [`${row.runId} ${row.latencyIndex}`, toHistogram(row)]))
  return rows.map(({ id, version, imported: json }) => {
    const imported = importedRunSchema.parse(JSON.parse(json))
    const own = imported.latencies.map((latency, index) => {
      return { ...latency, histogram: histogramOf.get(`${id} ${index}`) ?? null }
    })
    const latencies = own.map((latency) =>
      latency.of === 'success' && latency.histogram === null && latency.origin === 'samples'
        ? { ...latency, histogram: deriveSuccesses(own) }
        : latency,
    )
    const size = json.length + own.reduce((sum, { histogram }) => sum + sizeOf(histogram), 0)
    return { id, version, imported: { ...imported, latencies }, size }
  })
}

const sizeOf = (histogram: LatencyHistogram | null): number =>
  histogram === null ? 0 : histogram.kind === 'hdr' ? histogram.v2Base64.length : histogram.buckets.length * 10

function toHistogram(row: Histogram): LatencyHistogram {
  if (row.v2 === null) return histogramBucketsSchema.parse(row.buckets)
  return { kind: 'hdr', v2Base64: Buffer.from(row.v2).toString('base64'), unit: hdrUnitSchema.parse(row.unit) }
}
