import type { Metadata } from 'next'
import { cache } from 'react'
import { PageBar } from '@/components/shell/page-bar'
import { CompareTabs } from '@/components/compare/saved/compare-tabs'
import { MatrixActions } from '@/components/matrix/matrix-actions'
import { MatrixView } from '@/components/matrix/matrix-view'
import { foundOr404, openProject } from '../open-project'
import { loadMatrix } from './load-matrix'

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Read once per request: its title is the verdict. */
const openMatrix = cache(async (slug: string, search: string) => {
  const { project, granted, limits } = await openProject(slug)
  const given = new URLSearchParams(search)
  const params = Object.fromEntries([...new Set(given.keys())].map((key) => [key, given.getAll(key)]))
  return { project, limits, loaded: await foundOr404(loadMatrix(granted, params)) }
})

async function openAddress({ params, searchParams }: Props) {
  const [{ project }, given] = await Promise.all([params, searchParams])
  const pairs = Object.entries(given).flatMap(([key, value]) => [value ?? []].flat().map((one) => [key, one]))
  return openMatrix(project, new URLSearchParams(pairs).toString())
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { prepared } = (await openAddress(props)).loaded
  return { title: prepared.runs.length === 0 || prepared.query.view === 'sweep' ? 'Matrix' : prepared.verdict }
}

export default async function MatrixPage(props: Props) {
  const { project, limits, loaded } = await openAddress(props)
  const { slug } = project
  const { prepared, uploadName } = loaded
  const tab = prepared.query.view === 'sweep' ? 'Sweep' : 'Matrix'
  return (
    <>
      <PageBar project={project} crumbs={[{ name: 'Compare', href: `/p/${slug}/compare` }]} here={tab}>
        <MatrixActions projectSlug={slug} prepared={prepared} uploadName={uploadName} />
      </PageBar>
      <MatrixView {...loaded} limits={limits} path={`/p/${slug}/matrix`}>
        <CompareTabs slug={slug} here={tab} />
      </MatrixView>
    </>
  )
}
