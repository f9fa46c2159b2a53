import { inSlot } from '../http/work-slots'

/** Each may hold a thread. */
const maxAtOnce = 20
const kind = { name: 'uploads', maxAtOnce, busy: `${maxAtOnce} uploads are in progress; nothing was saved.` }

/** Receives and reads an upload when fewer than 20 are in progress. Throws BusyError when that takes longer than 10 s. */
export const inUploadSlot = <T>(work: () => Promise<T>, waitMs?: number): Promise<T> => inSlot(kind, work, waitMs)
