import type { Metadata } from 'next'
import { prepareComparison, splitSides } from '@/components/share/prepare-comparison'
import { previewSize } from './chart-image'
import type { OpenedLink } from '@/app/_server/open-share-link'
import { requestOrigin } from '@/app/_server/request-origin'
import { settings } from '@/app/_server/settings'

/** What programs that unfurl links get to see of a share: its name, the verdict, and a picture of the plot. */
export function shareMetadata(token: string, { share, runs }: OpenedLink, headers: Headers): Metadata {
  const description = prepareComparison(splitSides(runs, share.sideSizes), share.view)?.comparison.sentence ?? ''
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
