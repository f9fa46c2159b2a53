import { createHash } from 'node:crypto'
import { rawStore } from '@/app/_server/store/process-store'
import { databasePool } from '@/prisma/db'

/** Derived data about a run, which is recomputed if it is lost. */
const saidLater = ['judged_state', 'judged_sentence', 'judgement', 'judgement_basis', 'guards', 'guards_version']

/** For each saved upload by id, everything stored about it: its row, its runs, their histograms, its bytes. */
export async function digestUploads(ids: readonly string[] | null = null): Promise<ReadonlyMap<string, string>> {
  const { rows } = await databasePool().query<{ id: string; sha256: string; stored: string }>(
    `SELECT u.id, u.stored_sha256 AS sha256, concat(
       to_jsonb(u),
       (SELECT jsonb_agg(to_jsonb(r) - $1::text[] ORDER BY r.index_in_upload) FROM run AS r WHERE r.upload_id = u.id),
       (SELECT jsonb_agg(to_jsonb(h) ORDER BY to_jsonb(h)::text) FROM histogram AS h JOIN run AS r ON r.id = h.run_id
        WHERE r.upload_id = u.id)) AS stored
     FROM upload AS u WHERE u.state = 'saved' AND ($2::text[] IS NULL OR u.id = ANY($2))`,
    [saidLater, ids],
  )
  const digests = new Map<string, string>()
  for (const { id, sha256, stored } of rows) {
    const bytes = createHash('sha256')
    for await (const chunk of rawStore().read(sha256)) bytes.update(chunk)
    if (bytes.digest('hex') !== sha256) throw new Error(`The raw file of upload ${id} is damaged.`)
    digests.set(id, createHash('sha256').update(stored).digest('hex'))
  }
  return digests
}
