import type { ReactNode } from 'react'
import type { RuleLimit } from '@/lib/rules/limits'
import { defaultMetric } from '@/lib/run/metrics'
import type { RunPageRequest, RunSortKey } from '@/lib/history/run-list'
import type { RunPast, RunRepeat, RunRow } from '@/lib/history/stored-runs'
import type { JudgedRow } from '@/lib/run/judgement'
import { LabelChips } from '../ui/chip'
import { Icon } from '../ui/icon'
import { Link } from '../ui/links/link'
import { foldLevel } from './levels/fold-level'
import { splitByLevel, stateSince } from './levels/level-groups'
import { listHref } from './list-url'
import type { RunColumn } from './run-columns'
import { groupRuns, labelsOfGroup, showGroup, type Grouping } from './run-groups'
import { commonLabels } from './run-name'
import { RunRows } from './run-rows'
import styles from './runs-table.module.css'
import { showRun, type GroupedLines } from './shown-runs'

interface RunsTableProps {
  readonly rows: readonly RunRow[]
  readonly columns: readonly RunColumn[]
  readonly grouping: Grouping
  /** Path of the list, `/p/shop/runs`, and its current parameters. */
  readonly path: string
  readonly params: URLSearchParams
  readonly page: Pick<RunPageRequest, 'sort' | 'direction'>
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
  readonly nowMs: number
  /** For each run that is the newest of several repeats, all of them, newest first. */
  readonly repeats: ReadonlyMap<string, readonly RunRepeat[]>
  readonly pasts: ReadonlyMap<string, RunPast>
  readonly repositoryUrl: string | null
}

/** The history: one line per run or experiment, heads that sort, a box to select per line (`name=run`). */
export function RunsTable(props: RunsTableProps) {
  const { rows, columns, grouping, path, params } = props
  const { common, environment } = sharedByAll(rows)
  const withCommits = grouping !== 'commit' && rows.some(({ labels }) => hasOwnCommit(labels, common))
  const lines = linesOf(props, common, withCommits)
  const runs = lines.flatMap((group) => group.runs)
  const [first] = rows
  const shown = {
    withCommits,
    isByCommit: withCommits && rows.every((one) => one.scenario === first?.scenario && one.variant === first.variant),
    withTime: grouping !== 'commit' && grouping !== 'upload',
    withEnvironment: environment === null && rows.some((row) => row.environment !== null),
    withLabels: runs.some(({ labels, folded }) => Object.keys({ ...labels, ...folded }).length > 0),
    withStrips: runs.some(({ past }) => past !== undefined),
  }
  return (
    <div className={`table-scroll ${styles.scroll}`} tabIndex={0} role="region" aria-label="Runs">
      <table className={`table ${styles.table}`}>
        <caption className="visually-hidden">Runs</caption>
        <RunsHead {...props} shown={shown} />
        <RunRows
          lines={lines}
          path={path}
          query={params.toString()}
          metric={{ shortLabel: defaultMetric.shortLabel, unit: defaultMetric.unit }}
          lead={leadOf(columns[0])}
          shown={shown}
        />
      </table>
    </div>
  )
}

/** What all runs of a list have in common, said once above it; nothing if they share nothing. */
export function SharedByAll({ rows, path, params }: Pick<RunsTableProps, 'rows' | 'path' | 'params'>) {
  const { common, environment } = sharedByAll(rows)
  if (Object.keys(common).length === 0 && environment === null) return null
  return (
    <div className={`flex wrap baseline text-13 ${styles.common}`}>
      <span className="muted">Shared by all:</span>{' '}
      {environment === null ? null : (
        <Link className="chip" href={listHref(path, params, { environment })}>
          {environment}
        </Link>
      )}{' '}
      <LabelChips labels={common} hrefOf={(key, value) => listHref(path, params, { label: `${key}=${value}` })} />
    </div>
  )
}

type SortProps = Pick<RunsTableProps, 'path' | 'params' | 'page'>

interface HeadProps extends SortProps, Pick<RunsTableProps, 'columns'> {
  readonly shown: Readonly<
    Record<'withCommits' | 'withTime' | 'withEnvironment' | 'withStrips' | 'withLabels', boolean>
  >
}

