import { isLoopbackName } from '../settings'
import type { RequestPath } from './request-path'

/** The virtual host that a request comes through: all of Tailboard, or only shares and their assets. */
export type VirtualHost = 'whole' | 'public'

/** The names under which the server is reached. */
export interface Names {
  /** Origin of shares for strangers; null: there is none. */
  readonly publicUrl: string | null
  /** Origin of all of Tailboard on a server with accounts; null: it has none, and serves this machine alone. */
  readonly accountsUrl: string | null
}

/** The name in a Host header, without its port; null when it is none. */
function hostName(host: string | undefined): string | null {
  const match = /^(\[[0-9a-f:]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/i.exec(host ?? '')
  return match?.[1] ?? null
}

const isAt = (host: string | undefined, origin: string | null): boolean =>
  origin !== null && host?.toLowerCase() === new URL(origin).host

/** The virtual host of a Host header; null when it is not one of the server's names. */
export function virtualHostOf(host: string | undefined, { publicUrl, accountsUrl }: Names): VirtualHost | null {
  const name = hostName(host)
  if ((name !== null && isLoopbackName(name)) || isAt(host, accountsUrl)) return 'whole'
  return isAt(host, publicUrl) ? 'public' : null
}

/** Whether the public virtual host serves this path: pages and files of shares, what those pages load, and badges. */
function isPublicPath(method: string, path: RequestPath): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return /^\/(?:s|badge|_next\/static)\/./.test(path) || /^\/(?:icon|favicon)[\w.-]*$/.test(path)
}

/** Whether a path is that of a share, whatever virtual host it comes through. */
export const isSharePath = (path: RequestPath): boolean => /^\/s(?:\/|$)/.test(path)

/**
 * Whether a path is a share's page for frames on other sites; whether the share allows that is decided by its route.
 */
export const isEmbedPath = (path: RequestPath): boolean => /^\/s\/[^/]+\/embed$/.test(path)

/** Whether a path is that of the page without a server, which has a policy of its own. */
export const isViewerPath = (path: RequestPath): boolean => path === '/viewer'

/** Whether a path is that of a badge. */
export const isBadgePath = (path: RequestPath): boolean => /^\/badge(?:\/|$)/.test(path)

/**
 * What a balancer or Prometheus requests from each instance, under any host name. Figures have a token of their own.
 */
export const isProbePath = (path: RequestPath): boolean => /^\/(?:healthz|readyz|metrics)$/.test(path)

/** The parts of a request that show where it comes from. Absent headers are undefined. */
export interface RequestOrigin {
  readonly method: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly secFetchSite: string | undefined
  readonly path: RequestPath
  /** Whether it carries a session cookie. */
  readonly hasSession?: boolean
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Why a request is refused, as a sentence, or null. Without accounts, being on this machine is the only credential;
 * with them a browser sends its cookie by itself. So two doors are closed: names that resolve here but belong to others
 * (DNS rebinding), and pages of other sites that make a browser send a mutation.
 */
export function refuseRequest(request: RequestOrigin, names: Names): string | null {
  const virtualHost = virtualHostOf(request.host, names)
  if (virtualHost === 'public' && isPublicPath(request.method, request.path)) return null
  if (virtualHost !== 'whole') {
    if (names.accountsUrl !== null && isProbePath(request.path)) return null
    return names.accountsUrl === null
      ? 'Tailboard accepts loopback Hosts only, such as 127.0.0.1 or localhost.'
      : `Tailboard is at ${names.accountsUrl}.`
  }
  if (safeMethods.has(request.method)) return null
  if (request.hasSession && request.origin === undefined && request.secFetchSite === undefined) {
    return 'Refused: the change comes with a session, but does not say which page sent it (Origin).'
  }
  if (request.secFetchSite !== undefined && !['same-origin', 'none'].includes(request.secFetchSite)) {
    return 'Refused: the change was sent by a page of another site (Sec-Fetch-Site).'
  }
  if (request.origin !== undefined && request.origin !== ownOrigin(request.host, names))
    return 'Refused: the Origin of the change is not this server.'
  return null
}

/**
 * The origin that a browser sends from a page of ours at this Host, on the virtual host of all of Tailboard; null: none
 * can.
 */
function ownOrigin(host: string | undefined, { accountsUrl }: Names): string | null {
  if (isAt(host, accountsUrl)) return accountsUrl
  const url = `http://${host ?? ''}` // on this machine we speak plain HTTP
  return URL.canParse(url) ? new URL(url).origin : null
}
