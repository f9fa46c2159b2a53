import { z } from 'zod'
import { firstRunJudgement, guardsVersion } from '../../lib/judge/run-guards'
import { importedRunSchema } from '../../lib/run/imported-run-schema'
import { evaluatedRuns } from '../../lib/levels/trend'
import { runJudgementSchema, type StoredJudgement } from '../../lib/run/judgement'
import { storableJson } from '../../lib/text'
import { seriesColumns } from '../rows/run-columns'
import type { Db } from './access'

/** With more in a statement, the embedded database blocks its thread for too long. */
const writtenAtOnce = 100
const calmedAtOnce = 500

/** Writes the judgements of runs, by run id; does not touch runs with the same judgement for the same reasons. */
export async function writeJudgements(tx: Db, judgements: ReadonlyMap<string, StoredJudgement>): Promise<void> {
  const all = [...judgements]
  for (let at = 0; at < all.length; at += writtenAtOnce) await writeSome(tx, all.slice(at, at + writtenAtOnce))
}

async function writeSome(tx: Db, judgements: readonly (readonly [string, StoredJudgement])[]): Promise<void> {
  const ids = judgements.map(([id]) => id)
  const said = judgements.map(([, one]) => one)
  const texts = said.map(({ judgement }) => JSON.stringify(storableJson(judgement)))
  const bases = said.map(({ basis }) => basis)
  await tx.$executeRaw`
    UPDATE run SET judgement = new.judgement, judged_state = new.judgement ->> 'state',
      judged_sentence = new.judgement ->> 'sentence', judgement_basis = new.basis
    FROM (
      SELECT id, judgement::jsonb AS judgement, basis
      FROM unnest(${ids}::text[], ${texts}::text[], ${bases}::text[]) AS said (id, judgement, basis)
    ) AS new
    WHERE run.id = new.id AND (run.judgement, run.judgement_basis) IS DISTINCT FROM (new.judgement, new.basis)`
}

const asideSchema = z.array(z.object({ id: z.string(), judgement: runJudgementSchema }))

/**
 * Replaces the judgement "invalid" by "no history" for runs that are only too short, if no run of their series takes
 * part; returns their ids.
 */
export async function calmFirstRuns(db: Db, runIds: readonly string[]): Promise<ReadonlySet<string>> {
  const calmed = new Set<string>()
  for (let at = 0; at < runIds.length; at += calmedAtOnce)
    for (const id of await calmSome(db, runIds.slice(at, at + calmedAtOnce))) calmed.add(id)
  return calmed
}

async function calmSome(db: Db, runIds: readonly string[]): Promise<readonly string[]> {
  const alone = asideSchema.parse(
    await db.$queryRaw`
      WITH invalid AS MATERIALIZED (
        SELECT id, series_id, judgement FROM run WHERE id = ANY(${[...runIds]}::text[]) AND judged_state = 'invalid'
      ), alone AS MATERIALIZED (
        -- Each series is looked at once, by its index: of thousands of runs in one, none may take part.
        SELECT asked.series_id FROM (SELECT DISTINCT series_id FROM invalid) AS asked LEFT JOIN LATERAL (
          SELECT other.id FROM run AS other
          WHERE other.series_id BETWEEN asked.series_id AND asked.series_id AND other.deleted_at IS NULL AND other.in_series
          ORDER BY other.series_id DESC, other.ordered_at DESC, other.id DESC LIMIT 1
        ) AS counted ON TRUE WHERE counted.id IS NULL
      )
      SELECT id, judgement FROM invalid WHERE series_id IN (SELECT series_id FROM alone)`,
  )
  const calmed = alone.flatMap(({ id, judgement: invalid }): [string, StoredJudgement][] => {
    const judgement = firstRunJudgement(invalid)
    return judgement === null ? [] : [[id, { judgement, basis: judgement.version }]]
  })
  await writeJudgements(db, new Map(calmed))
  return calmed.map(([id]) => id)
}

/** Marks series whose runs are to be judged again, although none of them changed. */
export async function judgeAgain(db: Db, seriesIds: readonly string[]): Promise<void> {
  if (seriesIds.length === 0) return
  await db.$executeRaw`
    INSERT INTO series_due (series_id, only_judgement)
    SELECT id, TRUE FROM series WHERE id = ANY(${[...new Set(seriesIds)]}::text[])`
}

const guardedSchema = z.array(
  z.object({ id: z.string(), imported: importedRunSchema, candidate: z.boolean(), counted: z.boolean().nullable() }),
)

/**
 * Checks again the guards of another version, for the newest runs of each series, as many as an evaluation reads; their
 * new outcome decides whether a run takes part in its series.
 */
export async function refreshGuards(db: Db, projectId: string, seriesIds: readonly string[]): Promise<void> {
  const stale = guardedSchema.parse(
    await db.$queryRaw`
      SELECT id, imported, candidate, counted
      FROM unnest(${[...seriesIds]}::text[]) AS asked (series_id) CROSS JOIN LATERAL (
        SELECT id, guards_version FROM run
        WHERE run.series_id BETWEEN asked.series_id AND asked.series_id AND deleted_at IS NULL
        ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT ${evaluatedRuns}
      ) AS newest JOIN run USING (id)
      WHERE newest.guards_version <> ${guardsVersion} AND run.project_id = ${projectId}`,
  )
  for (const { id, imported, ...state } of stale)
    await db.run.update({ where: { id }, data: seriesColumns(state, imported) })
}
