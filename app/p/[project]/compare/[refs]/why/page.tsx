import type { Metadata } from 'next'
import { cache } from 'react'
import { CompareTabs } from '@/components/compare/saved/compare-tabs'
import { comparisonTitle } from '@/components/compare/prepare-comparison'
import { SidePills } from '@/components/compare/side-pills'
import { readWhyView } from '@/components/compare/why/read-why-view'
import { WhyAnswered } from '@/components/compare/why/why-view'
import { readTables } from '@/components/charts/plot/address'
import { PageBar } from '@/components/shell/page-bar'
import { compareUrl, whyHref, writeSides } from '@/lib/judge/compare-url'
import { foundOr404, openProject } from '../../../open-project'
import { loadWhy } from '../../load-why'

interface Props {
  readonly params: Promise<{ project: string; refs: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Read once per request: its title is the sentence. */
const openWhy = cache(async (slug: string, refs: string, side: number) => {
  const { project, granted } = await openProject(slug)
  return { project, ...(await foundOr404(loadWhy(granted, refs, side))) }
})

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { project, refs } = await params
  return { title: (await openWhy(project, refs, readWhyView(await searchParams).side)).answer.report.sentence }
}

export default async function WhyPage({ params, searchParams }: Props) {
  const [{ project: slug, refs: asked }, given] = await Promise.all([params, searchParams])
  const view = readWhyView(given)
  const { project, prepared, compared, answer } = await openWhy(slug, asked, view.side)
  const { sides, refs, names, whole } = prepared
  const comparison = { name: comparisonTitle(prepared), href: compareUrl(slug, refs, null) }
  return (
    <>
      <PageBar
        project={project}
        crumbs={[{ name: 'Compare', href: `/p/${slug}/compare` }, comparison]}
        here="What it stands with"
      />
      <div className="page">
        <CompareTabs slug={slug} here="Why" refs={refs} />
        <SidePills projectSlug={slug} sides={sides} refs={refs} whole={whole} names={names} view="" isWhy />
        <WhyAnswered
          {...{ names, answer, view }}
          hrefOf={(other) => whyHref(slug, refs, other)}
          subject={writeSides(compared)}
          tool={sides[0][0].tool}
          tables={readTables(given['table'])}
        />
      </div>
    </>
  )
}