function RunsHead({ columns, shown, ...sort }: HeadProps) {
  return (
    <thead>
      <tr>
        <td className={styles.box}>
          <label>
            <input type="checkbox" data-all="" aria-label="Select all runs on this page" />
          </label>
        </td>
        <SortHead {...sort} by="state" className={styles.mark} text="State">
          <Icon name="updown" />
          <span className="visually-hidden">State</span>
        </SortHead>
        <th scope="col">Run</th>
        {shown.withTime && <SortHead {...sort} by="time" text="Time" />}
        {shown.withCommits && <th scope="col">Commit</th>}
        {shown.withEnvironment && <th scope="col">Environment</th>}
        {shown.withStrips && <th scope="col">{defaultMetric.shortLabel}, 20 runs to here</th>}
        {columns.map(({ metric, head, sortKey }) =>
          sortKey === null ? (
            <th key={metric.id} scope="col" className="num">
              {head}
            </th>
          ) : (
            <SortHead key={metric.id} {...sort} by={sortKey} className="num" text={head} />
          ),
        )}
        <th scope="col">Tool</th>
        {shown.withLabels && <th scope="col">Labels</th>}
      </tr>
    </thead>
  )
}

interface SortHeadProps extends SortProps {
  readonly by: RunSortKey
  readonly text: string
  readonly className?: string | undefined
  /** Absent: the text. */
  readonly children?: ReactNode
}

/** A head whose link sorts the list by its column, or turns the order round. */
function SortHead({ by, text, path, params, page, className, children = text }: SortHeadProps) {
  const isHere = page.sort === by
  const isDown = page.direction === 'desc'
  const order = { sort: by, direction: isHere && isDown ? 'asc' : 'desc' }
  // Only lists by time have groups, and repeats in one line.
  const href = listHref(path, params, by === 'time' ? order : { ...order, group: null })
  return (
    <th scope="col" className={className} aria-sort={isHere ? (isDown ? 'descending' : 'ascending') : undefined}>
      <Link href={href} className={isHere ? `bold ${styles.sorted}` : 'muted'} title={`Sort by ${text.toLowerCase()}`}>
        {children}
        {isHere ? <span aria-hidden="true">{isDown ? ' ↓' : ' ↑'}</span> : null}
      </Link>
    </th>
  )
}

/** Whether a run has a commit that the list does not say for all. */
const hasOwnCommit = (labels: RunRow['labels'], common: Readonly<Record<string, string>>): boolean =>
  labels['commit'] !== undefined && common['commit'] === undefined

/** Name and unit of the first figure, for rows without a head. */
const leadOf = (column: RunColumn | undefined) =>
  column === undefined
    ? { name: '', unit: '' }
    : column.metric.unit === 'ms'
      ? { name: column.metric.shortLabel, unit: column.unit.label }
      : { name: column.head, unit: '' }

/** Labels shared by all runs, and their environment if they share one; null: they do not. */
function sharedByAll(rows: readonly RunRow[]) {
  const [first] = rows
  const isOne = rows.length > 1 && rows.every((row) => row.environment === first?.environment)
  return { common: commonLabels(rows), environment: isOne ? (first?.environment ?? null) : null }
}

function linesOf(
  { rows, columns, grouping, limits, nowMs, repeats, pasts, repositoryUrl, path, params }: RunsTableProps,
  common: Readonly<Record<string, string>>,
  withCommits: boolean,
): readonly GroupedLines[] {
  const commits = withCommits ? { repositoryUrl } : null
  const table = { columns, commits, limits, nowMs }
  const show = (row: RunRow, known: Readonly<Record<string, string>>, inLevel?: JudgedRow) =>
    showRun(row, { ...table, common: known, repeats: repeats.get(row.id) ?? [], past: pasts.get(row.id), inLevel })
  const split = grouping === 'level' ? splitByLevel(rows, pasts) : null
  if (split !== null) {
    const { since, before } = split
    const inSince = since.rows.map((row) => {
      const run = show(row, common, stateSince(row, pasts))
      return row.id === since.firstId ? { ...run, isFirstInLevel: true as const } : run
    })
    const earlier = before.rows.map((row) => show(row, common))
    const groups = [
      { head: since.head, ...foldLevel(inSince, 'since', path, params) },
      { head: before.head, ...foldLevel(earlier, 'before', path, params) },
    ]
    return groups.filter(({ runs }) => runs.length > 0)
  }
  if (grouping !== 'commit' && grouping !== 'upload')
    return [{ head: null, runs: rows.map((row) => show(row, common)) }]
  return [...groupRuns(rows, grouping)].map(([key, runs]) => {
    const known = { ...common, ...labelsOfGroup(runs) }
    const head = showGroup(key, runs, { pasts, common, repositoryUrl })
    return { head, runs: runs.map((row) => show(row, known)) }
  })
}
