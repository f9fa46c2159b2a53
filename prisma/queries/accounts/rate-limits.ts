import { z } from 'zod'
import { TooManyRequestsError } from '../../../lib/errors'
import { database } from '../../db'
import { addCounts, limitKey, type RateLimit } from '../../statements/accounts/rate-limit'

const countedSchema = z.array(z.object({ points: z.number(), leftMs: z.number() }))

/**
 * Counts one (or `count`) for `key` in the database, in one statement. Throws TooManyRequestsError when that was one
 * too many.
 */
export async function takePoint({ name, points, seconds }: RateLimit, key: string, count = 1): Promise<void> {
  const added = { keys: [limitKey(name, key)], points: [count], leftMs: [seconds * 1_000] }
  const [counted] = await addCounts(database(), added)
  if (counted === undefined || counted.points <= points) return
  throw new TooManyRequestsError('Too many requests of this kind', Math.max(1, Math.ceil(counted.leftMs / 1_000)))
}

/** Seconds until `key` has points again; null: it has some now. Counts nothing. */
export async function findWait({ name, points, seconds }: RateLimit, key: string): Promise<number | null> {
  const [used] = countedSchema.parse(
    await database().$queryRaw`
      SELECT points, (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "leftMs"
      FROM rate_limit WHERE key = ${limitKey(name, key)} AND expires_at > now()`,
  )
  if (used === undefined || used.points < points) return null
  return Math.min(seconds, Math.max(1, Math.ceil(used.leftMs / 1_000)))
}

/** Deletes counts that have expired. */
export async function sweepRateLimits(): Promise<void> {
  await database().$executeRaw`DELETE FROM rate_limit WHERE expires_at < now()`
}
