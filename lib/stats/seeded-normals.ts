import { seededUniforms } from './seeded-uniforms'

/** Standard normal values, the same ones for the same seed: two uniform numbers each, by Box and Muller. */
export function seededNormals(seed: number): () => number {
  const next = seededUniforms(seed)
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}
