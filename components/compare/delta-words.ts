import { formatAbsolute, isSpeakable, sameBelowRatio, type Delta } from '@/lib/comparison'
import { formatChange, formatInColumn, formatPercent, missing, type ColumnUnit } from '@/lib/format'
import type { Metric } from '@/lib/metrics'

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
  if (!isSpeakable(metric, value - absolute, value)) return { arrow: null, word: '~ same', tone: 'muted' }
  const arrow = absolute > 0 ? 'up' : 'down'
  if (verdict === 'neutral') return { arrow, word: absolute > 0 ? 'more' : 'less', tone: 'muted' }
  return { arrow, word: verdict, tone: verdict }
}

/** The change in per cent; of a share, in percentage points: per cent of per cent would hide failures. */
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

/** What the signs mean, for the table's foot. */
export const sameRule = `~ same: changed by less than ${formatPercent(sameBelowRatio)}; pp: percentage points`
