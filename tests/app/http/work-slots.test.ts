import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BusyError, problemOf } from '@/app/_server/http/respond'
import { inSlot, takeTurn, type SlotKind } from '@/app/_server/http/work-slots'

describe('work that is limited to a few at a time', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const kind = (name: string, maxAtOnce: number): SlotKind => ({ name, maxAtOnce, busy: 'Others are in progress.' })
  const outcome = (turn: Promise<unknown>) => turn.catch((error: unknown) => error)

  it('takes the others in order of arrival, and no newcomer before them', async () => {
    const work = kind('order', 2)
    const ends = [await takeTurn(work), await takeTurn(work)]
    const began: number[] = []
    const waiting = [0, 1].map(async (index) => {
      const end = await takeTurn(work)
      began.push(index)
      return end
    })
    ends[0]?.()
    ends[0]?.() // releasing once is enough
    const late = takeTurn(work)
    await vi.advanceTimersByTimeAsync(0)
    expect(began).toEqual([0])
    ends[1]?.()
    for (const turn of waiting) (await turn)()
    ;(await late)()
    await expect(inSlot(work, () => Promise.resolve('free'))).resolves.toBe('free')
  })

  it('rejects with 503 after ten seconds of waiting', async () => {
    const work = kind('patience', 1)
    await takeTurn(work)
    const late = outcome(takeTurn(work))
    await vi.advanceTimersByTimeAsync(9_900)
    await expect(Promise.race([late, Promise.resolve('waits')])).resolves.toBe('waits')
    await vi.advanceTimersByTimeAsync(200)
    const error = await late
    expect(error).toBeInstanceOf(BusyError)
    expect(problemOf(error)).toMatchObject({ status: 503, code: 'busy' })
  })

  it('bases Retry-After on the queue and on how long slots are held', async () => {
    const work = kind('pace', 2)
    const retryAfter = async (count: number) => {
      const refused = Array.from({ length: count }, () => outcome(takeTurn(work)))
      await vi.advanceTimersByTimeAsync(10_000)
      return (await Promise.all(refused)).map((error) => (error as BusyError).retryAfterSeconds)
    }
    // Nothing has ended: two slots have been held for ten seconds, and will take at least as long.
    const ends = [await takeTurn(work), await takeTurn(work)]
    expect(await retryAfter(5)).toEqual([25, 20, 15, 10, 5])
    // Ten-second slots that end, and others that have just started.
    for (const end of ends) end()
    const others = [await takeTurn(work), await takeTurn(work)]
    expect(await retryAfter(1)).toEqual([5])
    for (const end of others) end()
    // However long the queue.
    await takeTurn(work)
    await takeTurn(work)
    expect(Math.max(...(await retryAfter(200)))).toBe(300)
  })

  it('releases a slot if its work fails', async () => {
    const work = kind('failing', 1)
    for (let round = 0; round < 3; round += 1)
      await expect(inSlot(work, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
  })
})
