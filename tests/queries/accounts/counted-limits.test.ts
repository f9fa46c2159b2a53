import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeSecret as secret } from '@/app/_server/credentials/secret-token'
import { TooManyRequestsError } from '@/lib/errors'
import { takeCounted } from '@/prisma/queries/accounts/counted-limits'
import { findWait, takePoint } from '@/prisma/queries/accounts/rate-limits'
import type { RateLimit } from '@/prisma/statements/accounts/rate-limit'
import { describeOnEngines } from '../engines'

function isTaken(limit: RateLimit, key: string): boolean {
  try {
    takeCounted(limit, key)
    return true
  } catch {
    return false
  }
}

/** Four times a second, and a statement. */
const untilTold = () => sleep(1_000)

describeOnEngines('limits that are counted in the process', () => {
  it('refuse what is beyond the limit at once, each key for itself', () => {
    const limit = { name: 'counted', points: 5, seconds: 60 }
    const key = secret()
    for (let at = 0; at < 5; at += 1) takeCounted(limit, key)
    expect(() => takeCounted(limit, key)).toThrow(TooManyRequestsError)
    expect(() => takeCounted(limit, secret())).not.toThrow()
    expect(() => takeCounted(limit, secret(), 6)).toThrow(TooManyRequestsError)
  })

  it('are told to the database, and hold over instances', async () => {
    const limit = { name: 'counted', points: 10, seconds: 60 }
    const key = secret()
    takeCounted(limit, key, 4)
    await untilTold()
    // Another instance of the server, which counts in the database.
    await takePoint(limit, key, 5)
    takeCounted(limit, key)
    expect(await findWait(limit, key)).toBeNull()
    await untilTold()
    expect(await findWait(limit, key)).toBeGreaterThan(50)
    expect(() => takeCounted(limit, key)).toThrow(TooManyRequestsError)
  })

  it('begin anew with each period', async () => {
    const limit = { name: 'counted', points: 1, seconds: 1 }
    const key = secret()
    takeCounted(limit, key)
    expect(() => takeCounted(limit, key)).toThrow(/Too many/)
    await expect.poll(() => isTaken(limit, key), { timeout: 10_000, interval: 200 }).toBe(true)
  })
})
