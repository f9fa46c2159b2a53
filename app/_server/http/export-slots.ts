import { inSlot } from './work-slots'

/** Making a file takes statements and seconds of the event loop, which uploads and pages share with it. */
const maxAtOnce = 2
const busy = 'Other files are being made.'

/** Makes a file for a member when fewer than two are being made. Throws BusyError when that takes longer than 10 s. */
export const inExportSlot = <T>(make: () => Promise<T>): Promise<T> =>
  inSlot({ name: 'exports', maxAtOnce, busy }, make)

/** The same for strangers, who do not take the turns of members. Throws BusyError. */
export const inShareSlot = <T>(make: () => Promise<T>): Promise<T> => inSlot({ name: 'shares', maxAtOnce, busy }, make)
