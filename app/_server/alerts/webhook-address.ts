import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { InvalidInputError } from '@/lib/errors'
import { blockOf, type WebhookPolicy } from '../webhook-policy'

/** A checked address, and whether it is one of `allowCidrs`. */
export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
  readonly isPrivate: boolean
}

/** All addresses of a host. */
export type Lookup = (host: string) => Promise<readonly { readonly address: string }[]>

// IANA special-purpose registries, and addresses that clouds use in public space (Azure's 168.63.129.16).
const forbidden4 = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  forbidden4.addSubnet(net, bits, 'ipv4')
}

/** For IPv6, only global unicast may be reached: mapped, translated and local addresses are outside 2000::/3. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const forbidden6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  forbidden6.addSubnet(net, bits, 'ipv6')
}

/** Whether an IP literal (without brackets) is an address of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !forbidden4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !forbidden6.check(address, 'ipv6')
}

/** The URL of a webhook, parsed once. Throws InvalidInputError when its scheme, port or literal address is refused. */
export function parseWebhookUrl(text: string, policy: WebhookPolicy): URL {
  const refuse = (message: string, hint: string | null = null) =>
    new InvalidInputError(message, { field: 'target', hint })
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw refuse('This is not a URL.', 'Write it like https://hooks.example.com/alerts.')
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    throw refuse('The URL must begin with https://.', 'TAILBOARD_WEBHOOK_HTTP=1 allows http:// on this server.')
  }
  if (url.username !== '' || url.password !== '') throw refuse('A URL with a user name or password is refused.')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (!policy.ports.includes(port)) {
    throw refuse(`Port ${port} is refused.`, `Allowed here: ${policy.ports.join(', ')} (TAILBOARD_WEBHOOK_PORTS).`)
  }
  url.hash = ''
  const literal = bareHost(url)
  if (isIP(literal) !== 0) checkAddress(literal, policy)
  return url
}

/**
 * Resolves the host of a webhook and checks every address: a single non-public one refuses them all. Connect only to
 * the returned addresses; the name is not resolved again. Throws InvalidInputError, or the look-up's error.
 */
export async function checkedAddresses(
  url: URL,
  policy: WebhookPolicy,
  lookup: Lookup = systemAddresses,
): Promise<readonly CheckedAddress[]> {
  const host = bareHost(url)
  const found = isIP(host) !== 0 ? [{ address: host }] : await lookup(host)
  if (found.length === 0) throw new Error(`${host} has no address`)
  return found.map(({ address }) => checkAddress(address, policy))
}

const systemAddresses: Lookup = (host) => systemLookup(host, { all: true })

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

function checkAddress(address: string, policy: WebhookPolicy): CheckedAddress {
  const family = isIP(address) === 4 ? 4 : 6
  const isPrivate = policy.allowCidrs.some((cidr) => blockOf(cidr).check(address, family === 4 ? 'ipv4' : 'ipv6'))
  if (!isPrivate && !isPublicAddress(address)) {
    throw new InvalidInputError('The address is in a private or reserved network.', {
      field: 'target',
      hint: 'TAILBOARD_WEBHOOK_CIDRS lists the private networks that this server may send to.',
    })
  }
  return { address, family, isPrivate }
}
