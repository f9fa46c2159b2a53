/**
 * Go's time.Duration as text, as https://github.com/golang/go/blob/go1.22.0/src/time/time.go#L644 (Duration.String)
 * prints it and ParseDuration reads it: `1h2m3.5s`, `1m30s`, `2.5ms`, `178.114µs` (U+00B5), `29ns`, `0s`.
 */
import type { Milliseconds } from '../../lib/run/run'

/** Nanoseconds per unit. */
const nsPerUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const part = /(\d{1,19})?(?:\.(\d{0,18}))?(ns|us|µs|μs|ms|s|m|h)/y
/** Digits read after the point: as many as in `part`. */
const fractionDigits = 18

/**
 * Reads a Go duration exactly: the decimal value is rounded once, to the nearest double. Several units may be combined;
 * a sign may precede them. Null: anything else.
 */
export function parseGoDuration(text: string): Milliseconds | null {
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  if (text.length === sign.length || text.length > 80) return null
  if (text.slice(sign.length) === '0') return 0
  let total = 0n
  part.lastIndex = sign.length
  while (part.lastIndex < text.length) {
    const [, whole = '', fraction = '', unit = ''] = part.exec(text) ?? []
    const scale = nsPerUnit[unit]
    if (scale === undefined || whole + fraction === '') return null
    total += BigInt(whole + fraction.padEnd(fractionDigits, '0')) * scale
  }
  // Units of 1e-18 ns: 24 places below a millisecond. Number() rounds a decimal text once.
  return total === 0n ? 0 : Number(`${sign}${total}e-${fractionDigits + 6}`)
}
