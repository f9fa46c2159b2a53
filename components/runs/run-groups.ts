import { formatMoment, formatTime, plural } from '@/lib/format'
import { statesByUrgency, stateWords, urgentStates } from '@/lib/run/judged-states'
import type { JudgedRow } from '@/lib/run/judgement'
import type { RunPast, RunRow } from '@/lib/history/stored-runs'
import type { UtcIso } from '@/lib/run/run'
import type { RunSortKey } from '@/lib/history/run-list'
import { shownCommit, type ShownCommit } from './commit/shown-commit'
import { commonLabels, labelsInLine, type LineLabels } from './run-name'

/**
 * How lines of a list are grouped. `level`: a list of one series, where its level changed; `repeats`: the runs of one
 * experiment are one line.
 */
export const groupings = ['level', 'commit', 'upload', 'repeats', 'none'] as const
export type Grouping = (typeof groupings)[number]

type Grouped = Pick<RunRow, 'labels' | 'uploadId'>
const keyBy = {
  commit: ({ labels, uploadId }: Grouped) =>
    labels['commit'] === undefined ? `upload ${uploadId}` : `commit ${labels['commit']}`,
  upload: ({ uploadId }: Grouped) => `upload ${uploadId}`,
}

/**
 * How a page is grouped: as in its address, else by commit or by upload if that gives groups of two runs or more on
 * average. Only lists by time have groups. `hasLevels`: it is of one series whose level changed.
 */
export function groupingOf(
  asked: string | null,
  rows: readonly Grouped[],
  sort: RunSortKey,
  hasLevels = false,
): Grouping {
  if (sort !== 'time') return 'none'
  const chosen = groupings.find((one) => one === asked && (one !== 'level' || hasLevels))
  if (chosen !== undefined) return chosen
  if (hasLevels) return 'level'
  const pays = (by: keyof typeof keyBy) => rows.length > 0 && 2 * new Set(rows.map(keyBy[by])).size <= rows.length
  const hasCommits = rows.some(({ labels }) => labels['commit'] !== undefined)
  return hasCommits && pays('commit') ? 'commit' : pays('upload') ? 'upload' : 'none'
}

/** Runs of a page by commit (or upload if they have none) or by upload; each group is at the place of its first run. */
export function groupRuns<Run extends Grouped>(
  rows: readonly Run[],
  by: 'commit' | 'upload',
): ReadonlyMap<string, readonly Run[]> {
  const groups = new Map<string, Run[]>()
  for (const row of rows) {
    const key = keyBy[by](row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

/** The head of a group. */
export interface ShownGroup {
  readonly key: string
  /** `22 Nov 2026, 02:00`. */
  readonly when: string
  readonly time: string
  readonly at: UtcIso
  /** Null: grouped by upload, or without one. */
  readonly commit: ShownCommit | null
  /** The document; null: its runs are from several. */
  readonly upload: { readonly name: string; readonly href: string } | null
  /** What else they have in common, and their number: `8 runs · main`. */
  readonly facts: string
  /** Labels shared by all its runs, but not by the whole list. */
  readonly labels: LineLabels
  readonly judged: JudgedRow | null
  readonly isUrgent: boolean
}

const urgent: ReadonlySet<string> = new Set(urgentStates)

interface GroupContext {
  readonly pasts: ReadonlyMap<string, RunPast>
  /** Labels shared by all runs of the list. */
  readonly common: Readonly<Record<string, string>>
  readonly repositoryUrl: string | null
}

/** Labels shared by all runs of a group: its lines do not repeat them. */
export const labelsOfGroup = (runs: readonly RunRow[]): Readonly<Record<string, string>> =>
  runs.length === 1 ? (runs[0]?.labels ?? {}) : commonLabels(runs)

/** Describes a group and the states of its runs, from all of them on the page. Its newest run first. */
export function showGroup(
  key: string,
  runs: readonly RunRow[],
  { pasts, common: ofList, repositoryUrl }: GroupContext,
): ShownGroup {
  const [first] = runs
  if (first === undefined) throw new Error('a group has a run')
  const common = (of: (run: RunRow) => string | undefined) =>
    runs.every((run) => of(run) === of(first)) ? (of(first) ?? null) : null
  const commit = key.startsWith('commit ') ? common(({ labels }) => labels['commit']) : null
  const uploadId = common((run) => run.uploadId)
  const name = uploadId === null ? undefined : pasts.get(first.id)?.uploadName
  const newest = runs.reduce((at, { orderedAt }) => (orderedAt > at ? orderedAt : at), first.orderedAt)
  const branch = ofList['branch'] === undefined ? common(({ labels }) => labels['branch']) : null
  return {
    key,
    when: formatMoment(newest),
    time: formatTime(newest),
    at: newest,
    commit: commit === null ? null : shownCommit(first.labels, repositoryUrl),
    upload:
      name === undefined || uploadId === null
        ? null
        : { name, href: `/p/${first.projectSlug}/uploads/${encodeURIComponent(uploadId)}` },
    facts: [plural(runs.length, 'run'), branch].filter((one) => one !== null).join(' · '),
    labels: labelsInLine({ labels: labelsOfGroup(runs) }, { ...ofList, ...saidApart(commit, branch) }),
    ...standingOf(runs),
  }
}

const saidApart = (commit: string | null, branch: string | null): Record<string, string> => ({
  ...(commit === null ? {} : { commit, subject: '' }),
  ...(branch === null ? {} : { branch }),
})

/** The most urgent state of several runs, and how many have which, in words. */
function standingOf(runs: readonly RunRow[]): Pick<ShownGroup, 'judged' | 'isUrgent'> {
  const states = runs.flatMap(({ judged }) => judged?.state ?? [])
  const state = statesByUrgency.find((one) => states.includes(one))
  if (state === undefined) return { judged: null, isUrgent: false }
  const needy = states.filter((one) => urgent.has(one)).length
  if (needy > 0)
    return { judged: { state, sentence: `${needy} ${needy === 1 ? 'needs' : 'need'} attention` }, isUrgent: true }
  const count = states.filter((one) => one === state).length
  // A series that has just begun does not affect the state of the others.
  const calm = state === 'no-history' && states.includes('as-expected') ? 'as-expected' : state
  const sentence = calm === 'better' ? `${count} better` : stateWords[calm].toLowerCase()
  return { judged: { state: calm, sentence }, isUrgent: false }
}
