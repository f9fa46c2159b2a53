/** Four bytes, the first lowest, are ASCII digits. */
export function areDigits(word: number): boolean {
  return ((word & 0xf0f0f0f0) | 0) === 0x30303030 && (((word + 0x06060606) & 0xf0f0f0f0) | 0) === 0x30303030
}

/** Value of four ASCII digits, the first in the lowest byte. */
export function fourDigits(word: number): number {
  const pairs = (Math.imul(word & 0x0f0f0f0f, 2561) >>> 8) & 0x00ff00ff
  return Math.imul(pairs, 6553601) >>> 16
}

/** A whole number of 1 to `most` digits, −1 when it is none or not exact. */
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
