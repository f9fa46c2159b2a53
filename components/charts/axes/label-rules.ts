import { changeWords, markedLabels, type LabelChange } from '@/lib/levels/label-changes'
import { formatTime, plural } from '@/lib/format'
import { clipText } from '@/lib/text'
import type { Rule } from '../plot/model'

/** Marks closer than this, as a share of the width, are merged; words need more room. */
const minGap = 0.02
const minGapOfWords = 0.14
const maxWordLength = 18
const maxListedChanges = 6

/** Lays out changes along a chart: neighbours without room between them become one mark that counts them. */
export function prepareLabelRules(changes: readonly LabelChange[], place: (at: string) => number): readonly Rule[] {
  const groups: { readonly x: number; readonly changes: LabelChange[] }[] = []
  for (const change of changes) {
    const x = place(change.at)
    const last = groups.at(-1)
    if (last && x - last.x < minGap) last.changes.push(change)
    else groups.push({ x, changes: [change] })
  }
  let wordsEnd = Number.NEGATIVE_INFINITY
  return groups.map(({ x, changes: own }) => {
    const hasRoom = x >= wordsEnd && x <= 1 - minGapOfWords / 2
    if (hasRoom) wordsEnd = x + minGapOfWords
    return { kind: 'label', at: x, label: hasRoom ? wordOf(own) : '', title: titleOf(own) }
  })
}

function wordOf(changes: readonly LabelChange[]): string {
  const named = markedLabels.map((key) => changes.filter((one) => one.key === key)).find((some) => some.length > 0)
  const last = named?.at(-1)?.to ?? ''
  const word = clipText(last, maxWordLength)
  return named !== undefined && named.length > 1 ? `${word} +${named.length - 1}` : word
}

function titleOf(changes: readonly LabelChange[]): string {
  const listed = changes.slice(0, maxListedChanges).map((one) => `${changeWords(one)}, ${formatTime(one.at)}`)
  const rest = changes.length - listed.length
  return [...listed, ...(rest > 0 ? [`and ${plural(rest, 'more change')}`] : [])].join('; ')
}
