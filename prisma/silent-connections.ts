import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'

/** Longer than PostgreSQL lets a statement run (`statement_timeout`): a connection silent for this long is dead. */
const silentMs = 32_000

/** Connections on which statements have no time limit. */
const patient = new WeakSet<PoolClient>()

/**
 * Ends a connection on which a statement was sent and nothing comes back: something between us and the database may
 * have silently dropped it, and then neither side would ever learn of it. The statement fails as on a broken
 * connection.
 */
export function endWhenSilent(client: PoolClient): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  connection.stream.setTimeout(silentMs, () => {
    const isIdle = (client as unknown as { readonly readyForQuery: boolean }).readyForQuery
    if (isIdle || patient.has(client)) return
    const error = new Error(`The database has not responded for ${silentMs / 1_000} s.`)
    connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  })
}

/**
 * Lets the statements of a migration, backup or restore take as long as they need, until the returned function is
 * called.
 */
export function waitPatiently(client: PoolClient): () => void {
  patient.add(client)
  return () => patient.delete(client)
}
