/** `npm run test:cuts` sets `all`: every place, where the other suites cut each file at 12. */
const areAllTried = process.env['TAILBOARD_CUTS'] === 'all'
const maxCuts = 12

/**
 * Of ascending places to cut a file at, those that are tried: one out of each of 12 stretches of equal length, drawn by
 * the file's name, so that files of one form are cut at different places and always the same ones.
 */
export function triedCuts(places: readonly number[], fileName: string): readonly number[] {
  if (areAllTried || places.length <= maxCuts) return places
  const draw = drawerOf(fileName)
  return Array.from({ length: maxCuts }, (_, stretch) => {
    const first = Math.floor((stretch * places.length) / maxCuts)
    const next = Math.floor(((stretch + 1) * places.length) / maxCuts)
    return places[first + (draw() % (next - first))] ?? 0
  })
}

/** Numbers of 32 bits that a name begins, always the same ones (linear congruences). */
export function drawerOf(name: string): () => number {
  let state = [...name].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) >>> 0, 7)
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0)
}
