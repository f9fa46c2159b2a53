import { settings } from '../settings'

/**
 * The origin for links in a response: with accounts, the address that people open; else, as the client addressed us,
 * `http://127.0.0.1:3000`. The request guard has let only loopback hosts through.
 */
export function requestOrigin(headers: Headers): string {
  const { hasAccounts, appUrl } = settings()
  return hasAccounts ? appUrl : `http://${headers.get('host') ?? '127.0.0.1:3000'}`
}
