import { seedOf, seededUniforms } from '../stats/seeded-uniforms'

/**
 * The order of the arms in the `index`-th valid round, from 0: permuted blocks drawn from a seed. Each block has every
 * order equally often, shuffled: 4 rounds for two arms, 6 for three. A coin per round would leave a place effect in the
 * estimate; a pattern would meet whatever swings with it. A void round is repeated in its own order.
 */
export function orderOf(arms: readonly string[], seed: string, index: number): readonly string[] {
  const orders = permutations(arms)
  const block = arms.length === 2 ? [...orders, ...orders] : orders
  const shuffled = shuffle(block, seededUniforms(seedOf(`${seed} ${Math.floor(index / block.length)}`)))
  return shuffled[index % block.length] ?? arms
}

function permutations(arms: readonly string[]): readonly (readonly string[])[] {
  if (arms.length <= 1) return [arms]
  return arms.flatMap((first) => permutations(arms.filter((arm) => arm !== first)).map((rest) => [first, ...rest]))
}

/** Fisher and Yates. */
function shuffle<T>(items: readonly T[], uniform: () => number): readonly T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(Math.floor(uniform() * left.length), 1))
}
