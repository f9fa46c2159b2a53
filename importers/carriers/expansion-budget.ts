import { ImportError } from '../../lib/errors'

const MEGABYTE = 1024 ** 2

/** What unpacking may cost, whatever the file claims about itself. */
export const expansionLimits = {
  /** Total size that one upload unpacks to. */
  expandedBytes: 8 * 1024 ** 3,
  /** Expanded to packed bytes, checked beyond `freeBytes`; printed results pack to a tenth. */
  ratio: 200,
  freeBytes: MEGABYTE,
  /** Entries of an archive: files, folders and refused ones. */
  entries: 1_000,
} as const

/** Unpacking exceeded a limit: the whole upload is refused, not one entry of it. */
export class ExpansionError extends ImportError {}

/** Counts what one upload unpacks to. */
export interface ExpansionBudget {
  /**
   * One packed stream yielded `expandedBytes` more; `ofStream` is that stream's total so far. Throws ExpansionError.
   */
  spend(expandedBytes: number, ofStream: { readonly packedBytes: number; readonly expandedBytes: number }): void
}

/** A budget for one upload. `spend` throws before more than one chunk is held. */
export function createExpansionBudget(): ExpansionBudget {
  let sum = 0
  return {
    spend(expandedBytes, stream) {
      sum += expandedBytes
      if (sum > expansionLimits.expandedBytes)
        throw new ExpansionError('too-large', 'it unpacks to more than 8 GiB', {
          hint: 'Upload the files in it one by one.',
        })
      const { ratio, freeBytes } = expansionLimits
      if (stream.expandedBytes > freeBytes && stream.expandedBytes > ratio * stream.packedBytes)
        throw new ExpansionError('too-large', `it unpacks to more than ${ratio} times its size`, {
          hint: 'No tool prints such a file. If it is genuine, unpack it and upload what is in it.',
        })
    },
  }
}

/** The error for an archive with more entries than are read. */
export function tooManyEntries(count: number | null): ExpansionError {
  const counted = count === null ? 'more than 1,000 entries' : `${count.toLocaleString('en')} entries, more than 1,000`
  return new ExpansionError('too-large', `the archive holds ${counted}`, { hint: 'Upload only the results.' })
}
