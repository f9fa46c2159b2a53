import { Samples } from './samples'

/** Reads rows chunk by chunk. */
interface RowReader {
  push(chunk: Uint8Array): void
  finish(): unknown
}

/** V8 learns of a function's branches from its eighth call or so on. */
const repeats = 12
const primed = new Set<string>()

/**
 * Reads rows of every kind before the first file of a form. V8 compiles only the branches that it has seen, and throws
 * the code away (20 ms) at the first row of another kind: a new second, a slow answer, the first failure. `rows`: one of
 * each kind.
 */
export function primeOnce(form: string, makeReader: (samples: Samples) => RowReader, rows: string | Uint8Array): void {
  if (primed.has(form)) return
  primed.add(form)
  const samples = new Samples()
  const chunk = typeof rows === 'string' ? new TextEncoder().encode(rows) : rows
  for (let round = 0; round < repeats; round++) {
    const reader = makeReader(samples)
    reader.push(chunk)
    reader.finish()
  }
}
