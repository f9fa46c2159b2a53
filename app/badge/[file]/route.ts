import { drawBadgeFile } from '@/app/_server/sharing/make-badge'

/** A badge. The response is the same, whatever is missing. */
export async function GET(
  _request: Request,
  context: { readonly params: Promise<{ file: string }> },
): Promise<Response> {
  const svg = await drawBadgeFile((await context.params).file)
  if (svg === null) return new Response('Not found.\n', { status: 404, headers: { 'cache-control': 'no-store' } })
  return new Response(svg, {
    headers: { 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': 'public, max-age=60' },
  })
}
