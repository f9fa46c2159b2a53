import { expect, it } from 'vitest'
import { NotFoundError } from '@/lib/errors'
import { localViewer, type Viewer } from '@/lib/viewer'
import { deleteProject, grant } from '@/prisma/queries/projects/projects'
import { listFacets } from '@/prisma/queries/runs/runs'
import { withRequestCache, cachedInRequest } from '@/prisma/statements/request-cache'
import { describeEmbedded } from '../engines'
import { sampleProject, toRead } from '../samples'

describeEmbedded('a request for a page', () => {
  it('reads once whether its viewer may see a project, and the next request reads again', async () => {
    const { id, slug } = await sampleProject()
    const other: Viewer = { kind: 'local' }
    await withRequestCache(async () => {
      await listFacets(await toRead(id))
      await deleteProject(await grant(localViewer, { slug }, 'administer'))
      await expect(listFacets(await toRead(id))).resolves.toBeDefined()
      await expect(grant(other, { id }, 'read')).rejects.toThrow(NotFoundError)
    })
    await expect(toRead(id)).rejects.toThrow(NotFoundError)
  })

  it('reads again after a failure, and background work it left behind reads each time', async () => {
    let asked = 0
    const ask = () => Promise.resolve((asked += 1))
    const fail = () => Promise.reject(new Error('away'))
    let later: () => Promise<number> = () => Promise.resolve(0)
    await withRequestCache(async () => {
      await expect(cachedInRequest(localViewer, 'a', fail)).rejects.toThrow('away')
      expect(await cachedInRequest(localViewer, 'a', ask)).toBe(1)
      expect(await cachedInRequest(localViewer, 'a', ask)).toBe(1)
      expect(await cachedInRequest(localViewer, 'b', ask)).toBe(2)
      let goOn: () => void = () => undefined
      const started = new Promise<void>((resolve) => (goOn = resolve))
      const background = started.then(() => cachedInRequest(localViewer, 'a', ask))
      later = () => (goOn(), background)
    })
    expect(await later()).toBe(3)
    expect(await cachedInRequest(localViewer, 'a', ask)).toBe(4)
  })
})
