import type { ReactNode } from 'react'
import { readColumns } from '@/lib/run/metrics'
import type { RuleLimit } from '@/lib/rules/limits'
import type { RunFacets, RunPageRequest } from '@/lib/history/run-list'
import type { RunPast, RunRepeat, RunRow } from '@/lib/history/stored-runs'
import { StripTip } from '../charts/plot/rows/strip-tip'
import { LiveRuns } from '../live/live-runs'
import { Pager } from './list-links'
import { splitByLevel } from './levels/level-groups'
import { filterNames } from './list-url'
import { NoMatch } from './no-runs'
import { runColumns } from './run-columns'
import { groupingOf } from './run-groups'
import { RunSelection } from './selection/run-selection'
import { RunsTable, SharedByAll } from './runs-table'
import { RunsToolbar } from './runs-toolbar'

interface ListedProject {
  readonly version: string
  readonly runCount: number
}

interface Props {
  readonly project: { readonly slug: string; readonly repositoryUrl: string | null } & ListedProject
  readonly params: URLSearchParams
  readonly facets: RunFacets
  readonly list: {
    readonly rows: readonly RunRow[]
    readonly nextCursor: string | null
    readonly page: RunPageRequest
    readonly repeats: ReadonlyMap<string, readonly RunRepeat[]>
    readonly pasts: ReadonlyMap<string, RunPast>
  }
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
  readonly nowMs: number
}

/** The history of a project: its filters, its lines, and actions on the selected ones. */
export function RunsView({ project, params, facets, list, limits, nowMs }: Props) {
  const { rows, page, nextCursor } = list
  const path = `/p/${project.slug}/runs`
  const columns = runColumns(rows, { asked: readColumns(params), sort: page.sort })
  const hasLevels = splitByLevel(rows, list.pasts) !== null
  const grouping = groupingOf(params.get('group'), rows, page.sort, hasLevels)
  const isNarrowed = filterNames.some((name) => params.has(name))
  // Other columns show the same runs, and so does a level that is opened: the selection stays.
  const selectionOf = new URLSearchParams([...params].filter(([name]) => name !== 'columns' && name !== 'open'))
  return (
    <>
      <StripTip />
      <RunsToolbar
        slug={project.slug}
        path={path}
        params={params}
        facets={facets}
        columns={columns}
        grouping={grouping}
        hasLevels={hasLevels}
        sort={page.sort}
      />
      {grouping === 'repeats' ? (
        <p className="muted">
          Runs of one experiment, commit, version or build (else of one upload) are one line: median, with the range
          from min to max.
        </p>
      ) : null}
      {rows.length === 0 ? (
        <NoMatch path={path} />
      ) : (
        <WaitingList path={path} project={project} params={params} list={list}>
          <RunSelection key={selectionOf.toString()} slug={project.slug} total={isNarrowed ? null : project.runCount}>
            <RunsTable
              {...list}
              columns={columns}
              grouping={grouping}
              path={path}
              params={params}
              limits={limits}
              nowMs={nowMs}
              repositoryUrl={project.repositoryUrl}
            />
          </RunSelection>
        </WaitingList>
      )}
      <Pager path={path} params={params} sort={page.sort} nextCursor={nextCursor} />
    </>
  )
}

interface WaitingListProps extends Pick<Props, 'project' | 'params'> {
  readonly path: string
  readonly list: Pick<Props['list'], 'rows' | 'page'>
  readonly children: ReactNode
}

/** The newest runs follow the project; another order, or a later page, stays as it is. */
function WaitingList({ path, project, params, list: { rows, page }, children }: WaitingListProps) {
  const lead = <SharedByAll rows={rows} path={path} params={params} />
  if (page.sort !== 'time' || page.direction !== 'desc' || page.cursor !== undefined)
    return (
      <>
        {lead}
        {children}
      </>
    )
  const query = new URLSearchParams([...params].filter(([name]) => filterNames.some((one) => one === name)))
  return (
    <LiveRuns
      slug={project.slug}
      version={project.version}
      query={query.toString()}
      newestAt={rows.reduce((at, { orderedAt }) => (orderedAt > at ? orderedAt : at), '')}
      waiting={rows.flatMap(({ id, orderedAt, judged }) => (judged === null ? [{ id, orderedAt }] : []))}
      lead={lead}
    >
      {children}
    </LiveRuns>
  )
}
