import { settings } from '../settings'

/**
 * The origin that links of a response begin with: with accounts the address that people open, else
 * `http://127.0.0.1:3000`, as the client addressed us. The request guard has let only loopback hosts through.
 */
export function requestOrigin(headers: Headers): string {
  const { hasAccounts, appUrl } = settings()
  return hasAccounts ? appUrl : `http://${headers.get('host') ?? '127.0.0.1:3000'}`
}
