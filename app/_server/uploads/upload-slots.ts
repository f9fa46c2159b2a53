import type { SlotKind } from '../http/work-slots'

/** Each may hold a thread. */
const maxAtOnce = 20

/** Uploads that are received and read at once. */
export const uploadSlots: SlotKind = {
  name: 'uploads',
  maxAtOnce,
  busy: `${maxAtOnce} uploads are in progress; nothing was saved.`,
}
