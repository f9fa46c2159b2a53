import { expect, it } from 'vitest'
import { keptNews } from '@/app/_server/pages/kept-news'
import { localViewer, type Viewer } from '@/lib/viewer'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun } from '../samples'

describeOnOneEngine('news of projects', () => {
  const save = async (projectId: string) =>
    (await saveImport(localViewer, sampleImport(projectId, sampleFile([sampleRun()])))).runs[0]?.id

  it('are read again once the version changed, and only then', async () => {
    const [a, b] = [await sampleProject(), await sampleProject()]
    const newest = async (versionOfA: string | null, viewer: Viewer = localViewer) => {
      const asked = [
        { id: a.id, version: versionOfA },
        { id: b.id, version: '1' },
      ]
      const news = await keptNews(viewer, asked)
      return [a, b].map(({ id }) => news.get(id)?.newest?.id ?? null)
    }
    const first = await save(a.id)
    expect(await newest('1')).toEqual([first, null])
    const second = await save(a.id)
    await save(b.id)
    expect(await newest('1')).toEqual([first, null])
    expect(await newest('2')).toEqual([second, null])
    expect(await newest(null)).toEqual([second, null])
  })

  it('are asked of the database where the viewer’s frame has no version', async () => {
    const [project, other] = [await sampleProject(), await sampleProject()]
    await save(project.id)
    const asked = [{ id: project.id, version: null }]
    expect((await keptNews(localViewer, asked)).size).toBe(1)
    expect((await keptNews({ kind: 'system', projectId: other.id }, asked)).size).toBe(0)
  })
})
