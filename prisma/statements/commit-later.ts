import { unlessFull } from '../database-failure'
import type { PrismaClient } from '../generated/client'
import type { Db } from './access'

/**
 * The transaction's commit does not wait for the disk: for data that may be lost in a power cut, such as when a token
 * was last used.
 */
export async function commitLater(tx: Db): Promise<void> {
  await tx.$executeRaw`SET LOCAL synchronous_commit = off`
}

/**
 * Writes data that readers can do without, in a transaction of its own that does not wait for the disk; null: the disk
 * is full.
 */
export function writeLater<T>(database: PrismaClient, write: (tx: Db) => Promise<T>): Promise<T | null> {
  return unlessFull(() =>
    database.$transaction(async (tx) => {
      await commitLater(tx)
      return write(tx)
    }),
  )
}
