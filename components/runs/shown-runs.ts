import { formatRelativeTime, formatTime } from '@/lib/format'
import type { JudgedRow, RunRepeat, RunRow } from '@/lib/run/stored'
import { compareHref, maxCompared } from '../../lib/judge/compare-url'
import { repeatsCell, runCell, type RunColumn } from './run-columns'
import { labelsInLine, runName, type LineLabels } from './run-name'

/** A line of the history in words. What is absent is not said, so that a page stays small. */
export interface ShownRun extends LineLabels {
  readonly id: string
  readonly name: string
  readonly orderedAt: string
  /** `3 h ago`, and on hover the time itself. */
  readonly ago: string
  readonly time: string
  readonly environment: string | null
  readonly tool: string
  readonly isCut?: true
  readonly isCandidate?: true
  readonly judged: JudgedRow | null
  /** Of the newest of several repeats: how many they are, and their comparison. */
  readonly repeats?: { readonly count: number; readonly href: string; readonly title: string }
  /** In the order of the columns. */
  readonly cells: readonly { readonly text: string; readonly title: string; readonly spread?: string }[]
}

interface Table {
  readonly columns: readonly RunColumn[]
  /** Labels that all lines have alike. */
  readonly common: Readonly<Record<string, string>>
  /** All runs of the experiment whose newest one this is, newest first; empty: it stands for itself. */
  readonly repeats: readonly RunRepeat[]
  readonly nowMs: number
}

/** A run as its line in a table says it: figures are formatted and links are made on the server. */
export function showRun(row: RunRow, { columns, common, repeats, nowMs }: Table): ShownRun {
  const isGroup = repeats.length > 1
  const time = formatTime(row.orderedAt)
  return {
    id: row.id,
    name: runName(row),
    orderedAt: row.orderedAt,
    ago: formatRelativeTime(row.orderedAt, nowMs),
    time: row.startedAt === null ? `${time}, uploaded` : time,
    environment: row.environment,
    tool: row.tool,
    judged: row.judged,
    ...(row.complete ? {} : { isCut: true }),
    ...(row.candidate ? { isCandidate: true } : {}),
    ...(isGroup ? { repeats: shownRepeats(row, repeats) } : {}),
    cells: columns.map((column) => {
      if (!isGroup) return runCell(column, row)
      const { text, title, spread } = repeatsCell(column, repeats)
      return { text, title, ...(spread === null ? {} : { spread }) }
    }),
    ...labelsInLine(row, common),
  }
}

/** The newest repeats side by side, oldest first. */
function shownRepeats(row: RunRow, repeats: readonly RunRepeat[]): NonNullable<ShownRun['repeats']> {
  const newest = repeats.slice(0, maxCompared).map((run) => run.id)
  const which = repeats.length > maxCompared ? `the newest ${maxCompared} of these` : 'these'
  return {
    count: repeats.length,
    href: compareHref(row.projectSlug, newest.reverse(), ''),
    title: `Compare ${which} runs of one experiment`,
  }
}
