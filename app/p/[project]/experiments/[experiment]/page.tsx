import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { cache } from 'react'
import { environmentInstrument } from '@/app/_server/environment-instrument'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { readTables } from '@/components/charts/plot/address'
import { ExperimentView } from '@/components/experiments/experiment-view'
import { RefreshOnChange } from '@/components/live/refresh-on-change'
import { PageBar } from '@/components/shell/page-bar'
import { courseOf } from '@/lib/experiment/course'
import { instrumentWords } from '@/lib/instrument/instrument-words'
import { progressWords } from '@/lib/experiment/running-words'
import { getExperiment } from '@/prisma/queries/projects/experiments'
import { foundOr404, openProject } from '../../open-project'

interface Props {
  readonly params: Promise<{ project: string; experiment: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Once a request: the title says what the page says. */
const load = cache(async (slug: string, id: string) => {
  const { granted } = await openProject(slug)
  const open = await foundOr404(getExperiment(granted, id))
  return { ...open, words: progressWords(open.progress) }
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, experiment } = await params
  const { experiment: found, words } = await load(project, experiment)
  return { title: `${words.sentence}: ${found.question}` }
}

export default async function ExperimentPage({ params, searchParams }: Props) {
  const [{ project: slug, experiment: id }, { table }] = await Promise.all([params, searchParams])
  const { project, granted, version } = await openProject(slug)
  const { experiment, progress, environment, words } = await load(slug, id)
  const nowMs = Date.now()
  const shown = environment === null ? null : await environmentInstrument(granted, environment)
  const crumbs = [{ name: 'Experiments', href: `/p/${slug}/experiments` }]
  return (
    <>
      <PageBar project={project} crumbs={crumbs} here={`Experiment ${experiment.number}`} />
      <ExperimentView
        {...{ slug, experiment, progress, words, tables: readTables(table), environment, nowMs }}
        instrument={shown && instrumentWords(shown, nowMs)}
        course={courseOf(progress.plan, progress.finished)}
        origin={requestOrigin(await headers())}
      />
      {progress.open !== null && <RefreshOnChange slug={slug} version={version} />}
    </>
  )
}
