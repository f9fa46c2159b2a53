import { isLoopbackName } from './settings'

/** The parts of a request that tell who sends it. Absent headers are undefined. */
export interface RequestOrigin {
  readonly method: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly secFetchSite: string | undefined
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The name in a Host header, without its port; null when it is none. */
function hostName(host: string | undefined): string | null {
  const match = /^(\[[0-9a-f:]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/i.exec(host ?? '')
  return match?.[1] ?? null
}

/**
 * Why a request is refused, as a sentence, or null. Without accounts, being on this machine is the only credential, so
 * two doors are closed: names that resolve here but belong to others (DNS rebinding), and pages of other sites that
 * make a browser send a mutation.
 */
export function refuseRequest(request: RequestOrigin): string | null {
  const name = hostName(request.host)
  if (name === null || !isLoopbackName(name)) {
    return 'Tailboard answers only to a loopback Host such as 127.0.0.1 or localhost.'
  }
  if (safeMethods.has(request.method)) return null
  if (request.secFetchSite !== undefined && !['same-origin', 'none'].includes(request.secFetchSite)) {
    return 'A change was refused: it was sent by a page of another site (Sec-Fetch-Site).'
  }
  if (request.origin !== undefined) {
    let originHost: string | null = null
    try {
      originHost = new URL(request.origin).host
    } catch {
      originHost = null // `null`, or not a URL at all
    }
    if (originHost === null || originHost !== request.host) {
      return 'A change was refused: its Origin is not this server.'
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
