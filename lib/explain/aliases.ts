import type { Candidate } from './candidate'
import type { Distribution } from './distribution'
import type { Group } from './groups'

/** Another name of the same requests. */
export interface Alias {
  readonly attribute: string
  readonly value: string
}

const mostDifferent = 0.05

/** Values of other attributes that are the same requests on both sides, or on the only one that has any: within 5 % of them, bucket by bucket. */
export function aliasesOf(
  groups: readonly Group[],
  { attribute, value }: Pick<Candidate, 'attribute' | 'value'>,
): readonly Alias[] {
  const own = groups.find(({ name }) => name === attribute)?.values.find((one) => one.value === value)
  if (own === undefined) return []
  return groups
    .filter(({ name }) => name !== attribute)
    .flatMap(({ name, values }) =>
      values
        .filter((one) => areSame(own.base, one.base) && areSame(own.head, one.head))
        .map((one) => ({ attribute: name, value: one.value })),
    )
}

function areSame(one: Distribution | null, other: Distribution | null): boolean {
  if (one === null || other === null) return one === other
  let apart = 0
  for (let bucket = 0; bucket < one.counts.length; bucket++)
    apart += Math.abs((one.counts[bucket] ?? 0) - (other.counts[bucket] ?? 0))
  return apart <= mostDifferent * Math.max(one.rows, other.rows)
}
