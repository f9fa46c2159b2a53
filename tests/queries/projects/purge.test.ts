import { expect, it } from 'vitest'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { purgeProjects } from '@/prisma/queries/installation/purge-projects'
import { findNeededRaws, foldTermCounts } from '@/prisma/queries/installation/sweeps'
import { createComparison } from '@/prisma/queries/projects/comparisons'
import { createProject, deleteProject, findProject, grant } from '@/prisma/queries/projects/projects'
import { createShare } from '@/prisma/queries/projects/shares'
import { setBaselineRun } from '@/prisma/queries/runs/baselines'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleRun } from '../samples'

let made = 0

describeOnEngines('purging projects', () => {
  /** A project with a few runs, and something in each table that refers to them. */
  async function filled(runs: number) {
    const project = await createProject(localViewer, { slug: `purged-${Date.now()}-${(made += 1)}`, name: 'Purged' })
    const granted = await grant(localViewer, project, 'administer')
    const file = sampleFile(
      Array.from({ length: runs }, (_, at) => sampleRun({ proposal: { scenario: `GET /${at}` } })),
    )
    const { upload, runs: saved } = await saveImport(localViewer, sampleImport(project.id, file))
    const [first] = saved
    if (first === undefined) throw new Error('no run was saved')
    await setBaselineRun(granted, first.id)
    await createComparison(granted, { name: 'C', kind: 'runs', refs: first.id, view: '', notes: '' })
    await createShare(granted, {
      ...{ name: 'S', kind: 'run', runIds: [first.id], sideSizes: [1], view: '', notes: '', includeRaw: true },
      tokenSha256: first.id.padEnd(64, '0').replaceAll(/[^0-9a-f]/g, '0'),
      expiresAt: null,
    })
    return { project, granted, upload }
  }

  /** Rows by table that name the project. */
  async function rowsOf(projectId: string): Promise<Readonly<Record<string, number>>> {
    const { rows: tables } = await databasePool().query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'project_id'`,
    )
    const counted: Record<string, number> = {}
    for (const { name } of tables) {
      const { rows } = await databasePool().query<{ n: number }>(
        `SELECT count(*)::int AS n FROM "${name}" WHERE project_id = $1`,
        [projectId],
      )
      if ((rows[0]?.n ?? 0) > 0) counted[name] = rows[0]?.n ?? 0
    }
    return counted
  }

  it('deletes all rows of a project once it was deleted long enough ago, some at a time', async () => {
    const [gone, kept, young] = [await filled(450), await filled(2), await filled(1)]
    await foldTermCounts()
    expect(Object.keys(await rowsOf(gone.project.id))).toEqual(
      expect.arrayContaining(['baseline', 'comparison', 'rule', 'run', 'series', 'share', 'upload']),
    )
    const before = [await rowsOf(kept.project.id), await rowsOf(young.project.id)]
    await deleteProject(gone.granted)
    await databasePool().query(`UPDATE project SET deleted_at = now() - interval '31 days' WHERE id = $1`, [
      gone.project.id,
    ])
    await deleteProject(young.granted)
    let steps = 0
    await purgeProjects(new Date(Date.now() - 86_400_000), undefined, () => (steps += 1))
    await foldTermCounts()
    expect(await rowsOf(gone.project.id)).toEqual({})
    expect(steps).toBeGreaterThan(20) // a statement for each table, and three of runs
    expect((await databasePool().query('SELECT 1 FROM project WHERE id = $1', [gone.project.id])).rows).toEqual([])
    expect([await rowsOf(kept.project.id), await rowsOf(young.project.id)]).toEqual(before)
    expect(await findProject(localViewer, kept.project.slug)).not.toBeNull()
    expect(await findNeededRaws([kept.upload.storedSha256])).toEqual(new Set([kept.upload.storedSha256]))
  })
})
