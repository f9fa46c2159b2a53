import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { sharedLines } from '@/app/_server/sharing/open-share-link'
import { openAddress, type ShareAddress } from '../open-address'
import { shareMetadata } from '../share-metadata'
import { faceOf, prepareSharedRuns, shownView } from '../prepare-share'
import { SharedTable } from '../shared-table'
import { PlotCaption } from '@/components/ui/plot-caption'
import { captionOf } from '@/components/shared/share-face'
import { ShareHead } from '@/components/shared/share-head'
import { SharedComparison } from '@/components/shared/shared-comparison'
import { SharedRaw } from '@/components/shared/shared-raw'
import { SharedConditions, SharedRun } from '@/components/shared/shared-run'

export async function generateMetadata(props: ShareAddress): Promise<Metadata> {
  const { token, link } = await openAddress(props)
  if (!link) return { title: 'Not found', referrer: 'no-referrer', robots: { index: false, follow: false } }
  return shareMetadata(token, link, await headers())
}

export default async function SharePage(props: ShareAddress) {
  const { token, table, link: whole, shown } = await openAddress(props)
  const link = shown ?? notFound()
  const { view, tables } = shownView(link.share, table)
  const face = faceOf(link) ?? notFound()
  const run = link.kind === 'runs' && link.share.kind === 'run' ? link.runs[0] : null
  const conditions = run && <SharedConditions run={run} />
  const head = <ShareHead token={token} share={link.share} {...{ face, conditions }} isCell={link !== whole} />
  if (link.kind !== 'runs')
    return (
      <div className="page">
        {head}
        <SharedTable token={token} link={link} tables={tables} />
      </div>
    )
  const { share, runs } = link
  const prepared = prepareSharedRuns(link) ?? notFound()
  const raw = await sharedLines(link)
  return (
    <div className="page">
      {head}
      <PlotCaption caption={captionOf(share.projectName, face)}>
        {run !== null ? (
          <SharedRun run={run} notes={share.notes} hasRaw={share.includeRaw} view={view} tables={tables} />
        ) : (
          <SharedComparison
            prepared={prepared}
            notes={share.notes}
            tables={tables}
            whyHref={share.includeWhy && link === whole ? `/s/${token}/why` : null}
          />
        )}
      </PlotCaption>
      <SharedRaw runs={runs} names={prepared.runNames} lines={raw} />
    </div>
  )
}
