import { expect, it } from 'vitest'
import { NotFoundError } from '@/lib/errors'
import { localViewer, type Viewer } from '@/lib/viewer'
import { deleteProject, grant } from '@/prisma/queries/projects/projects'
import { forgetReadings, readOnce, shareReadings } from '@/prisma/statements/read-once'
import { describeEmbedded } from '../engines'
import { sampleProject } from '../samples'

const ofRequest = (): Viewer => shareReadings({ ...localViewer })

describeEmbedded('the viewer of a request', () => {
  it('asks once whether it may see a project, by address or id, and the next request asks again', async () => {
    const { id, slug } = await sampleProject()
    const viewer = ofRequest()
    await grant(viewer, { slug }, 'read')
    await deleteProject(await grant(localViewer, { slug }, 'administer'))
    await expect(grant(viewer, { id }, 'edit')).resolves.toMatchObject({ slug })
    await expect(grant(ofRequest(), { id }, 'read')).rejects.toThrow(NotFoundError)
    forgetReadings(viewer)
    await expect(grant(viewer, { slug }, 'read')).rejects.toThrow(NotFoundError)
  })

  it('asks again after a failure', async () => {
    const viewer = ofRequest()
    await expect(readOnce(viewer, 'a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await readOnce(viewer, 'a', () => Promise.resolve(1))).toBe(1)
    expect(await readOnce(viewer, 'a', () => Promise.resolve(2))).toBe(1)
    expect(await readOnce(viewer, 'b', () => Promise.resolve(2))).toBe(2)
  })

  it('asks each time outside a request, and again in a request that lasts longer than a second', async () => {
    let asked = 0
    const ask = () => Promise.resolve((asked += 1))
    await readOnce(localViewer, 'a', ask)
    expect(await readOnce(localViewer, 'a', ask)).toBe(2)
    const viewer = ofRequest()
    const first = await readOnce(viewer, 'a', ask)
    await expect.poll(() => readOnce(viewer, 'a', ask), { timeout: 5_000 }).toBe(first + 1)
  })
})
