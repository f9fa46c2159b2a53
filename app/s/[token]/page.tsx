import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { sharedLines, viewShareLink } from '@/app/_server/sharing/open-share-link'
import { readTables } from '@/components/charts/plot/table'
import { shareMetadata } from '../share-metadata'
import { prepareSharedMatrix, prepareSharedRuns } from '../prepare-share'
import { ShareHead } from '@/components/shared/share-head'
import { SharedComparison } from '@/components/shared/shared-comparison'
import { SharedMatrix } from '@/components/shared/shared-matrix'
import { SharedRaw } from '@/components/shared/shared-raw'
import { SharedRun } from '@/components/shared/shared-run'
import { readChartView } from '@/components/run/chart-view'
import { runName } from '@/components/runs/run-name'

type Props = {
  params: Promise<{ token: string }>
  searchParams: Promise<{ table?: string | string[]; y?: string | string[] }>
}

/** The link of an address; a plot of it on another scale, or turned into a table and back, is the same view. */
async function openAddress({ params, searchParams }: Props) {
  const { token } = await params
  const { table, y } = await searchParams
  return {
    token,
    chosen: table === undefined ? null : readTables(table),
    link: await viewShareLink(token, table === undefined && y === undefined),
  }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { token, link } = await openAddress(props)
  if (!link) return { title: 'Not found', referrer: 'no-referrer', robots: { index: false, follow: false } }
  return shareMetadata(token, link, await headers())
}

export default async function SharePage(props: Props) {
  const { token, chosen, link: opened } = await openAddress(props)
  const link = opened ?? notFound()
  // Until a reader chooses, charts are as they were when the link was made.
  const shared = new URLSearchParams(link.share.view)
  const tables = chosen ?? readTables(shared.getAll('table'))
  if (link.kind === 'matrix') {
    const prepared = prepareSharedMatrix(link)
    return (
      <div className="page">
        <ShareHead token={token} {...link.share} sentence={prepared.sentence} />
        <SharedMatrix prepared={prepared} notes={link.share.notes} tables={tables} />
      </div>
    )
  }
  const { share, runs } = link
  const prepared = prepareSharedRuns(link) ?? notFound()
  const raw = await Promise.all(runs.map((run) => sharedLines(link, run)))
  const sentence = share.kind === 'run' ? runName(runs[0]) : prepared.comparison.sentence
  return (
    <div className="page">
      <ShareHead token={token} {...share} sentence={sentence} />
      {share.kind === 'run' ? (
        <SharedRun
          run={runs[0]}
          notes={share.notes}
          hasRaw={share.includeRaw}
          view={readChartView(shared)}
          tables={tables}
        />
      ) : (
        <SharedComparison prepared={prepared} notes={share.notes} tables={tables} />
      )}
      <SharedRaw runs={runs} names={prepared.runNames} lines={raw} />
    </div>
  )
}
