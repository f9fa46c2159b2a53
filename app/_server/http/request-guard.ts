import { isLoopbackName } from '../settings'

/** Which door a request comes through: all of Tailboard, or shares and their assets alone. */
export type Door = 'whole' | 'public'

/** The names that the server is reached by. */
export interface Names {
  /** Origin of shares for strangers; null: there is none. */
  readonly publicUrl: string | null
  /** Origin of all of Tailboard on a server with accounts; null: it has none, and this machine alone gets all of it. */
  readonly accountsUrl: string | null
}

const isAt = (host: string | undefined, origin: string | null): boolean =>
  origin !== null && host?.toLowerCase() === new URL(origin).host

/** The door of a Host header; null when it is none of the server's names. */
export function doorOf(host: string | undefined, { publicUrl, accountsUrl }: Names): Door | null {
  const name = hostName(host)
  if ((name !== null && isLoopbackName(name)) || isAt(host, accountsUrl)) return 'whole'
  return isAt(host, publicUrl) ? 'public' : null
}

/** Whether the public door leads there: pages and files of shares, what those pages load, and badges. Nothing is decoded twice. */
function isPublicPath(method: string, url: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = url.split('?', 1)[0] ?? ''
  if (path.includes('//') || path.includes('\\') || /%(?:2f|5c|2e|25)/i.test(path)) return false
  if (path.split('/').some((part) => part === '.' || part === '..')) return false
  return /^\/(?:s|badge|_next\/static)\/./.test(path) || /^\/(?:icon|favicon)[\w.-]*$/.test(path)
}

/** Whether an address is that of a share, whatever door it comes through. */
export const isSharePath = (url: string): boolean => /^\/s(?:[/?]|$)/.test(url)

/** Whether an address is that of a share for frames of other sites; whether the share allows that, its route says. */
export const isEmbedPath = (url: string): boolean => /^\/s\/[^/?]+\/embed(?:\?|$)/.test(url)

/** Whether an address is that of a badge. */
export const isBadgePath = (url: string): boolean => /^\/badge(?:[/?]|$)/.test(url)

/** What a balancer or Prometheus asks of each instance, by whatever name it has for it. Figures have a token of their own. */
const isProbe = (url: string): boolean => /^\/(?:healthz|readyz|metrics)$/.test(url)

/** The parts of a request that say where it comes from. Absent headers are undefined. */
export interface RequestOrigin {
  readonly method: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly secFetchSite: string | undefined
  readonly url?: string
  /** Whether it comes with the cookie of a session. */
  readonly hasSession?: boolean
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The name in a Host header, without its port; null when it is none. */
function hostName(host: string | undefined): string | null {
  const match = /^(\[[0-9a-f:]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/i.exec(host ?? '')
  return match?.[1] ?? null
}

/**
 * Why a request is refused, as a sentence, or null. Without accounts, being on this machine is the only credential; with
 * them a browser sends its cookie by itself. So two doors are closed: names that resolve here but belong to others (DNS
 * rebinding), and pages of other sites that make a browser send a mutation.
 */
export function refuseRequest(request: RequestOrigin, names: Names): string | null {
  const door = doorOf(request.host, names)
  if (door === 'public' && isPublicPath(request.method, request.url ?? '')) return null
  if (door !== 'whole') {
    if (names.accountsUrl !== null && isProbe(request.url ?? '')) return null
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
  if (request.origin !== undefined) {
    let originHost: string | null = null
    try {
      originHost = new URL(request.origin).host
    } catch {
      originHost = null // `null`, or not a URL at all
    }
    if (originHost === null || originHost !== request.host) {
      return 'Refused: the Origin of the change is not this server.'
    }
  }
  return null
}

/** Whether a request's path can be decoded; Next answers 500 to one that cannot. */
export function isReadablePath(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}
