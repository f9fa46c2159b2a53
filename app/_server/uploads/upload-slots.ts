import type { SlotKind } from '../http/work-slots'

/** Each may hold a thread. */
const maxAtOnce = 20

/** Uploads received and read at the same time. */
export const uploadSlots: SlotKind = {
  name: 'uploads',
  maxAtOnce,
  busy: `${maxAtOnce} uploads are in progress; nothing was saved.`,
}
