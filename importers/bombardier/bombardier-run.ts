import type { Measure, Warning } from '../../lib/run/run'

/** Classes of statuses as bombardier counts them, `1xx` to `5xx`, and all others. */
export interface BombardierCounts {
  readonly classes: Readonly<Record<string, number>>
  readonly others: number
}

/** Everything that it counted. */
export const totalCount = ({ classes, others }: BombardierCounts): number =>
  Object.values(classes).reduce((sum, count) => sum + count, others)

/** It prints classes, not codes, so they are separate figures. */
export const listClasses = ({ classes, others }: BombardierCounts, line: number): Measure[] =>
  [
    ...Object.entries(classes).map(([name, count]) => [`responses-${name}`, count] as const),
    ['others', others] as const,
  ]
    .filter(([, count]) => count > 0)
    .map(([name, value]) => ({ name, value, unit: null, line }))

/** Its latencies include failures, however fast they failed. */
export function warnOfOthers(counts: BombardierCounts, line: number): Warning[] {
  const { others } = counts
  const requests = totalCount(counts)
  if (others === 0) return []
  const message = `${others} of ${requests} requests got no response; they are in the latencies, however fast they failed.`
  return [{ code: 'failures-in-latencies', message, line, numbers: { others, requests } }]
}
