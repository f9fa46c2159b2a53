import type { Metadata } from 'next'
import { readTables } from '@/components/charts/plot/address'
import { BoxView } from '@/components/run/box/box-view'
import { runName } from '@/components/runs/run-name'
import { PageBar } from '@/components/shell/page-bar'
import { formatDay } from '@/lib/format'
import { openProject } from '../../../open-project'
import { loadBoxPage } from './load-box-page'

type Search = Record<string, string | string[] | undefined>
type Props = { params: Promise<{ project: string; run: string }>; searchParams: Promise<Search> }

/** The address as text: a page reads its box once for its title and its body. */
const queryOf = (search: Search): string =>
  new URLSearchParams(
    Object.entries(search).flatMap(([key, value]) => [value ?? []].flat().map((one) => [key, one])),
  ).toString()

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { project, run } = await params
  const { answer, problem } = await loadBoxPage(project, run, queryOf(await searchParams))
  return { title: problem ?? answer?.sentence ?? 'What is in a box' }
}

export default async function BoxPage({ params, searchParams }: Props) {
  const [{ project: slug, run: id }, search] = await Promise.all([params, searchParams])
  const [{ project }, loaded] = await Promise.all([openProject(slug), loadBoxPage(slug, id, queryOf(search))])
  const name = `${runName(loaded.run)}, ${formatDay(loaded.run.orderedAt)}`
  return (
    <>
      <PageBar
        project={project}
        crumbs={[
          { name: 'Runs', href: `/p/${slug}/runs` },
          { name, href: `/p/${slug}/runs/${loaded.run.id}` },
        ]}
        here="In a box"
      />
      <div className="page">
        <BoxView {...loaded} tables={readTables(search['table'])} />
      </div>
    </>
  )
}
