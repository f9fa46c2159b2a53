import type { Delta } from '@/lib/comparison'
import { formatPercent } from '@/lib/format'

/** How a change is shown: its arrow, its word, and the colour class by which it reads. */
export interface DeltaWords {
  readonly arrow: string
  readonly word: string
  readonly tone: 'better' | 'worse' | 'muted'
}

/** Changes smaller than this read as the same: one run each cannot tell them from noise. */
export const sameBelowRatio = 0.005

/** A delta in words; `~` stands for a change too small to speak of. */
export function deltaWords(delta: Delta): DeltaWords {
  const { absolute, changeRatio, verdict } = delta
  if (verdict === 'unknown' || absolute === null) return { arrow: '', word: '–', tone: 'muted' }
  if (verdict === 'same') return { arrow: '', word: 'same', tone: 'muted' }
  if (changeRatio !== null && Math.abs(changeRatio) < sameBelowRatio) return { arrow: '~', word: 'same', tone: 'muted' }
  const arrow = absolute > 0 ? '▲' : '▼'
  if (verdict === 'neutral') return { arrow, word: absolute > 0 ? 'more' : 'less', tone: 'muted' }
  return { arrow, word: verdict, tone: verdict }
}

/** What the limit is, for the table's foot. */
export const sameRule = `~ same: changed by less than ${formatPercent(sameBelowRatio)}`
