import type { Metadata } from 'next'
import { readTables } from '@/components/charts/plot/address'
import { readSpan } from '@/components/environment/environment-url'
import { EnvironmentView } from '@/components/environment/environment-view'
import { PageBar } from '@/components/shell/page-bar'
import { foundOr404, openProject } from '../../open-project'
import { loadEnvironment } from './load-environment'

interface Props {
  readonly params: Promise<{ project: string; environment: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `${decodeURIComponent((await params).environment)} · Environment` }
}

export default async function EnvironmentPage({ params, searchParams }: Props) {
  const { project: slug, environment } = await params
  const { project, granted } = await openProject(slug)
  const name = decodeURIComponent(environment)
  const loaded = await foundOr404(loadEnvironment(granted, name))
  const { days, table } = await searchParams
  const crumbs = [
    { name: 'Settings', href: `/p/${slug}/settings` },
    { name: 'Environments', href: `/p/${slug}/settings#environments` },
  ]
  return (
    <>
      <PageBar project={project} crumbs={crumbs} here={name} />
      <EnvironmentView slug={slug} {...loaded} span={readSpan(days)} tables={readTables(table)} />
    </>
  )
}
