import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { NoMatch, NoRuns } from '@/components/runs/no-runs'
import { Pager, RepeatsSwitch } from '@/components/runs/list-links'
import { rangeFigures } from '@/components/runs/run-columns'
import { RunFilters } from '@/components/runs/run-filters'
import { RunSelection } from '@/components/runs/run-selection'
import { RunsTable } from '@/components/runs/runs-table'
import { plural } from '@/lib/format'
import { getProject } from '@/prisma/queries/projects'
import { listFacets } from '@/prisma/queries/runs'
import { foundOr404, openProject } from '../open-project'
import { loadRuns, searchParamsOf } from './load-runs'

type Search = Promise<Record<string, string | string[] | undefined>>
type Props = { params: Promise<{ project: string }>; searchParams: Search }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: `Runs · ${(await openProject((await params).project)).project.name}`,
})

export default async function RunsPage({ params, searchParams }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const { runCount } = await foundOr404(getProject(viewer, project.slug))
  const query = searchParamsOf(await searchParams)
  const path = `/p/${project.slug}/runs`
  const [{ rows, nextCursor, page, repeats, notice }, facets] = await Promise.all([
    loadRuns(viewer, project.id, query),
    listFacets(viewer, project.id),
  ])
  return (
    <>
      <PageBar project={project} here="Runs" isHeading>
        <span className="muted">{plural(runCount, 'run')}</span>
      </PageBar>
      <div className="page">
        {notice === null ? null : <p className="notice notice-error">{notice}</p>}
        {runCount === 0 ? (
          <NoRuns origin={requestOrigin(await headers())} slug={project.slug} />
        ) : (
          <>
            <RunFilters path={path} query={query.toString()} facets={facets} ranges={rangeFigures} />
            {page.sort === 'time' ? <RepeatsSwitch path={path} params={query} /> : null}
            {rows.length === 0 ? (
              <NoMatch path={path} />
            ) : (
              <RunSelection key={query.toString()} slug={project.slug}>
                <RunsTable rows={rows} path={path} params={query} page={page} nowMs={Date.now()} repeats={repeats} />
              </RunSelection>
            )}
            <Pager path={path} params={query} sort={page.sort} nextCursor={nextCursor} />
          </>
        )}
      </div>
    </>
  )
}
