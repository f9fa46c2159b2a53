/** Numbers of 0…1 (1 excluded), the same ones for the same seed (mulberry32). */
export function seededUniforms(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A seed made of a text (FNV-1a, 32 bits): different texts are drawn differently. */
export function seedOf(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (const letter of text) {
    hash ^= letter.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01_00_01_93)
  }
  return hash >>> 0
}
