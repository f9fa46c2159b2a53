import { readFile, rm } from 'node:fs/promises'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importUpload } from '@/app/_server/uploads/import-upload'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, databasePool, openDatabase } from '@/prisma/db'
import { createProject, grant } from '@/prisma/queries/projects/projects'
import { makeDataFolder } from '../shared-databases'

let dataFolder = ''
beforeAll(async () => {
  dataFolder = await makeDataFolder()
  process.env.TAILBOARD_DATA = dataFolder
  await openDatabase({ dataFolder })
  await createProject(localViewer, { slug: 'sweep', name: 'Sweep' })
})
afterAll(async () => {
  await closeDatabase()
  delete process.env.TAILBOARD_DATA
  await rm(dataFolder, { recursive: true, force: true })
})

/** Breaks the connection at the n-th statement from now, before it is sent; counts the statements. */
function failStatement(which: number): { count(): number; end(): void } {
  let count = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    count += 1
    const { connection } = this as unknown as { readonly connection: { readonly stream: Duplex } }
    if (count === which) connection.stream.destroy(new Error('injected: the connection is lost'))
    return Reflect.apply(query, this, args) as unknown
  } as typeof query
  return {
    count: () => count,
    end: () => {
      pg.Client.prototype.query = query
    },
  }
}

const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')

async function upload(number: number) {
  const body = Buffer.from(`${document}\n<!-- ${number} -->\n`)
  async function* arriving() {
    yield body
  }
  const project = await grant(localViewer, { slug: 'sweep' }, 'upload')
  const asked = { project, name: 'a.md', labels: {}, again: false, draft: false, keepSecrets: false, gate: false }
  const claims = { contentLength: body.length, sha256: null, isGzip: false }
  return importUpload({ ...asked, idempotencyKey: `key ${number}` }, arriving(), claims)
}

const stored = async () =>
  (
    await databasePool().query<{ uploads: number; runs: number; histograms: number }>(
      `SELECT (SELECT count(*)::int FROM upload u JOIN project p ON p.id = u.project_id AND p.slug = 'sweep') AS uploads,
         (SELECT count(*)::int FROM run r JOIN project p ON p.id = r.project_id AND p.slug = 'sweep') AS runs,
         (SELECT count(*)::int FROM histogram h JOIN run r ON r.id = h.run_id JOIN project p ON p.id = r.project_id AND p.slug = 'sweep') AS histograms`,
    )
  ).rows[0]

describe('an upload in which one statement fails', { timeout: 600_000 }, () => {
  it('is saved completely and acknowledged, or leaves nothing, whichever statement it was; the next attempt saves it once', async () => {
    await upload(0)
    const one = await stored()
    if (one === undefined || one.runs === 0) throw new Error('nothing is stored')
    const whole = failStatement(0)
    await upload(1)
    const statements = whole.count()
    whole.end()
    expect(statements).toBeGreaterThan(5)
    let failed = 0
    for (let which = 1; which <= statements; which += 1) {
      const before = await stored()
      const fault = failStatement(which)
      const outcome = await upload(1 + which).then(
        ({ kind }) => kind,
        () => 'failed',
      )
      fault.end()
      const after = await stored()
      const more = (times: number) => ({
        uploads: (before?.uploads ?? 0) + times,
        runs: (before?.runs ?? 0) + times * one.runs,
        histograms: (before?.histograms ?? 0) + times * one.histograms,
      })
      // A statement after the commit may fail: then the upload exists but was not acknowledged, and sending it again is
      // a duplicate.
      const isThere = after?.uploads !== before?.uploads
      expect(after, `statement ${which}`).toEqual(more(isThere ? 1 : 0))
      if (outcome === 'saved') expect(isThere, `statement ${which} is acknowledged`).toBe(true)
      else failed += 1
      const again = await upload(1 + which)
      expect(again.kind).toBe(isThere ? 'duplicate' : 'saved')
      expect(await stored(), `statement ${which}, sent again`).toEqual(more(1))
    }
    process.stdout.write(
      `each of ${statements} statements of an upload failed once: ${failed} uploads refused, 0 in part\n`,
    )
    expect(failed).toBeGreaterThan(3)
  })
})
