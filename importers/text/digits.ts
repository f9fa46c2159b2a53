/** Whether four bytes, the first lowest, are ASCII digits. */
export function areDigits(word: number): boolean {
  return ((word & 0xf0f0f0f0) | 0) === 0x30303030 && (((word + 0x06060606) & 0xf0f0f0f0) | 0) === 0x30303030
}

/** Value of four ASCII digits, the first in the lowest byte. */
export function fourDigits(word: number): number {
  const pairs = (Math.imul(word & 0x0f0f0f0f, 2561) >>> 8) & 0x00ff00ff
  return Math.imul(pairs, 6553601) >>> 16
}

/** A whole number of 1 to `most` digits; −1: not one, or not exact. */
export function readDigits(bytes: Uint8Array, from: number, to: number, most: number): number {
  if (to <= from || to - from > most) return -1
  let value = 0
  for (let place = from; place < to; place++) {
    const digit = (bytes[place] ?? 0) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value <= Number.MAX_SAFE_INTEGER ? value : -1
}

const powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

/**
 * A plain decimal times ten to the power of `scale` (0…12), rounded to a whole number: scale 9 converts seconds to
 * nanoseconds. −1: not one (a sign, an exponent, no digit), or not exact.
 */
export function readScaledDigits(bytes: Uint8Array, from: number, to: number, scale: number): number {
  let value = 0
  let digits = 0
  /** Digits after the point; −1: not reached yet. */
  let places = -1
  let isRoundedUp = false
  for (let place = from; place < to; place++) {
    const digit = (bytes[place] ?? 0) - 48
    if (digit === -2 && places < 0) places = 0
    else if (digit < 0 || digit > 9) return -1
    else {
      digits++
      if (places < scale) value = value * 10 + digit
      else if (places === scale) isRoundedUp = digit >= 5
      if (places >= 0) places++
    }
  }
  if (digits === 0) return -1
  const kept = Math.min(scale, Math.max(0, places))
  const whole = value * (powers[scale - kept] ?? 0) + (isRoundedUp ? 1 : 0)
  return whole <= Number.MAX_SAFE_INTEGER ? whole : -1
}
