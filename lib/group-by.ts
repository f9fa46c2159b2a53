/** Groups values by `keyOf`, in the order in which keys first occur. */
export function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): ReadonlyMap<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}
