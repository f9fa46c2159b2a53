import { describe, expect, it } from 'vitest'
import { BusyError, problemOf } from '@/app/_server/http/respond'
import { inUploadSlot } from '@/app/_server/uploads/upload-slots'

describe('inUploadSlot', () => {
  it('lets 20 in at once, the others in order, and says 503 to who waits too long', async () => {
    const ends: (() => void)[] = []
    const began: number[] = []
    const hold = (index: number, waitMs: number) =>
      inUploadSlot(() => {
        began.push(index)
        return new Promise<void>((resolve) => ends.push(resolve))
      }, waitMs)
    const held = Array.from({ length: 22 }, (_, index) => hold(index, 60_000))
    const late: unknown = await hold(99, 20).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(BusyError)
    expect(problemOf(late)).toMatchObject({ status: 503, code: 'busy', retryAfterSeconds: 5 })
    expect(began).toHaveLength(20)

    ends[3]?.()
    await held[3]
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(began.slice(20)).toEqual([20])
    for (let at = 0; at < 22; at++) {
      ends[at]?.()
      await Promise.resolve()
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    await Promise.all(held)
    expect(began.slice(20)).toEqual([20, 21])
    await expect(inUploadSlot(() => Promise.resolve('free'), 20)).resolves.toBe('free')
  })

  it('gives a slot back when its upload fails', async () => {
    for (let round = 0; round < 25; round++)
      await expect(inUploadSlot(() => Promise.reject(new Error('cut')), 20)).rejects.toThrow('cut')
  })
})
