import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { CompareTabs } from '@/components/compare/saved/compare-tabs'
import { PickRuns } from '@/components/compare/pick/pick-runs'
import { pickedSides, readPicked } from '@/components/compare/pick/picked-runs'
import { PageBar } from '@/components/shell/page-bar'
import { compareUrl } from '@/lib/judge/compare-url'
import { listRuns } from '@/prisma/queries/runs/runs'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Compare' }

const newest = { sort: 'time', direction: 'desc', limit: 100 } as const

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ComparePage({ params, searchParams }: Props) {
  const { project, granted } = await openProject((await params).project)
  const picked = readPicked(await searchParams)
  const sides = pickedSides(picked)
  if (sides !== null) redirect(compareUrl(project.slug, sides, null))
  const found = await listRuns(granted, picked.text === '' ? {} : { text: picked.text }, newest)
  // Picked runs stay in sight, whatever is searched for.
  const wanted = [...picked.ids, ...(picked.candidateId === null ? [] : [picked.candidateId])]
  const runIds = wanted.filter((one) => found.rows.every(({ id }) => id !== one))
  const others = runIds.length === 0 ? [] : (await listRuns(granted, { runIds }, newest)).rows
  return (
    <>
      <PageBar project={project} here="Compare" isHeading />
      <div className="page">
        <CompareTabs slug={project.slug} here="Compare" />
        <PickRuns
          projectSlug={project.slug}
          runs={[...others, ...found.rows]}
          picked={picked}
          hasMore={found.nextCursor !== null}
          nowMs={Date.now()}
        />
      </div>
    </>
  )
}
