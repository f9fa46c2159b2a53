import { log } from '../observe/log'

/** The bucket of raw uploads failed a request. */
export class StoreError extends Error {
  constructor(
    message: string,
    /** Whether it was reached and refuses: its name, a key or a permission is wrong, and waiting does not help. */
    readonly isRefusal: boolean,
    cause: unknown,
  ) {
    super(message, { cause })
  }
}

/** On globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.store-away')

/** One line when it goes away, one when it is back. */
export function noteStore(error: StoreError | null): void {
  const holder = globalThis as { [key]?: number | undefined }
  if (error !== null) {
    if (holder[key] === undefined) log('warn', `The bucket cannot be used: ${error.message}`)
    holder[key] ??= performance.now()
  } else if (holder[key] !== undefined) {
    log('warn', `The bucket is back after ${((performance.now() - holder[key]) / 1_000).toFixed(1)} s`)
    holder[key] = undefined
  }
}
