import type { Metadata } from 'next'
import { previewSize } from './chart-image'
import { prepareSharedMatrix, prepareSharedRuns } from './prepare-share'
import type { OpenedLink } from '@/app/_server/sharing/open-share-link'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { stateWords } from '@/lib/run/judged-states'
import { settings } from '@/app/_server/settings'

/** What programs that unfurl links get to see of a share: its name, the verdict, and a picture of the plot. */
export function shareMetadata(token: string, link: OpenedLink, headers: Headers): Metadata {
  const { share } = link
  const description = descriptionOf(link)
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

/** What is compared and how sure it is: a headline alone would claim more than its page does. */
function descriptionOf(link: OpenedLink): string {
  if (link.kind === 'matrix') return prepareSharedMatrix(link).sentence
  const [run, ...others] = link.runs
  if (others.length === 0 && run.judgement !== null)
    return `${stateWords[run.judgement.state]}: ${run.judgement.sentence}`
  const comparison = prepareSharedRuns(link)?.comparison
  if (comparison === undefined) return ''
  return [comparison.sentence, comparison.doubt].filter((words) => words !== '').join('. ')
}
