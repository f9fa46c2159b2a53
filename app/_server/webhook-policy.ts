import { BlockList, isIP } from 'node:net'

/** What the server's operator lets webhooks reach; never set from the UI. */
export interface WebhookPolicy {
  /** Plain http as well. */
  readonly allowHttp: boolean
  readonly ports: readonly number[]
  /** Private networks that may be reached all the same, such as `10.1.2.0/24`. */
  readonly allowCidrs: readonly string[]
}

/** A list of CIDRs from the environment. Throws an Error that names the wrong one. */
export function parseCidrs(text: string): readonly string[] {
  const cidrs = text.split(/[\s,]+/).filter((part) => part !== '')
  for (const cidr of cidrs) blockOf(cidr)
  return cidrs
}

/** The network that a CIDR like `10.1.2.0/24` names. Throws an Error that names a wrong one. */
export function blockOf(cidr: string): BlockList {
  const [net = '', bits = '', ...rest] = cidr.split('/')
  const family = isIP(net)
  const size = /^\d{1,3}$/.test(bits) ? Number(bits) : NaN
  if (family === 0 || !(size <= (family === 4 ? 32 : 128)) || rest.length > 0) {
    throw new Error(`${cidr} is not a network; write it like 10.1.2.0/24 or fd00:1::/64.`)
  }
  const block = new BlockList()
  block.addSubnet(net, size, family === 4 ? 'ipv4' : 'ipv6')
  return block
}
