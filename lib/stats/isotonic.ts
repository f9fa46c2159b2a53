/**
 * The rising values nearest to these by weighted least squares: pool adjacent violators (Ayer et al., Ann. Math. Stat.
 * 26, 1955). `weights`: one for each value, above 0.
 */
export function risingValues(values: readonly number[], weights: readonly number[]): readonly number[] {
  const pools: { value: number; weight: number; count: number }[] = []
  values.forEach((value, at) => {
    let pool = { value, weight: weights[at] ?? 1, count: 1 }
    for (let last = pools.at(-1); last !== undefined && last.value > pool.value; last = pools.at(-1)) {
      pools.pop()
      const weight = last.weight + pool.weight
      const mean = (last.value * last.weight + pool.value * pool.weight) / weight
      pool = { value: mean, weight, count: last.count + pool.count }
    }
    pools.push(pool)
  })
  return pools.flatMap(({ value, count }) => Array.from({ length: count }, () => value))
}
