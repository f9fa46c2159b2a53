import { formatRelativeTime, formatTime, missing } from '@/lib/format'
import { heldLimits, limitsOfSeries, type HeldLimit, type RuleLimit } from '@/lib/rules/limits'
import type { JudgedRow } from '@/lib/run/judgement'
import type { RunPast, RunRepeat, RunRow } from '@/lib/history/stored-runs'
import { compareHref, maxCompared } from '../../lib/judge/compare-url'
import { limitsOfMetric, namedLimits, type NamedLimit } from '@/lib/run/limits'
import { defaultMetric } from '@/lib/run/metrics'
import { tools } from '@/lib/run/tools'
import { repeatsCell, runCell, type RunCell, type RunColumn } from './run-columns'
import { shownCommit, type ShownCommit } from './commit/shown-commit'
import type { Fold } from './levels/fold-level'
import type { ShownLevel } from './levels/level-groups'
import type { ShownGroup } from './run-groups'
import { labelsInLine, runName, type LineLabels } from './run-name'

/** A line of the history in words. Absent parts are left out, so that a page stays small. */
export interface ShownRun extends LineLabels {
  readonly id: string
  readonly scenario: string
  readonly variant: string | null
  readonly name: string
  readonly orderedAt: string
  /** `3 h ago`, and on hover the time itself. */
  readonly ago: string
  readonly time: string
  readonly environment: string | null
  /** Its tool's name. */
  readonly tool: string
  readonly isTruncated?: true
  readonly isCandidate?: true
  readonly judged: JudgedRow | null
  /** `judged` is how it stands in the level that its head is about. */
  readonly isInLevel?: true
  /** The first run of that level. */
  readonly isFirstInLevel?: true
  /** Absent: its head, or the list, says it. */
  readonly commit?: ShownCommit
  /** Limits of its series that it misses; absent: none. */
  readonly missed?: readonly HeldLimit[]
  /** Its series up to it, for lists; absent: it is the first one. */
  readonly past?: DrawnPast
  /** For the newest of several repeats: how many there are, and their comparison. */
  readonly repeats?: { readonly count: number; readonly href: string; readonly title: string }
  /** In the order of the columns. */
  readonly cells: readonly (RunCell & { readonly spread?: string })[]
  /** Beside the first figure if there is no room for columns: `3 546/s`, `2.15 % failed`. */
  readonly brief: readonly (Pick<RunCell, 'text' | 'tone'> & { readonly unit: string })[]
}

/** Lines of a table below one head. */
export interface GroupedLines {
  /** Null: they are not grouped. */
  readonly head: ShownGroup | ShownLevel | null
  readonly runs: readonly ShownRun[]
  /** Absent: all rows are shown. */
  readonly fold?: Fold
}

/** What is drawn of the runs up to one, and read of them under a mouse. */
export type DrawnPast = Pick<RunPast, 'values' | 'outside' | 'levels' | 'times' | 'commits'> & {
  readonly limits?: readonly NamedLimit[]
}

interface Table {
  readonly columns: readonly RunColumn[]
  /** Labels shared by all lines. */
  readonly common: Readonly<Record<string, string>>
  /** All runs of the experiment of which this is the newest, newest first; empty: it has no repeats. */
  readonly repeats: readonly RunRepeat[]
  readonly past: RunPast | undefined
  /** How it stands in the level that its head is about; absent: as it is stored. */
  readonly inLevel?: JudgedRow | undefined
  /** Null: commits are no column. */
  readonly commits: { readonly repositoryUrl: string | null } | null
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
  readonly nowMs: number
}

/** A run as its line in a table: the server formats figures and makes links. */
export function showRun(row: RunRow, table: Table): ShownRun {
  const { columns, common, limits, repeats, past, inLevel, commits, nowMs } = table
  const isGroup = repeats.length > 1
  const time = formatTime(row.orderedAt)
  const commit = commits && shownCommit(row.labels, commits.repositoryUrl)
  // The figures of repeats are medians, which no limit is of.
  const missed = isGroup ? [] : heldLimits(limits, row).filter(({ missedBy }) => missedBy !== null)
  const drawn = limitsOfMetric(namedLimits(limitsOfSeries(limits, row)), defaultMetric)
  const cells = columns.map((column) => {
    // Its head says what moved: the run itself is as expected there.
    if (!isGroup) return runCell(column, row, inLevel?.state === 'as-expected' ? undefined : past)
    const { text, title, spread } = repeatsCell(column, row, repeats)
    return { text, title, ...(spread === null ? {} : { spread }) }
  })
  return {
    id: row.id,
    scenario: row.scenario,
    variant: row.variant,
    name: runName(row),
    orderedAt: row.orderedAt,
    ago: formatRelativeTime(row.orderedAt, nowMs),
    time: row.startedAt === null ? `${time}, uploaded` : time,
    environment: row.environment,
    tool: tools[row.tool].name,
    judged: inLevel ?? row.judged,
    ...(inLevel === undefined ? {} : { isInLevel: true }),
    ...(commit === null ? {} : { commit }),
    ...(missed.length > 0 ? { missed } : {}),
    ...(row.complete ? {} : { isTruncated: true }),
    ...(row.candidate ? { isCandidate: true } : {}),
    ...(isGroup ? { repeats: shownRepeats(row, repeats) } : {}),
    ...(past === undefined || past.values.length < 2
      ? {}
      : { past: { ...shownPast(past), ...(drawn.length > 0 ? { limits: drawn } : {}) } }),
    cells,
    brief: cells.slice(1).flatMap(({ text, tone }, at) => {
      const unit = briefUnits[columns[at + 1]?.metric.id ?? '']
      return unit === undefined || text === missing ? [] : { text, unit, ...(tone === undefined ? {} : { tone }) }
    }),
    // Said in the column.
    ...labelsInLine(row, commits === null ? common : { ...common, commit: '', subject: '' }),
  }
}

/** Figures below a name when there are no columns, and their units. */
const briefUnits: Readonly<Record<string, string>> = { throughput: '/s', 'error-ratio': ' failed' }

/** Drawings need no more digits. */
const shownPast = ({ values, outside, levels, times, commits }: RunPast): DrawnPast => ({
  values: values.map((value) => value && Number(value.toPrecision(4))),
  outside: outside.includes(true) ? outside : [],
  levels,
  times,
  commits: commits.some((one) => one !== null) ? commits : [],
})

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
