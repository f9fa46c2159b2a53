import { expect, it } from 'vitest'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { readLocalFrame } from '@/prisma/queries/projects/frames'
import { editProject, grant } from '@/prisma/queries/projects/projects'
import { deleteRun } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toEdit } from '../samples'

/** Tables whose changes no kept page shows, with the reason. */
const unseen: Readonly<Record<string, string>> = {
  ...{ account: 'names and rights are read with each request', membership: 'read with each request' },
  ...{ session: 'read with each request', project_version: 'is the version' },
  ...{ draft_run: 'previews are not kept', upload_progress: 'is not shown by pages', sample_mapping: 'not kept' },
  ...{ alert_step: 'pages of alerts are not kept', delivery: 'pages of channels are not kept' },
  ...{ invitation: 'not kept', api_token: 'not kept', audit_entry: 'not kept', setting: 'is of the installation' },
  ...{ histogram: 'written with its run', run_term: 'made of runs', term: 'made of runs', term_change: 'made of runs' },
  ...{ series_due: 'is work', series_trend: 'made of runs', series_trend_stale: 'made of runs' },
  ...{ rate_limit: 'is not shown', cube_due: 'is work', run_cube: 'pages that read cubes are not kept' },
}

const versionOf = async (id: string): Promise<number> =>
  Number((await readLocalFrame()).projects.find((project) => project.id === id)?.version)

const upload = (projectId: string) => saveImport(localViewer, sampleImport(projectId, sampleFile([sampleRun()])))

describeOnEngines('the version of a project', (once) => {
  once('is counted by every table that a kept page shows', async () => {
    const tables = async (where: string) =>
      (
        await databasePool().query<{ name: string }>(
          `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
           AND relname <> '_prisma_migrations' AND ${where} ORDER BY 1`,
        )
      ).rows.map(({ name }) => name)
    const counted = `EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = 'note_project_change')`
    const uncounted = await tables(`NOT ${counted}`)
    expect(uncounted.filter((name) => !(name in unseen))).toEqual([])
    expect((await tables(counted)).filter((name) => name in unseen)).toEqual([])
    expect(Object.keys(unseen).filter((name) => !uncounted.includes(name))).toEqual([])
  })

  it('goes up with each change of the project, and of no other', async () => {
    const [own, other] = [await sampleProject(), await sampleProject()]
    const before = [await versionOf(own.id), await versionOf(other.id)]
    const { runs } = await upload(own.id)
    const uploaded = await versionOf(own.id)
    await deleteRun(await toEdit(own.id), runs[0]?.id ?? '')
    const deleted = await versionOf(own.id)
    await editProject(await grant(localViewer, own, 'administer'), { name: 'Another name' })
    const steps = [before[0], uploaded, deleted, await versionOf(own.id)]
    expect(steps).toEqual(steps.toSorted((a = 0, b = 0) => a - b))
    expect(new Set(steps).size).toBe(4)
    expect(await versionOf(other.id)).toBe(before[1])
  })

  it('goes up once for a transaction, for each project in it, and not for one that is rolled back', async () => {
    const [own, other] = [await sampleProject(), await sampleProject()]
    for (const { id } of [own, other]) await upload(id)
    const before = [await versionOf(own.id), await versionOf(other.id)]
    const client = await databasePool().connect()
    const touchAll = () => client.query('UPDATE run SET notes = notes WHERE project_id = ANY($1)', [[own.id, other.id]])
    try {
      await client.query('BEGIN')
      await touchAll()
      await client.query('ROLLBACK')
      await client.query('BEGIN')
      for (let at = 0; at < 3; at += 1) await touchAll()
      await client.query('COMMIT')
    } finally {
      client.release()
    }
    expect([await versionOf(own.id), await versionOf(other.id)]).toEqual(before.map((one) => one + 1))
  })

  it('counts uploads that commit at once, each of them', async () => {
    const { id } = await sampleProject()
    const before = await versionOf(id)
    await Promise.all(Array.from({ length: 10 }, () => upload(id)))
    expect(await versionOf(id)).toBeGreaterThanOrEqual(before + 10)
  })

  it('does not keep a project from being removed', async () => {
    const { id } = await sampleProject()
    await databasePool().query('DELETE FROM rule WHERE project_id = $1', [id])
    await databasePool().query('DELETE FROM project WHERE id = $1', [id])
    const { rows } = await databasePool().query('SELECT FROM project_version WHERE project_id = $1', [id])
    expect(rows).toEqual([])
  })
})
