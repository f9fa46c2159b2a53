import { formatAbsolute, isSpeakable, sameBelowRatio, type Delta } from '@/lib/judge/comparison'
import { formatChange, formatInColumn, formatNumber, formatPercent, missing, type ColumnUnit } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'

/** How a change is shown: its direction, its word, and the colour class by which it reads. */
export interface DeltaWords {
  /** Null: no arrow. */
  readonly arrow: 'up' | 'down' | null
  readonly word: string
  readonly tone: 'better' | 'worse' | 'muted'
}

/** A delta in words; `~` stands for a change too small to speak of. */
export function deltaWords(delta: Delta, metric: Metric): DeltaWords {
  const { absolute, value, verdict } = delta
  if (verdict === 'unknown' || absolute === null || value === null) return { arrow: null, word: missing, tone: 'muted' }
  if (verdict === 'same') return { arrow: null, word: 'same', tone: 'muted' }
  if (delta.evidence === 'not-shown') return { arrow: null, word: '~', tone: 'muted' }
  if (!isSpeakable(metric, value - absolute, value)) return { arrow: null, word: '~ same', tone: 'muted' }
  const arrow = absolute > 0 ? 'up' : 'down'
  if (verdict === 'neutral') return { arrow, word: absolute > 0 ? 'more' : 'less', tone: 'muted' }
  return { arrow, word: delta.evidence === 'shown' ? verdict : `${verdict}?`, tone: verdict }
}

/** The change in percent; of a share, in percentage points: a percentage of a percentage would hide failures. */
export function changeText(delta: Delta, metric: Metric): string {
  if (metric.unit !== 'ratio') return formatChange(delta.changeRatio)
  return formatAbsolute(delta, metric).replace('%', 'pp')
}

/** The difference in the unit of its row, so that it can be checked against the values beside it; of a share, in points. */
export function differenceText(delta: Delta, metric: Metric, unit: ColumnUnit): string {
  if (delta.absolute === null) return missing
  if (metric.unit === 'ratio') return formatAbsolute(delta, metric).replace('%', 'pp')
  const size = formatInColumn(Math.abs(delta.absolute), metric.unit, unit)
  return delta.absolute === 0 ? size : `${delta.absolute < 0 ? '\u2212' : '+'}${size}`
}

/**
 * How sure a change is, for the line below its verdict: interval with its confidence, p and the number of runs; null: one
 * run each and no history.
 */
export function evidenceText(delta: Delta, metric: Metric): string | null {
  const { shift, value, absolute, noiseRatio } = delta
  const [m, k] = delta.counts
  if (shift === null || value === null || absolute === null)
    return noiseRatio === null ? null : `noise ±${formatChange(noiseRatio).replace('+', '')}`
  const scale = delta.changeRatio === null || delta.changeRatio === 0 ? null : delta.changeRatio / absolute
  const counts = `n = ${m} + ${k}`
  const p = shift.p < 0.001 ? 'p < 0.001' : `p = ${formatNumber(Number(shift.p.toFixed(3)))}`
  if (delta.evidence === 'too-few') return `${p}, ${counts}: too few`
  const isShare = metric.unit === 'ratio'
  if (scale === null || isShare) return `${p}, ${counts}`
  const interval = `${formatChange(shift.low * scale)} to ${formatChange(shift.high * scale)}`
  return `${interval} (${formatPercent(Math.floor(shift.level * 100) / 100)}), ${p}, ${counts}`
}

/** What the signs mean, for the table's foot. */
export const sameRule = `~ same: within ${formatPercent(sameBelowRatio)}; ?: too few runs to rule out noise; pp: percentage points`

/** What the signs of repeated runs mean, added to `sameRule`. */
export const repeatsRule =
  'value: median of the runs, ± the largest deviation; change: Hodges–Lehmann estimate with its exact interval; p: Mann–Whitney on runs, not on requests, for each metric alone; ~: p ≥ 0.05'
