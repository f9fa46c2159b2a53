import { checkReadiness } from '@/app/_server/check-readiness'

export const dynamic = 'force-dynamic'

/** Whether requests are served: 503 while the database, the store of raw files or the background work is not. */
export async function GET(): Promise<Response> {
  const readiness = await checkReadiness()
  const status = readiness.status === 'ready' ? 200 : 503
  return Response.json(readiness, { status, headers: { 'cache-control': 'no-store' } })
}
