import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { NoRuns } from '@/components/runs/no-runs'
import { RunCount } from '@/components/runs/runs-toolbar'
import { RunsView } from '@/components/runs/runs-view'
import { PageBar } from '@/components/shell/page-bar'
import { getRunCount } from '@/prisma/queries/projects/projects'
import { listFacets } from '@/prisma/queries/runs/runs'
import { openProject } from '../open-project'
import { loadRuns, searchParamsOf } from './load-runs'

type Search = Promise<Record<string, string | string[] | undefined>>
type Props = { params: Promise<{ project: string }>; searchParams: Search }

export const metadata: Metadata = { title: 'Runs' }

export default async function RunsPage({ params, searchParams }: Props) {
  const { project, version, granted, limits } = await openProject((await params).project)
  const query = searchParamsOf(await searchParams)
  const [runCount, list, facets] = await Promise.all([
    getRunCount(granted),
    loadRuns(granted, query),
    listFacets(granted),
  ])
  return (
    <>
      <PageBar project={project} here="Runs" isHeading>
        <RunCount count={runCount} />
      </PageBar>
      <div className="page">
        {list.notice === null ? null : <p className="notice notice-error">{list.notice}</p>}
        {runCount === 0 ? (
          <NoRuns origin={requestOrigin(await headers())} slug={project.slug} />
        ) : (
          <RunsView
            project={{ ...project, version, runCount }}
            params={query}
            {...{ facets, list, limits }}
            nowMs={Date.now()}
          />
        )}
      </div>
    </>
  )
}
