import type { Db } from './access'

/** The transaction's commit does not wait for the disk: for what may be lost in a power cut, such as when a token was last used. */
export async function commitLater(tx: Db): Promise<void> {
  await tx.$executeRaw`SET LOCAL synchronous_commit = off`
}
