/** `npm run test:truncation` sets `all`: tries every position, where the other suites truncate each file at 12. */
const areAllTried = process.env['TAILBOARD_TRUNCATIONS'] === 'all'
const maxTried = 12

/**
 * Picks the positions to truncate a file at: one from each of 12 sections of equal length, chosen by a hash of the
 * file's name, so that files of one form are truncated at different positions but always the same ones.
 */
export function triedTruncations(places: readonly number[], fileName: string): readonly number[] {
  if (areAllTried || places.length <= maxTried) return places
  const draw = randomOf(fileName)
  return Array.from({ length: maxTried }, (_, stretch) => {
    const first = Math.floor((stretch * places.length) / maxTried)
    const next = Math.floor(((stretch + 1) * places.length) / maxTried)
    return places[first + (draw() % (next - first))] ?? 0
  })
}

/** 32-bit numbers seeded by a name, always the same (linear congruential generator). */
export function randomOf(name: string): () => number {
  let state = [...name].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) >>> 0, 7)
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0)
}
