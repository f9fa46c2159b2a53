import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inSlot } from '@/app/_server/http/work-slots'
import { PUT } from '@/app/api/v1/projects/[project]/uploads/route'
import { database } from '@/prisma/db'
import { describeEmbedded } from '../engines'

describeEmbedded('an upload while twenty others wait for a busy database', () => {
  it('is refused at its time limit, not when the database has time for it', async () => {
    let free: () => void = () => undefined
    const held = new Promise<void>((resolve) => (free = resolve))
    const uploads = { name: 'uploads', maxAtOnce: 20, busy: '' }
    const under = Array.from({ length: 20 }, () => inSlot(uploads, () => held))
    // The embedded database has one session: nothing else gets a response in the meantime.
    const work = database().$transaction(() => sleep(13_000), { timeout: 60_000 })
    await sleep(50)
    const startedAt = performance.now()
    const body = 'no upload'
    const request = new Request('http://127.0.0.1/api/v1/projects/any/uploads?create=1', { method: 'PUT', body })
    const answer = await PUT(request, { params: Promise.resolve({ project: 'any' }) })
    const ms = performance.now() - startedAt
    free()
    await Promise.all([work, ...under])
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(ms).toBeLessThan(11_500)
  })
})
