import { openShareLink } from '@/app/_server/sharing/open-share-link'
import { shareUrl, strangersOrigin } from '@/app/_server/sharing/share-url'
import { faceOf } from '../prepare-share'
import { escapeMarkup } from '@/lib/escape'

const size = { width: 800, height: 520 } as const

/**
 * How a program shows a share whose address it was given (https://oembed.com): a frame. Addresses of other sites, of no
 * share, and of one that may not be embedded get the same answer.
 */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const token = tokenOf(searchParams.get('url') ?? '', strangersOrigin(request.headers))
  const link = token === null ? null : await openShareLink(token)
  const isJson = (searchParams.get('format') ?? 'json') === 'json'
  if (token === null || link?.share.embeddable !== true) return answer(404, 'Not found.\n')
  if (!isJson) return answer(501, 'JSON only.\n')
  const width = bounded(searchParams.get('maxwidth'), size.width)
  const height = bounded(searchParams.get('maxheight'), size.height)
  const url = shareUrl(token, request.headers)
  const title = faceOf(link)?.title ?? link.share.name
  const html =
    `<iframe src="${escapeMarkup(`${url}/embed`)}" width="${width}" height="${height}" title="${escapeMarkup(title)}" ` +
    'style="border:0;max-width:100%" loading="lazy" referrerpolicy="no-referrer" ' +
    'sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>'
  const provider = { provider_name: 'Tailboard', provider_url: strangersOrigin(request.headers) }
  const body = { version: '1.0', type: 'rich', ...provider, title, html, width, height }
  return answer(200, `${JSON.stringify(body)}\n`, 'application/json; charset=utf-8')
}

const answer = (status: number, body: string, type = 'text/plain; charset=utf-8'): Response =>
  new Response(body, { status, headers: { 'content-type': type, 'cache-control': 'private, no-store' } })

/** The token of an address of a share's page on this server; null: it is another one. */
function tokenOf(address: string, origin: string): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return url.origin === new URL(origin).origin
    ? (/^\/s\/([\w-]{43})(?:\/embed)?$/.exec(url.pathname)?.[1] ?? null)
    : null
}

/** The room that the program has, at most our own size. */
const bounded = (wanted: string | null, max: number): number =>
  wanted !== null && /^[1-9]\d{0,5}$/.test(wanted) ? Math.min(max, Number(wanted)) : max
