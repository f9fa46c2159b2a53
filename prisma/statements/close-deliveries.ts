import type { Db } from './access'

/** Marks what still waits for a channel as failed, with a reason for the log; returns how many messages that were. */
export async function closeDeliveries(db: Db, channelId: string, lastError: string): Promise<number> {
  const { count } = await db.delivery.updateMany({
    where: { channelId, status: 'waiting' },
    data: { status: 'failed', nextTryAt: null, lastError },
  })
  return count
}
