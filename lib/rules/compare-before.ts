import { compareHref, levelSides, maxLevelRuns } from '../judge/compare-url'
import type { HistoricRun, LevelHistory } from '../levels/level-runs'
import type { AlertFinding } from './evaluate-profile'
import { compareLevelsWords } from './alert-words'
import { sidesOfFinding } from './stored-alerts'
import type { PastRun } from '../history/neighbours'
import type { StoredRun } from '../history/stored-runs'

/**
 * The comparison that shows a run's judgement: with the newest 10 runs of its level before it; if that level changed,
 * of the runs before and since, as the alert has them. Null: no earlier run.
 */
export function compareWithBefore(
  run: HistoricRun & Pick<StoredRun, 'id' | 'projectSlug'>,
  { level, since }: LevelHistory,
  findings: readonly AlertFinding[],
): { readonly href: string; readonly words: string } | null {
  const idsOf = (runs: readonly PastRun[]) => runs.map(({ id }) => id)
  if (since === null) {
    const before = idsOf(level).slice(-maxLevelRuns)
    if (before.length === 0) return null
    const words = before.length === 1 ? 'Compare with the run before' : `Compare with the ${before.length} before`
    return { href: compareHref(run.projectSlug, [before, [run.id]], ''), words }
  }
  const finding = findings.find((one) => one.metricId === since.metricId && one.afterRunId === since.afterRunId)
  const sides = finding ? sidesOfFinding(finding) : levelSides(idsOf(level), [...idsOf(since.runs), run.id])
  if (sides[0]?.length === 0) return null
  return { href: compareHref(run.projectSlug, sides, ''), words: compareLevelsWords(since.name, sides) }
}
