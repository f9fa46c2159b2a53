import { z } from 'zod'
import { storableText } from '../../../lib/text'
import type { Db } from '../access'

/** How many events of a kind are accepted in a period. */
export interface RateLimit {
  /** Distinguishes keys: what is counted. */
  readonly name: string
  readonly points: number
  readonly seconds: number
}

/** The key of a count in the database. */
export const limitKey = (name: string, key: string): string => `${name} ${storableText(key).slice(0, 300)}`

/** Events of keys to add to those in the database; a key that has none begins its period, of `leftMs`. */
interface AddedCounts {
  readonly keys: readonly string[]
  readonly points: readonly number[]
  readonly leftMs: readonly number[]
}

const countedSchema = z.array(z.object({ key: z.string(), points: z.number(), leftMs: z.number() }))
type Counted = z.infer<typeof countedSchema>[number]

/**
 * Adds to counts by the clock of the database, for all instances together, and returns them, in any order. If that
 * clock went back, no client waits longer than the counted time.
 */
export async function addCounts(db: Db, { keys, points, leftMs }: AddedCounts): Promise<readonly Counted[]> {
  return countedSchema.length(keys.length).parse(
    await db.$queryRaw`
      INSERT INTO rate_limit AS own (key, points, expires_at)
      SELECT key, points, now() + make_interval(secs => left_ms / 1000)
      FROM unnest(${keys}::text[], ${points}::int[], ${leftMs}::float8[]) AS new (key, points, left_ms)
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN own.expires_at <= now() THEN excluded.points ELSE own.points + excluded.points END,
        expires_at = CASE WHEN own.expires_at <= now() THEN excluded.expires_at
          ELSE least(own.expires_at, excluded.expires_at) END
      RETURNING key, points, (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "leftMs"`,
  )
}
