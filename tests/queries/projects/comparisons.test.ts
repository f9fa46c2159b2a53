import { beforeAll, expect, it } from 'vitest'
import { NotFoundError, InvalidInputError } from '@/lib/errors'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import type { RunRow } from '@/lib/history/stored-runs'
import { localViewer } from '@/lib/viewer'
import { clearBaselineRun, listBaselines, setBaselineRun } from '@/prisma/queries/runs/baselines'
import {
  createComparison,
  deleteComparison,
  getComparison,
  listComparisons,
  updateComparison,
} from '@/prisma/queries/projects/comparisons'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { deleteRun, restoreRun, updateRun } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { later } from '../../later'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun } from '../samples'
import { runsBeside } from '../runs-beside'

describeOnOneEngine('saved comparisons and baselines', () => {
  let project: ProjectSummary
  let own: Granted<'edit'>
  let runs: readonly RunRow[]

  beforeAll(async () => {
    project = await sampleProject()
    own = await grant(localViewer, project, 'edit')
    runs = (await saveImport(localViewer, sampleImport(project.id, sampleFile([sampleRun(), sampleRun()])))).runs
  })

  it('stores, changes and deletes comparisons', async () => {
    const refs = runs.map((run) => run.id).join('...')
    const saved = await createComparison(own, { name: ' a  b ', kind: 'runs', refs, view: 'm=p99' })
    expect(saved).toMatchObject({ name: 'a b', refs, view: 'm=p99', notes: '', projectSlug: project.slug })
    const changed = await updateComparison(own, saved.id, { takeaways: '**zlib** wins' })
    expect(changed).toMatchObject({ name: 'a b', refs, view: 'm=p99', notes: '', takeaways: '**zlib** wins' })
    expect(await getComparison(own, saved.id)).toEqual(changed)
    expect(await listComparisons(own)).toEqual([changed])
    await deleteComparison(own, saved.id)
    expect(await listComparisons(own)).toEqual([])
    await expect(getComparison(own, saved.id)).rejects.toThrow(NotFoundError)
  })

  it('finds comparisons by words in their names, newest first, literally and not as patterns', async () => {
    for (const name of ['Gzip vs ZLIB 100%', 'zlib at 1000', 'c6i vs c6g']) {
      await createComparison(own, { name, kind: 'matrix' })
      await later()
    }
    const named = async (text: string, limit = 8) =>
      (await listComparisons(own, { text, limit })).map(({ name }) => name)
    expect(await named('zlib')).toEqual(['zlib at 1000', 'Gzip vs ZLIB 100%'])
    expect(await named('zlib', 1)).toEqual(['zlib at 1000'])
    expect(await named(' ZLIB  gzip ')).toEqual(['Gzip vs ZLIB 100%'])
    expect(await named('100%')).toEqual(['Gzip vs ZLIB 100%'])
    expect(await named('c6_')).toEqual([])
    for (const { id } of await listComparisons(own)) await deleteComparison(own, id)
  })

  it('refuses an empty comparison and one that is too long', async () => {
    const many = runs.map((run) => run.id).join('...')
    const wrong = [
      ...[{ refs: '' }, { refs: '...' }, { refs: 'x'.repeat(4_001) }, { refs: many, notes: 'x'.repeat(20_001) }],
      { refs: Array.from({ length: 11 }, (_, at) => `v${at}@latest`).join('...') },
    ]
    for (const input of wrong) {
      const save = createComparison(own, { name: 'a', kind: 'runs', ...input })
      await expect(save).rejects.toThrow(InvalidInputError)
    }
    expect(await listComparisons(own)).toEqual([])
  })

  it('uses runs of its project: others are not found, whether they exist or not', async () => {
    const [first, other] = runs.map((run) => run.id)
    const elsewhere = await sampleProject()
    const { runs: theirs } = await saveImport(localViewer, sampleImport(elsewhere.id, sampleFile([sampleRun()])))
    const foreign = theirs[0]?.id
    const save = (refs: string, kind: 'runs' | 'matrix' = 'runs') => createComparison(own, { name: 'a', kind, refs })
    for (const id of [foreign, '0123456789abcdefghijklmnop', 'a', '%00'])
      for (const refs of [`${first}...${id}`, `${first}+${id}`, `${id}`]) {
        await expect(save(refs), refs).rejects.toThrow(NotFoundError)
        await expect(save(refs, 'matrix'), refs).rejects.toThrow(NotFoundError)
      }
    const saved = await save(`${first}+${other}...zlib@latest`)
    const change = (edits: { refs?: string; notes?: string }) => updateComparison(own, saved.id, edits)
    await expect(change({ refs: `${first}...${foreign}` })).rejects.toThrow(NotFoundError)
    // What it has stays, even if one of its runs is in the trash.
    await deleteRun(own, other ?? '')
    expect(await change({ refs: saved.refs, notes: 'n' })).toMatchObject({ notes: 'n' })
    await expect(change({ refs: `${other}...${first}` })).rejects.toThrow(NotFoundError)
    await restoreRun(own, other ?? '')
    await deleteComparison(own, saved.id)
  })

  it('has one baseline per scenario and environment, which disappears with its name', async () => {
    const [first, second] = runs
    if (!first || !second) throw new Error('nothing was saved')
    expect((await runsBeside(second)).baseline).toBeNull()
    await setBaselineRun(own, first.id)
    expect((await runsBeside(second)).baseline?.id).toBe(first.id)
    await setBaselineRun(own, second.id)
    expect((await listBaselines(own)).map((run) => run.id)).toEqual([second.id])
    await updateRun(own, second.id, { environment: 'elsewhere' })
    expect((await runsBeside(first)).baseline).toBeNull()
    expect(await listBaselines(own)).toEqual([])
    await updateRun(own, second.id, { environment: first.environment })
    await clearBaselineRun(own, second.id)
    expect(await listBaselines(own)).toEqual([])
  })
})
