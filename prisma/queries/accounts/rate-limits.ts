import { z } from 'zod'
import { TooManyRequestsError } from '../../../lib/errors'
import { database } from '../../db'
import { limitKey, type RateLimit } from '../../statements/rate-limit'

const countedSchema = z.array(z.object({ points: z.number(), leftMs: z.number() }))

/**
 * Counts one (or `count`) for `key`, by the clock of the database and for all instances together, in one statement. If
 * that clock went back, no client waits longer than the counted time. Throws TooManyRequestsError when that was one too
 * many.
 */
export async function takePoint({ name, points, seconds }: RateLimit, key: string, count = 1): Promise<void> {
  const [counted] = countedSchema.length(1).parse(
    await database().$queryRaw`
      INSERT INTO rate_limit AS own (key, points, expires_at)
      VALUES (${limitKey(name, key)}, ${count}::int, now() + make_interval(secs => ${seconds}))
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN own.expires_at <= now() THEN excluded.points ELSE own.points + excluded.points END,
        expires_at = CASE WHEN own.expires_at <= now() THEN excluded.expires_at
          ELSE least(own.expires_at, excluded.expires_at) END
      RETURNING points, (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "leftMs"`,
  )
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
