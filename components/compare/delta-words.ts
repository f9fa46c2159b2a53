import { formatAbsolute, isSpeakable, sameBelowRatio, type Delta } from '@/lib/comparison'
import { formatChange, formatPercent, missing } from '@/lib/format'
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

/** What the signs mean, for the table's foot. */
export const sameRule = `~ same: changed by less than ${formatPercent(sameBelowRatio)}; pp: percentage points`
