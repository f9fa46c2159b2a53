import { formatTime, plural } from '@/lib/format'
import type { TrendPoint } from '@/lib/detect/trend'

/** Where a label such as `version` changed from one run to the next. */
export interface LabelChange {
  readonly key: string
  readonly from: string
  readonly to: string
  /** Time of the first run with the new value. */
  readonly at: string
}

/** One or more changes at one place of a chart, drawn quietly. */
export interface LabelMark {
  /** Share of the chart's width. */
  readonly x: number
  /** Empty: there is no room for words. */
  readonly label: string
  readonly title: string
}

/** In order of preference: where several change at once, the first names the mark. */
const markedLabels = ['version', 'commit'] as const

/** A commit that changes more often than with every second run says nothing that the runs do not. */
const mostCommitChanges = 0.5

/**
 * Where labels of runs changed within lines, oldest first; the same change in several lines is told once, where it came
 * first. Runs without the label are passed over. Commits that change with most runs are left out.
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
    return key === 'commit' && found.length > steps * mostCommitChanges ? [] : found
  })
  const told = new Set<string>()
  return all
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .filter(({ key, from, to }) => {
      if (lines.length < 2) return true
      const name = JSON.stringify([key, from, to])
      if (told.has(name)) return false
      told.add(name)
      return true
    })
}

/** Marks closer than this, as a share of the width, are one; words need more room. */
const leastGap = 0.02
const leastGapOfWords = 0.14
const longestWord = 18
const listedChanges = 6

/** Lays changes out along a chart: neighbours without room between them become one mark that counts them. */
export function prepareLabelMarks(
  changes: readonly LabelChange[],
  place: (at: string) => number,
): readonly LabelMark[] {
  const groups: { readonly x: number; readonly changes: LabelChange[] }[] = []
  for (const change of changes) {
    const x = place(change.at)
    const last = groups.at(-1)
    if (last && x - last.x < leastGap) last.changes.push(change)
    else groups.push({ x, changes: [change] })
  }
  let wordsEnd = Number.NEGATIVE_INFINITY
  return groups.map(({ x, changes: own }) => {
    const hasRoom = x >= wordsEnd && x <= 1 - leastGapOfWords / 2
    if (hasRoom) wordsEnd = x + leastGapOfWords
    return { x, label: hasRoom ? wordOf(own) : '', title: titleOf(own) }
  })
}

function wordOf(changes: readonly LabelChange[]): string {
  const named = markedLabels.map((key) => changes.filter((one) => one.key === key)).find((some) => some.length > 0)
  const last = named?.at(-1)?.to ?? ''
  const word = last.length > longestWord ? `${last.slice(0, longestWord - 1)}…` : last
  return named !== undefined && named.length > 1 ? `${word} +${named.length - 1}` : word
}

function titleOf(changes: readonly LabelChange[]): string {
  const listed = changes.slice(0, listedChanges).map((one) => `${changeWords(one)}, ${formatTime(one.at)}`)
  const rest = changes.length - listed.length
  return [...listed, ...(rest > 0 ? [`and ${plural(rest, 'more change')}`] : [])].join('; ')
}

/** `version 2.0 → 2.1`. */
export const changeWords = ({ key, from, to }: LabelChange): string => `${key} ${from} → ${to}`
