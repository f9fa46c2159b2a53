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

/** The labels of a run that `common` does not hold. */
export function ownLabels(
  { labels }: Pick<RunNames, 'labels'>,
  common: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => common[key] === undefined))
}
