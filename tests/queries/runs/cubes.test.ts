import { expect, it } from 'vitest'
import { cubeVersion } from '@/lib/cube/cube'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { enqueueOldCubes, findDueCubes, postponeDueCubes, saveDueCubes } from '@/prisma/queries/installation/cubes'
import { listCubes } from '@/prisma/queries/runs/cubes'
import { deleteRun, moveRun } from '@/prisma/queries/runs/runs'
import { emptyTrash } from '@/prisma/queries/installation/sweeps'
import { createDraft, replaceUploadRuns, saveDraft, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const cubeOf = (text: string) => Uint8Array.of(cubeVersion, ...Buffer.from(text))
const withRows = () => sampleRun({ form: 'hey-csv' })

describeOnEngines('cubes', () => {
  const found = async (projectId: string, ids: readonly string[]) =>
    (await listCubes(await toRead(projectId), ids)).map(({ cube, isDue }) => [cube && Buffer.from(cube), isDue])
  const count = async (table: 'run_cube' | 'cube_due') =>
    Number((await databasePool().query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n)
  const save = async (projectId: string, cubes?: readonly (Uint8Array | null)[]) =>
    saveImport(localViewer, sampleImport(projectId, sampleFile([withRows(), sampleRun()]), { cubes }))

  it('are stored with their runs, and go with them', async () => {
    const { id } = await sampleProject()
    const { runs } = await save(id, [cubeOf('a'), null])
    const ids = runs.map((run) => run.id)
    expect(await found(id, ids)).toEqual(
      expect.arrayContaining([
        [Buffer.from(cubeOf('a')), false],
        [null, false],
      ]),
    )
    const before = await count('run_cube')
    await deleteRun(await toEdit(id), ids[0] ?? '')
    expect(await found(id, [ids[0] ?? ''])).toEqual([])
    await emptyTrash(new Date(Date.now() + 1_000))
    expect(await count('run_cube')).toBe(before - 1)
  })

  it('of a saved draft wait for the background', async () => {
    const { id } = await sampleProject()
    const draft = await createDraft(localViewer, sampleImport(id, sampleFile([withRows()])))
    expect(await count('cube_due')).toBe(0)
    const [run] = await saveDraft(await toEdit(id), { uploadId: draft.id, edits: [] })
    expect(await found(id, [run?.id ?? ''])).toEqual([[null, true]])
    expect(await findDueCubes()).toMatchObject({ uploadId: draft.id, mapping: null, isRemoved: false })
    await saveDueCubes(draft.id, [cubeOf('b')])
    expect(await found(id, [run?.id ?? ''])).toEqual([[Buffer.from(cubeOf('b')), false]])
    expect(await findDueCubes()).toBeNull()
  })

  it('that cannot be stored come after all others', async () => {
    const { id } = await sampleProject()
    const drafts = [0, 1, 2].map(() => createDraft(localViewer, sampleImport(id, sampleFile([withRows()]))))
    for (const draft of await Promise.all(drafts)) await saveDraft(await toEdit(id), { uploadId: draft.id, edits: [] })
    const first = (await findDueCubes())?.uploadId ?? ''
    await postponeDueCubes(first)
    const order: string[] = []
    for (let due = await findDueCubes(); due !== null; due = await findDueCubes()) {
      order.push(due.uploadId)
      await saveDueCubes(due.uploadId, null)
    }
    expect([order.length, order.at(-1)]).toEqual([3, first])
  })

  it('are made again by a re-import, and stay with a run that moves', async () => {
    const { id } = await sampleProject()
    const { upload, runs } = await save(id, [cubeOf('a'), null])
    const [first] = runs
    const file = sampleFile([withRows(), sampleRun()])
    await replaceUploadRuns(await toEdit(id), { uploadId: upload.id, file, cubes: [cubeOf('c'), null] })
    expect(await found(id, [first?.id ?? ''])).toEqual([[Buffer.from(cubeOf('c')), false]])
    const other = await sampleProject()
    await moveRun(await toEdit(id), { runId: first?.id ?? '', toProjectSlug: other.slug })
    expect(await found(id, [first?.id ?? ''])).toEqual([])
    expect(await found(other.id, [first?.id ?? ''])).toEqual([[Buffer.from(cubeOf('c')), false]])
  })

  it('of another version are not read, and wait once', async () => {
    const { id } = await sampleProject()
    const { upload, runs } = await save(id, [cubeOf('a'), null])
    await enqueueOldCubes()
    expect(await findDueCubes()).toBeNull()
    await databasePool().query('UPDATE run_cube SET version = version - 1 WHERE run_id = $1', [runs[0]?.id])
    await enqueueOldCubes()
    await enqueueOldCubes()
    expect(await found(id, [runs[0]?.id ?? ''])).toEqual([[null, true]])
    expect((await findDueCubes())?.uploadId).toBe(upload.id)
    // Its bytes cannot be read any more.
    await saveDueCubes(upload.id, null)
    await enqueueOldCubes()
    expect(await findDueCubes()).toBeNull()
    expect(await found(id, [runs[0]?.id ?? ''])).toEqual([[null, false]])
  })
})
