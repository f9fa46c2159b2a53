import type { Metadata } from 'next'
import { prepareComparison } from '@/components/shared/prepare-comparison'
import { splitSides } from '@/lib/judge/compare-url'
import { prepareSharedMatrix } from '@/components/shared/prepare-shared-matrix'
import { previewSize } from './chart-image'
import type { OpenedLink } from '@/app/_server/sharing/open-share-link'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { noiseAsFrozen } from '@/lib/judge/history-noise'
import { settings } from '@/app/_server/settings'

/** What programs that unfurl links get to see of a share: its name, the verdict, and a picture of the plot. */
export function shareMetadata(token: string, link: OpenedLink, headers: Headers): Metadata {
  const { share } = link
  const description = sentenceOf(link)
  const origin = settings().publicUrl ?? requestOrigin(headers)
  const images = [{ url: `${origin}/s/${token}/preview.png`, alt: description, ...previewSize }]
  return {
    title: share.name,
    description,
    referrer: 'no-referrer',
    robots: { index: false, follow: false },
    openGraph: { title: share.name, description, images, siteName: 'Tailboard', type: 'website' },
    twitter: { card: 'summary_large_image', title: share.name, description, images },
  }
}

function sentenceOf(link: OpenedLink): string {
  const { view, sideSizes, cellNotes, noise } = link.share
  if (link.kind === 'matrix') return prepareSharedMatrix(link.runs, view, cellNotes).sentence
  return prepareComparison(splitSides(link.runs, sideSizes), view, noiseAsFrozen(noise))?.comparison.sentence ?? ''
}
