import { version } from '@/app/_server/version'

export const dynamic = 'force-dynamic'

/** The process answers. */
export const GET = () => Response.json({ status: 'ok', version }, { headers: { 'cache-control': 'no-store' } })
