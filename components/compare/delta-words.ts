import {
  decidingWords,
  equalBelowRatio,
  formatAbsolute,
  isShownSmall,
  runsWords,
  shownDirection,
  verdictWord,
  type Delta,
} from '@/lib/judge/delta'
import type { Comparison } from '@/lib/judge/comparison'
import { isNamedAfterWarmUp } from '@/lib/judge/steady-window'
import { formatChange, formatInColumn, formatPercent, missing, plural, type ColumnUnit } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'

/**
 * The judgement of a change in words, on a page and in its files: direction, word, colour class, basis, what would
 * decide.
 */
export interface JudgementWords {
  /** Null: no arrow. */
  readonly arrow: 'up' | 'down' | null
  readonly word: string
  readonly tone: 'better' | 'worse' | 'muted'
  /** After the word if there is room: rounds, runs, margin; empty: nothing. */
  readonly basis: string
  /** What a verdict still needs; null: nothing, or the caution states what bars one. */
  readonly more: string | null
}

/** A delta in words beside its mark. Single runs, and differences that noise may cause, are named as such. */
export function judgementWords(delta: Delta, metric: Metric): JudgementWords {
  const { verdict, reason, method, marginRatio, warnings, absolute, value } = delta
  const shown = shownDirection(delta, metric)
  const quiet = { arrow: null, tone: 'muted', basis: '', more: null } as const
  const failures =
    metric.id === 'success-ratio' ? 1 : metric.id === 'error-ratio' || metric.id === 'error-count' ? 0 : null
  if (absolute === 0 && failures !== null && value === failures) return { ...quiet, word: 'nothing failed' }
  if (reason !== null) return { ...quiet, word: verdictWord(delta, metric) }
  if (shown !== null) {
    const arrow = (absolute ?? 0) > 0 ? ('up' as const) : ('down' as const)
    return { arrow, word: shown, tone: shown, basis: basisOf(delta), more: null }
  }
  const margin = `±${formatPercent(marginRatio)}`
  if (isShownSmall(delta, metric)) return { ...quiet, word: 'differs', basis: `by less than matters (${margin})` }
  if (verdict === 'same') return { ...quiet, word: 'same', basis: `within ${margin}` }
  if (verdict !== 'undecided' || method === 'none') return { ...quiet, word: verdictWord(delta, metric) }
  const chance = warnings.includes('multiple') ? 'may be chance among so many figures' : null
  return { ...quiet, word: 'undecided', more: chance ?? decidingWords(delta) }
}

/** What a shown direction rests on: an alert, rounds, runs, or the noise of the history of two single runs. */
function basisOf(delta: Delta): string {
  const { method, rounds, counts } = delta
  if (method === 'level-change') return 'as an alert reports'
  if (rounds > 1) return plural(rounds, 'round')
  return method === 'history' && counts[0] + counts[1] <= 2 ? 'beyond its history’s noise' : runsWords(delta)
}

/** The same in one cell of a table: `better, 8 rounds`, `same, within ±5 %`. */
export function judgementText(delta: Delta, metric: Metric): string {
  const { word, basis } = judgementWords(delta, metric)
  return basis === '' ? word : `${word}, ${basis}`
}

/** The change in percent; for a share, in percentage points: a percentage of a percentage would hide failures. */
export function changeText(delta: Delta, metric: Metric): string {
  if (metric.unit !== 'ratio') return formatChange(delta.changeRatio)
  return formatAbsolute(delta, metric).replace('%', 'pp')
}

/**
 * The difference in the unit of its row, so that it can be checked against the values beside it; for a share, in
 * points.
 */
export function differenceText(delta: Delta, metric: Metric, unit: ColumnUnit): string {
  if (delta.absolute === null) return missing
  if (metric.unit === 'ratio') return formatAbsolute(delta, metric).replace('%', 'pp')
  const size = formatInColumn(Math.abs(delta.absolute), metric.unit, unit)
  return delta.absolute === 0 ? size : `${delta.absolute < 0 ? '\u2212' : '+'}${size}`
}

/** The meaning of the words, for the table's foot. */
export const wordRule = `better, worse: shown beyond noise; same: shown to lie within the margin; differs: shown, and by less than that margin; undecided: neither yet; n = 1: one run each, which decides nothing; may be noise: two runs of one thing may differ as much; equal: such figures within ${formatPercent(equalBelowRatio)}; pp: percentage points`

/** The meaning of repeated runs' figures, added to `wordRule`. */
export const repeatsRule =
  'base: median of the runs, and for shares the share of all their requests; value: the base × the change; ± the largest deviation of a run from the median; change: the effect by rounds (Hodges–Lehmann), with its interval at 95 %; tested by flipping the signs of rounds, not on requests, and corrected for the number of metrics'

/** The part of the runs that is judged, as a sentence; null: all of them. */
export const windowSentence = ({ rows }: Pick<Comparison, 'rows'>): string | null =>
  rows.some(({ metric }) => isNamedAfterWarmUp(metric))
    ? 'Mean, percentiles, max and throughput are those after the warm-up of each run, percentiles within 1.6 %; counts, shares, costs and plots are of whole runs.'
    : null
