import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { CompareTabs } from '@/components/compare/saved/compare-tabs'
import { ExperimentsList } from '@/components/experiments/experiments-list'
import { NoExperiments } from '@/components/experiments/no-experiments'
import { RefreshOnChange } from '@/components/live/refresh-on-change'
import { PageBar } from '@/components/shell/page-bar'
import { IfAllowed } from '@/components/ui/actions/access'
import { Link } from '@/components/ui/links/link'
import { PageLinks } from '@/components/ui/links/page-links'
import { pageOfExperiments } from '@/prisma/queries/projects/experiments'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Experiments' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ExperimentsPage({ params, searchParams }: Props) {
  const [{ project, granted, version }, { before }] = await Promise.all([
    params.then((found) => openProject(found.project)),
    searchParams,
  ])
  const { slug } = project
  const { experiments, next } = await pageOfExperiments(granted, readNumber(before))
  const path = `/p/${slug}/experiments`
  return (
    <>
      <PageBar project={project} here="Experiments" isHeading>
        <IfAllowed need="edit">
          <Link className="button" href={`${path}/new`}>
            New experiment
          </Link>
        </IfAllowed>
      </PageBar>
      <div className="page">
        <CompareTabs slug={slug} here="Experiments" />
        {experiments.length === 0 ? (
          <NoExperiments origin={requestOrigin(await headers())} slug={slug} />
        ) : (
          <ExperimentsList slug={slug} experiments={experiments} nowMs={Date.now()} />
        )}
        <PageLinks
          label="Pages of experiments"
          first={before === undefined ? null : { href: path, name: 'Newest' }}
          next={next === null ? null : { href: `${path}?before=${next}`, name: 'Older' }}
        />
      </div>
      {experiments.some(({ progress }) => progress.open !== null) && <RefreshOnChange slug={slug} version={version} />}
    </>
  )
}

/** The number of an experiment in an address; null: none. */
const readNumber = (text: string | string[] | undefined): number | null =>
  typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
