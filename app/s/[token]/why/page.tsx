import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { readTables } from '@/components/charts/plot/address'
import { readWhyView } from '@/components/compare/why/read-why-view'
import { WhyAnswered } from '@/components/compare/why/why-view'
import { sharedWhyHref, writeSides } from '@/lib/judge/compare-url'
import { loadSharedWhy } from '../../load-shared-why'

interface Props {
  readonly params: Promise<{ token: string }>
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const [{ token }, given] = await Promise.all([params, searchParams])
  const found = await loadSharedWhy(token, readWhyView(given).side)
  const title = found?.answer.report.sentence ?? 'Not found'
  return { title, referrer: 'no-referrer', robots: { index: false, follow: false } }
}

/** What the difference of a shared comparison stands with, if its share includes that. */
export default async function SharedWhyPage({ params, searchParams }: Props) {
  const [{ token }, given] = await Promise.all([params, searchParams])
  const view = readWhyView(given)
  const { share, prepared, compared, answer } = (await loadSharedWhy(token, view.side)) ?? notFound()
  return (
    <div className="page">
      <p className="flex wrap gap-8 muted">
        <strong className="text bold">{share.projectName}</strong>
        <a href={`/s/${token}`}>Back to {share.name}</a>
      </p>
      <WhyAnswered
        {...{ names: prepared.names, answer, view }}
        hrefOf={(other) => sharedWhyHref(token, other)}
        subject={writeSides(compared)}
        tool={prepared.sides[0][0].tool}
        tables={readTables(given['table'])}
      />
    </div>
  )
}
