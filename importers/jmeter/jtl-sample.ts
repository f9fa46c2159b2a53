/** The contents of one sample, whatever the form. Times in ms; −1: not stated. Texts are in `bytes`. */
export class JtlSample {
  bytes: Uint8Array = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  startMs = -1
  elapsedMs = 0
  /** 100…999; 0: no response; −1: not an HTTP code. */
  code = -1
  isGood = true
  bytesIn = -1
  bytesOut = -1
  firstByteMs = -1
  connectMs = -1
  threads = -1
  labelFrom = 0
  labelTo = 0
  threadFrom = 0
  threadTo = 0
  /** Number of its label; −1: none. Set unless it is a hop. */
  target = -1
  /** Why it failed, in its own bytes. */
  reason: Uint8Array = new Uint8Array(0)
  reasonFrom = 0
  reasonTo = 0
}

const nonHttp = 'Non HTTP response code'

/** A response code as written: 0 for JMeter's non-HTTP codes, −1 for an empty one or that of another sampler. */
export function readCode(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 3) {
    const code = ((bytes[from] ?? 0) - 48) * 100 + ((bytes[from + 1] ?? 0) - 48) * 10 + ((bytes[from + 2] ?? 0) - 48)
    if (code >= 100 && code < 1_000) return code
  }
  if (to - from < nonHttp.length) return -1
  for (let at = 0; at < nonHttp.length; at++) if (bytes[from + at] !== nonHttp.charCodeAt(at)) return -1
  return 0
}

/** `true` or `false` in any case, as spreadsheets write them (or 1 and 0); null: another word. */
export function readSuccess(bytes: Uint8Array, view: DataView, from: number, to: number): boolean | null {
  const size = to - from
  if (size === 4 && view.getInt32(from, true) === smallTrue) return true
  const first = (bytes[from] ?? 0) | lowerCase
  if (size === 4 && first === letterT) return isWord(bytes, from, 'true') ? true : null
  if (size === 5 && first === letterF) return isWord(bytes, from, 'false') ? false : null
  if (size !== 1) return null
  return bytes[from] === 49 ? true : bytes[from] === 48 ? false : null
}

/** `true` as the number that its bytes are. */
const smallTrue = 0x65757274
const lowerCase = 32
const letterT = 't'.charCodeAt(0)
const letterF = 'f'.charCodeAt(0)

/** Whether the bytes from there on are a lower-case word, in any case. */
function isWord(bytes: Uint8Array, from: number, word: string): boolean {
  for (let at = 0; at < word.length; at++)
    if (((bytes[from + at] ?? 0) | lowerCase) !== word.charCodeAt(at)) return false
  return true
}

const ofTransaction = 'Number of samples in transaction :'

/** Whether a message is from a Transaction Controller, whose row is not a request. */
export function isOfTransaction(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from < ofTransaction.length) return false
  for (let at = 0; at < ofTransaction.length; at++) if (bytes[from + at] !== ofTransaction.charCodeAt(at)) return false
  return true
}
