/** Codes of PostgreSQL, Node, pg and Prisma that mean: the database does not respond, or not in time. */
const unavailable =
  /^(?:08\w{3}|57P0\d|57014|53300|55P03|25P03|25P04|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|P1001|P1002|P1008|P1017|P2024|P2028|P2037|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionAlreadyClosed)$/
/** Messages of pg and its pool that have no code. */
const unavailableText =
  /timeout exceeded when trying to connect|Connection terminated|connection timeout|not open yet|is opened again|is not queryable/i
const full = /^(?:53100|ENOSPC|EDQUOT|EROFS)$/
/** For a read-only file system, PostgreSQL gives the code of a missing permission. */
const fullText = /Read-only file system/

/** What an error means for the database and the disk: not responding, or no room; null: something else. */
export function databaseFailureOf(error: unknown): 'unavailable' | 'full' | null {
  const seen = new Set<object>()
  const waiting: unknown[] = [error]
  let found: 'unavailable' | null = null
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    const { code, originalCode, kind, message, cause, meta, errors, driverAdapterError } = one as Record<
      string,
      unknown
    >
    const codes = [code, originalCode, kind].filter((text) => typeof text === 'string')
    if (codes.some((text) => full.test(text)) || (typeof message === 'string' && fullText.test(message))) return 'full'
    const isAway = codes.some((text) => unavailable.test(text))
    if (isAway || (typeof message === 'string' && unavailableText.test(message))) found = 'unavailable'
    waiting.push(cause, meta, driverAdapterError, ...(Array.isArray(errors) ? errors : []))
  }
  return found
}

/**
 * Does a write that readers can do without, such as when a token was last used; null when the disk is full: reading
 * must go on.
 */
export async function unlessFull<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write()
  } catch (error) {
    if (databaseFailureOf(error) !== 'full') throw error
    return null
  }
}
