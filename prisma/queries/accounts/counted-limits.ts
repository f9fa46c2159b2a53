import { TooManyRequestsError } from '../../../lib/errors'
import { database } from '../../db'
import { commitLater } from '../../statements/commit-later'
import { addCounts, limitKey, type RateLimit } from '../../statements/accounts/rate-limit'

/** Events of one limit and key in its current period. */
interface Count {
  /** Of all instances, when this one last told the database. */
  told: number
  /** Of this instance since then. */
  untold: number
  endsAtMs: number
}

/** How long the database and other instances wait for the counts of this one. */
const tellEveryMs = 250

class Counts {
  readonly #byKey = new Map<string, Count>()
  #isTelling = false

  take({ name, points, seconds }: RateLimit, key: string, count: number): void {
    const own = this.#current(limitKey(name, key), seconds)
    // Refused ones, too, as `takePoint` counts them.
    own.untold += count
    this.#tellSoon()
    if (own.told + own.untold <= points) return
    const leftMs = own.endsAtMs - performance.now()
    throw new TooManyRequestsError('Too many requests of this kind', Math.max(1, Math.ceil(leftMs / 1_000)))
  }

  #current(key: string, seconds: number): Count {
    const known = this.#byKey.get(key)
    if (known !== undefined && known.endsAtMs > performance.now()) return known
    const fresh = { told: 0, untold: 0, endsAtMs: performance.now() + seconds * 1_000 }
    this.#byKey.set(key, fresh)
    return fresh
  }

  #tellSoon(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setTimeout(() => {
      // While the database is away or full, the counts of this instance hold for it alone, and are told later.
      void this.#tell()
        .catch(() => undefined)
        .finally(() => (this.#isTelling = false))
    }, tellEveryMs).unref()
  }

  /** Adds the counts of this instance to those in the database, and learns those of the others: in one statement. */
  async #tell(): Promise<void> {
    const now = performance.now()
    for (const [key, { endsAtMs }] of this.#byKey) if (endsAtMs <= now) this.#byKey.delete(key)
    // In one order: two instances that tell the same keys wait for each other.
    const sent = [...this.#byKey].filter(([, { untold }]) => untold > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
    if (sent.length === 0) return
    const keys = sent.map(([key]) => key)
    const points = sent.map(([, { untold }]) => untold)
    const leftMs = sent.map(([, { endsAtMs }]) => endsAtMs - now)
    const found = await database().$transaction(async (tx) => {
      await commitLater(tx)
      return addCounts(tx, { keys, points, leftMs })
    })
    for (const [at, [key, own]] of sent.entries()) {
      own.untold -= points[at] ?? 0
      const of = found.find((one) => one.key === key)
      if (of === undefined) continue
      own.told = of.points
      own.endsAtMs = performance.now() + of.leftMs
    }
  }
}

/** On globalThis: routes are in more than one bundle of one process. */
const holderKey = Symbol.for('tailboard.counted-limits')

function counts(): Counts {
  const holder = globalThis as { [holderKey]?: Counts }
  return (holder[holderKey] ??= new Counts())
}

/**
 * Counts one (or `count`) for `key` in this process, which tells the database four times a second: for limits that many
 * requests meet. All instances together accept no more than a quarter of a second's requests beyond the limit. Throws
 * TooManyRequestsError when that would be one too many.
 */
export function takeCounted(limit: RateLimit, key: string, count = 1): void {
  counts().take(limit, key, count)
}
