import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { readChartView } from '@/components/run/figures/chart-view'
import { RunBar, RunPage } from '@/components/run/run-page'
import { captionOf, runFace } from '@/components/shared/share-face'
import { PlotCaption } from '@/components/ui/plot-caption'
import { runName } from '@/components/runs/run-name'
import { formatDay } from '@/lib/format'
import type { RunNames } from '@/lib/history/stored-runs'
import { openProject } from '../../open-project'
import { loadRun, openRun } from './load-run'

type Search = Record<string, string | string[] | undefined>
type Props = { params: Promise<{ project: string; run: string }>; searchParams: Promise<Search> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, run } = await params
  const shown = await openRun(project, run)
  return { title: `${runName(shown)}, ${formatDay(shown.orderedAt)}` }
}

export default async function Page({ params, searchParams }: Props) {
  const { project, run } = await params
  const search = Object.entries(await searchParams).flatMap(([key, value]) =>
    [value ?? []].flat().map((one) => [key, one]),
  )
  const view = readChartView(new URLSearchParams(search))
  const loaded = await loadRun(project, run)
  const { project: owner, version } = await openProject(project)
  return (
    <>
      <PageBar
        project={owner}
        crumbs={[{ name: 'Runs', href: `/p/${owner.slug}/runs` }]}
        here={`${shortName(loaded.run)}, ${formatDay(loaded.run.orderedAt)}`}
      >
        <RunBar {...loaded} view={view} />
      </PageBar>
      <PlotCaption caption={captionOf(owner.name, runFace(loaded.run))}>
        <RunPage {...loaded} version={version} view={view} />
      </PlotCaption>
    </>
  )
}

/** The bar has room for a line: of long names, only what distinguishes the run. */
function shortName(run: RunNames): string {
  const name = runName(run)
  return name.length <= 32 ? name : (run.variant ?? run.scenario)
}
