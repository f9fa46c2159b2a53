import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { CompareTabs } from '@/components/compare/compare-tabs'
import { redirect } from 'next/navigation'
import { compareUrl } from '@/lib/judge/compare-url'
import { PickRuns } from '@/components/compare/pick-runs'
import { listRuns } from '@/prisma/queries/runs'
import { openProject } from '../open-project'
import styles from './compare.module.css'

export const metadata: Metadata = { title: 'Compare' }

const newest = { sort: 'time', direction: 'desc', limit: 100 } as const

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ComparePage({ params, searchParams }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const { base, candidate } = await searchParams
  if (typeof base === 'string' && typeof candidate === 'string') {
    redirect(compareUrl(project.slug, [base, candidate], null))
  }
  const { rows } = await listRuns(viewer, project.id, {}, newest)
  const wanted = typeof candidate === 'string' && rows.every(({ id }) => id !== candidate) ? [candidate] : []
  const older = wanted.length === 0 ? [] : (await listRuns(viewer, project.id, { runIds: wanted }, newest)).rows
  return (
    <>
      <PageBar project={project} here="Compare" isHeading />
      <div className={`page ${styles.page}`}>
        <CompareTabs slug={project.slug} here="Compare" />
        <PickRuns
          projectSlug={project.slug}
          runs={[...rows, ...older]}
          candidateId={typeof candidate === 'string' ? candidate : null}
        />
      </div>
    </>
  )
}
