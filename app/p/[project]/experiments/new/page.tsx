import type { Metadata } from 'next'
import { NewExperiment } from '@/components/experiments/new-experiment'
import { PageBar } from '@/components/shell/page-bar'
import { IfAllowed, Refusal } from '@/components/ui/actions/access'
import { defaultMetric, metrics } from '@/lib/run/metrics'
import { openProject } from '../../open-project'

export const metadata: Metadata = { title: 'New experiment' }

/** Those that are better one way. */
const deciding = [defaultMetric, ...metrics.filter((metric) => metric !== defaultMetric)]
  .filter(({ direction }) => direction !== 'neutral')
  .map(({ id, label }) => ({ value: id, name: label }))

export default async function NewExperimentPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { project } = await openProject((await params).project)
  const crumbs = [{ name: 'Experiments', href: `/p/${project.slug}/experiments` }]
  return (
    <>
      <PageBar project={project} crumbs={crumbs} here="New experiment" isHeading />
      <div className="page">
        <IfAllowed
          need="edit"
          otherwise={
            <p>
              <Refusal need="edit" />
            </p>
          }
        >
          <NewExperiment slug={project.slug} metrics={deciding} />
        </IfAllowed>
      </div>
    </>
  )
}
