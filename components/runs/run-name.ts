import type { RunNames } from '@/lib/stored'

/** `GET /ping › Lambda Dispatcher`: what was tested, and in which form. */
export function runName({ scenario, variant }: Pick<RunNames, 'scenario' | 'variant'>): string {
  return variant === null ? scenario : `${scenario} › ${variant}`
}

/** Labels that all of these runs carry alike; none when there is one run only: then nothing is shared. */
export function commonLabels(runs: readonly Pick<RunNames, 'labels'>[]): Readonly<Record<string, string>> {
  const [first, ...others] = runs
  if (!first || others.length === 0) return {}
  return Object.fromEntries(
    Object.entries(first.labels).filter(([key, value]) => others.every(({ labels }) => labels[key] === value)),
  )
}

/** Longer values, and addresses, are on the run's page: in a line they would leave no room for the telling ones. */
const longestInLine = 24

/** The labels of a run that `common` does not hold and that fit into a line, shortest first. */
export function ownLabels(
  { labels }: Pick<RunNames, 'labels'>,
  common: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own = Object.entries(labels).filter(
    ([key, value]) => common[key] === undefined && value.length <= longestInLine && !value.includes('://'),
  )
  return Object.fromEntries(own.sort(([a, x], [b, y]) => a.length + x.length - b.length - y.length))
}
