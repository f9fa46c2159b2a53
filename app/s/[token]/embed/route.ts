import { shareUrl } from '@/app/_server/sharing/share-url'
import { openShareLink } from '@/app/_server/sharing/open-share-link'
import { embeddedShare } from '@/app/s/embedded-share'
import { themeOf } from '@/app/s/theme-of'

type Params = { token: string }

/** Frames of any site may show it, and no script in it runs; a click opens the page in a tab of its own. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox'

/** A share for frames on other sites. One that does not allow it gets the same answer as a missing one. */
export async function GET(request: Request, context: { readonly params: Promise<Params> }): Promise<Response> {
  const { token } = await context.params
  const link = await openShareLink(token)
  const page =
    link?.share.embeddable === true ? embeddedShare(link, shareUrl(token, request.headers), themeOf(request)) : null
  if (page === null)
    return new Response('Not found.\n', { status: 404, headers: { 'cache-control': 'private, no-store' } })
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-security-policy': policy,
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
}
