import { TooManyRequestsError } from '@/lib/errors'
import { unlessFull } from '@/prisma/database-failure'
import { findWait, takePoint } from '@/prisma/queries/accounts/rate-limits'

/** Misses that one client may have in a minute. Tokens cannot be guessed; this limits the requests of a scan. */
const limit = { name: 'share misses', points: 60, seconds: 60 }

/** Counts addresses of shares that do not exist, by client. */
export interface ShareMisses {
  /** Seconds for which a client with too many misses gets nothing; null: it may ask. */
  wait(client: string): Promise<number | null>
  note(client: string): Promise<void>
}

/** The counter of the database, for all instances together. */
export const shareMisses: ShareMisses = {
  wait: (client) => findWait(limit, client),
  async note(client) {
    try {
      await unlessFull(() => takePoint(limit, client))
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error
    }
  },
}
