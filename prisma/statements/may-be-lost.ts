import type { Db } from './access'

/**
 * Commits this transaction without waiting for the disk: whole or not at all, and gone after a power cut within the next
 * moments. For what is only counted, or made again from what is stored.
 */
export async function mayBeLost(tx: Db): Promise<void> {
  await tx.$executeRaw`SET LOCAL synchronous_commit = off`
}
