import type { RunNames } from '@/lib/history/stored-runs'

/** `GET /ping › Lambda Dispatcher`: scenario and variant. */
export function runName({ scenario, variant }: Pick<RunNames, 'scenario' | 'variant'>): string {
  return variant === null ? scenario : `${scenario} › ${variant}`
}

/** Labels shared by all of these runs; none for a single run: nothing is then shared. */
export function commonLabels(runs: readonly Pick<RunNames, 'labels'>[]): Readonly<Record<string, string>> {
  const [first, ...others] = runs
  if (!first || others.length === 0) return {}
  return Object.fromEntries(
    Object.entries(first.labels).filter(([key, value]) => others.every(({ labels }) => labels[key] === value)),
  )
}

/** Longer values, and addresses, would leave no room in a line for the distinctive ones. */
const longestInLine = 24
const maxInLine = 3

/** A run's labels in a line: some in full, the others only as a count until opened. */
export interface LineLabels {
  readonly labels: Readonly<Record<string, string>>
  readonly folded: Readonly<Record<string, string>>
}

/** The labels of a run that are not in `common`, shortest first. */
export function labelsInLine(
  { labels }: Pick<RunNames, 'labels'>,
  common: Readonly<Record<string, string>>,
): LineLabels {
  const own = Object.entries(labels)
    .filter(([key]) => common[key] === undefined)
    .sort(([a, x], [b, y]) => a.length + x.length - b.length - y.length)
  const fitting = own.filter(([, value]) => value.length <= longestInLine && !value.includes('://'))
  const shown = fitting.slice(0, maxInLine)
  return {
    labels: Object.fromEntries(shown),
    folded: Object.fromEntries(own.filter((entry) => !shown.includes(entry))),
  }
}
