import { createHash, timingSafeEqual } from 'node:crypto'
import { UnauthenticatedError, NotFoundError } from '@/lib/errors'
import { openRoute } from '@/app/_server/http/route'
import { meters } from '@/app/_server/observe/meters'
import { settings } from '@/app/_server/settings'

export const dynamic = 'force-dynamic'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Figures of this process for Prometheus, for holders of their token. */
export const GET = openRoute(async (request) => {
  const token = settings().metricsToken
  const own = meters()
  if (token === null || own === null) throw new NotFoundError('Page')
  const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new UnauthenticatedError('Send the token of TAILBOARD_METRICS_TOKEN.')
  return new Response(await own.text(new Date()), {
    headers: { 'content-type': own.registry.contentType, 'cache-control': 'no-store' },
  })
})
