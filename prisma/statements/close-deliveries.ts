import type { Db } from './access'

/** What still waits for a channel counts as failed, for a reason that the log shows: how many messages that were. */
export async function closeDeliveries(db: Db, channelId: string, lastError: string): Promise<number> {
  const { count } = await db.delivery.updateMany({
    where: { channelId, status: 'waiting' },
    data: { status: 'failed', nextTryAt: null, lastError },
  })
  return count
}
