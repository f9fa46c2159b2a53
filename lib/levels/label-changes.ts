import type { TrendPoint } from './points'

/** Where a label such as `version` changed from one run to the next. */
export interface LabelChange {
  readonly key: string
  readonly from: string
  readonly to: string
  /** Time of the first run with the new value. */
  readonly at: string
}

/** In order of preference: when several change at once, the first one names the mark. */
export const markedLabels = ['version', 'commit'] as const

/** A commit that changes more often than at every second run adds nothing to the runs themselves. */
const maxCommitChangeRatio = 0.5

/**
 * Where labels of runs changed within profiles, oldest first; the same change in several profiles is reported once,
 * where it occurred first. Runs without the label are skipped. Commits that change with most runs are left out.
 */
export function labelChanges(lines: readonly (readonly TrendPoint[])[]): readonly LabelChange[] {
  const all = markedLabels.flatMap((key) => {
    const found: LabelChange[] = []
    let steps = 0
    for (const points of lines) {
      const labelled = points.flatMap(({ labels, orderedAt }) => {
        const value = labels[key]
        return value === undefined ? [] : [{ value, at: orderedAt }]
      })
      labelled.slice(1).forEach(({ value, at }, before) => {
        const from = labelled[before]?.value ?? value
        steps += 1
        if (value !== from) found.push({ key, from, to: value, at })
      })
    }
    return key === 'commit' && found.length > steps * maxCommitChangeRatio ? [] : found
  })
  const seen = new Set<string>()
  return all
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .filter(({ key, from, to }) => {
      if (lines.length < 2) return true
      const name = JSON.stringify([key, from, to])
      if (seen.has(name)) return false
      seen.add(name)
      return true
    })
}

/** `version 2.0 → 2.1`. */
export const changeWords = ({ key, from, to }: LabelChange): string => `${key} ${from} → ${to}`
