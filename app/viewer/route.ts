import { readFile } from 'node:fs/promises'
import { encodingFor } from '@/app/_server/http/static-files'
import { builtViewer } from '@/app/_server/settings'

export const dynamic = 'force-dynamic'

/** What may show it: no other site, as for every page. */
const framing = "frame-ancestors 'none'"

/** The page without a server, for everyone: the file that the build made, with the policy that is in it. */
export async function GET(request: Request): Promise<Response> {
  const file = builtViewer(process.env)
  const page = await readFile(/*turbopackIgnore: true*/ file, 'utf8').catch(() => null)
  const policy = /<meta http-equiv="content-security-policy" content="([^"]*)">/.exec(page ?? '')?.[1]
  if (page === null || policy === undefined)
    return new Response('This build has no viewer. Make it anew: npm run build\n', {
      status: 404,
      headers: {
        'content-type': 'text/plain; charset=UTF-8',
        'content-security-policy': `default-src 'none'; ${framing}`,
      },
    })
  const isPacked = encodingFor(request.headers.get('accept-encoding') ?? undefined) === 'br'
  return new Response(isPacked ? await readFile(/*turbopackIgnore: true*/ `${file}.br`) : page, {
    headers: {
      'content-type': 'text/html; charset=UTF-8',
      'cache-control': 'no-cache',
      'content-security-policy': `${policy}; ${framing}`,
      vary: 'accept-encoding',
      ...(isPacked && { 'content-encoding': 'br' }),
    },
  })
}
