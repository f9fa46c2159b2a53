import type { Metadata } from 'next'
import { previewSize } from './preview-size'
import { faceOf } from './prepare-share'
import type { OpenedLink } from '@/app/_server/sharing/open-share-link'
import { shareUrl, strangersOrigin } from '@/app/_server/sharing/share-url'
import { faceWords } from '@/components/shared/share-face'

/** What link previews get of a share: the verdict and what it rests on, a picture, and where to show it in a frame. */
export function shareMetadata(token: string, link: OpenedLink, headers: Headers): Metadata {
  const { name, projectName, embeddable } = link.share
  const face = faceOf(link)
  const title = face?.title ?? name
  const description = face === null ? '' : faceWords(face)
  const url = shareUrl(token, headers)
  const images = [{ url: `${url}/preview.png`, alt: description, ...previewSize }]
  const oembed = `${strangersOrigin(headers)}/s/oembed?url=${encodeURIComponent(url)}`
  return {
    title,
    description,
    referrer: 'no-referrer',
    robots: { index: false, follow: false },
    ...(embeddable ? { alternates: { types: { 'application/json+oembed': [{ url: oembed, title }] } } } : {}),
    openGraph: { title, description, images, siteName: `Tailboard · ${projectName}`, type: 'website' },
    twitter: { card: 'summary_large_image', title, description, images },
  }
}
