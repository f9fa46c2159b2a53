import { inSlot, type SlotKind } from './work-slots'

/** Making a file takes statements and seconds of the event loop, which it shares with uploads and pages. */
const maxAtOnce = 2
const busy = 'Other files are being made.'

/** Files made for members at the same time. */
export const exportSlots: SlotKind = { name: 'exports', maxAtOnce, busy }

/**
 * Makes a file for a stranger without taking the turns of members. Throws BusyError when waiting for its turn exceeds
 * 10 s.
 */
export const inShareSlot = <T>(make: () => Promise<T>): Promise<T> => inSlot({ name: 'shares', maxAtOnce, busy }, make)
