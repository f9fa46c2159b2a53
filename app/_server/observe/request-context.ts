import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { Viewer } from '@/lib/viewer'
import type { Frame } from '@/prisma/queries/projects/frames'

/** What is known of the current request. */
export interface RequestContext {
  /** From the client or the proxy in front, else made here. */
  readonly id: string
  /** Its address, once it is known. */
  client: string | null
  /** The viewer of its credentials, once they are checked. */
  viewer: { readonly account: string; readonly token?: string } | null
  /** What the page that it requests is drawn for, if the server has read that already. */
  frame: Frame | null
}

/** On globalThis: the server and each route of Next have their own copies of this module in one process. */
const key = Symbol.for('tailboard.request')
function storage(): AsyncLocalStorage<RequestContext> {
  const holder = globalThis as { [key]?: AsyncLocalStorage<RequestContext> }
  return (holder[key] ??= new AsyncLocalStorage())
}

/** Does `work`; all code in it can read its request. */
export function inRequest(request: IncomingMessage, work: (context: RequestContext) => void): void {
  const given = request.headers['x-request-id']?.toString() ?? ''
  const id = /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : crypto.randomUUID()
  const context: RequestContext = { id, client: null, viewer: null, frame: null }
  storage().run(context, () => work(context))
}

/** Null: outside of requests. */
export const requestId = (): string | null => storage().getStore()?.id ?? null

export function noteViewer(viewer: Viewer & { readonly kind: 'member' | 'token' }): void {
  const context = storage().getStore()
  if (context === undefined) return
  const token = viewer.kind === 'token' ? { token: viewer.tokenId } : {}
  context.viewer = { account: viewer.accountId, ...token }
}

/** Null: not read yet. */
export const knownFrame = (): Frame | null => storage().getStore()?.frame ?? null

/** The page that answers this request is drawn for this frame. */
export function noteFrame(frame: Frame): void {
  const context = storage().getStore()
  if (context !== undefined) context.frame = frame
}
