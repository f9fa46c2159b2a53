import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { postWebhook } from '@/app/_server/alerts/post-webhook'
import { readSettings } from '@/app/_server/settings'
import { tryDelivery } from '@/app/_server/alerts/try-delivery'
import { isPublicAddress, type Lookup } from '@/app/_server/alerts/webhook-address'
import { parseCidrs } from '@/app/_server/webhook-policy'
import { testMessage } from '@/lib/rules/alert-message'

// The guard is judged by what arrives: a listener on every local address, and on names that resolve to it, must see no
// connection. Plain http and its port are allowed here, so that only the address check can refuse.

let port = 0
let connections = 0
const sinks: Server[] = []

async function listen(host: string, at: number): Promise<number> {
  const sink = createServer((socket) => {
    connections += 1
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  sink.listen({ port: at, host, ipv6Only: host.includes(':') })
  await once(sink, 'listening')
  sinks.push(sink)
  const address = sink.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

beforeAll(async () => {
  port = await listen('0.0.0.0', 0)
  await listen('::', port).catch(() => 0) // a machine without IPv6 has nothing to protect there
})
afterAll(() => sinks.forEach((sink) => sink.close()))

const policy = () => ({ allowHttp: true, ports: [80, 443, 8443, port], allowCidrs: [] })
const message = testMessage('x', {
  origin: 'http://localhost',
  project: { slug: 'x', name: 'x' },
  repositoryUrl: null,
  at: '2026-01-01',
})
const attempt = (target: string) =>
  tryDelivery(
    { projectId: 'x', kind: 'slack', target, secret: null, messageId: 'msg_x' },
    message,
    { webhooks: policy(), mail: null, secretKey: 'x'.repeat(32), dataFolder: '' },
    new Date(),
  )

// prettier-ignore
const hosts = [
  // loopback, in every spelling that a URL parser or a resolver accepts
  '127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '127.0.0.1.', '127.000.000.001', '2130706433', '017700000001',
  '0x7f000001', '0x7f.1', '0x7F.0.0.1', '0177.0.0.1', '0177.1', '0177.0x0.0.1', '127.0x1', '0x7f.0x0.0x0.0x1',
  '00000177.0.0.1', '0x0000007f.1', '１２７.0.0.1', '１２７．０．０．１', '127。0。0。1', '127｡0｡0｡1', '①②⑦.0.0.1',
  '𝟏𝟐𝟕.0.0.1', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', 'localhost', 'LOCALHOST', 'localhost.', 'ｌｏｃａｌｈｏｓｔ',
  'loc%61lhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'local\u00adhost', '2130706434', '127.2.3.4',
  // "this host"
  '0.0.0.0', '0', '0x0', '00', '0.0', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]', '[0000::0000]',
  // IPv6 loopback and IPv4 inside IPv6
  '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
  '[::FFFF:7F00:0001]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0.0.0.0]', '[::127.0.0.1]', '[::7f00:1]',
  '[::ffff:0:7f00:1]', '[::ffff:0:127.0.0.1]', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[::ffff:10.0.0.1]',
  '[::ffff:192.168.0.1]',
  // NAT64, 6to4, Teredo, ISATAP
  '[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::7f00:1]',
  '[64:ff9b:1:fffe::1]', '[2002:7f00:1::]', '[2002:7f00:1::1]', '[2002:a9fe:a9fe::]', '[2002:a00:1::]',
  '[2002:c0a8:1::1]', '[2001:0:7f00:1::]', '[2001::1]', '[2001:0:53aa:64c:0:0:80ff:fffe]', '[fe80::5efe:7f00:1]',
  '[2001:db8::1]', '[2001:10::1]', '[2001:20::1]', '[3fff::1]', '[100::1]', '[5f00::1]',
  // link-local, unique local, site-local, multicast
  '[fe80::1]', '[fe80::a9fe:a9fe]', '[febf::1]', '[fc00::1]', '[fd00::1]', '[fd00:ec2::254]', '[fd12:3456:789a::1]',
  '[fec0::1]', '[ff02::1]', '[ff05::1:3]', '[ff0e::1]',
  // cloud metadata, private networks, carrier-grade NAT, and the rest of IANA's list
  '169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.254.170.2', '169.254.0.1',
  '100.100.100.200', '168.63.129.16', '192.0.0.192', '100.64.0.1', '100.127.255.254', '10.0.0.1', '10.255.255.255',
  '10.1', '0xa000001', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.1.254', '3232235521', '192.168.257',
  '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1',
  '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff',
] as const

/** Not an address at all, or an address with something around it. */
// prettier-ignore
const odd = () => [
  `http://user@127.0.0.1:${port}/`, `http://user:pass@127.0.0.1:${port}/`, `http://example.com@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}@example.com:${port}/`, `http://example.com%00@127.0.0.1:${port}/`, `http://127.0.0.1:${port}#@example.com/`,
  `http://127.0.0.1:${port}?@example.com/`, `http://127.0.0.1:${port}\\@example.com/`, `http:\\\\127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}`, `http:///127.0.0.1:${port}/`, ` http://127.0.0.1:${port}/`, `http://127.0.0.1\t:${port}/`, `http://127.0.0.1\n:${port}/`,
  `hTTp://127.0.0.1:${port}/`, `//127.0.0.1:${port}/`, `127.0.0.1:${port}`, `ftp://127.0.0.1:${port}/`, `gopher://127.0.0.1:${port}/`,
  `file:///etc/passwd`, `data:text/plain,x`, `unix:/var/run/docker.sock`, `http+unix://%2fvar%2frun/`, `dict://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`, `blob:http://127.0.0.1:${port}/x`, `jar:http://127.0.0.1:${port}/`, 'http://127.0.0.1:22/', 'http://127.0.0.1:6379/',
  'http://127.0.0.1:0/', 'http://127.0.0.1:99999/', 'http://[fe80::1%25lo]/', 'http://[::1%25lo]/',
]

describe('webhooks reach public addresses only', () => {
  it('at least 120 spellings of forbidden addresses, 0 connections', async () => {
    const targets = [...hosts.map((host) => `http://${host}:${port}/`), ...odd()]
    expect(targets.length).toBeGreaterThanOrEqual(150)
    for (const target of targets) {
      expect(await attempt(target), target).toMatchObject({ kind: 'failed', statusCode: null })
    }
    expect(connections).toBe(0)
  })

  it('the same over https', async () => {
    for (const host of hosts) {
      expect(await attempt(`https://${host}:${port}/`), host).toMatchObject({ kind: 'failed', statusCode: null })
    }
    expect(connections).toBe(0)
  })

  it('the sink receives an allowed request: this test can fail', async () => {
    const before = connections
    const allowed = { ...policy(), allowCidrs: ['127.0.0.0/8'] }
    expect(await postWebhook({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', policy: allowed })).toBe(200)
    expect(connections).toBe(before + 1)
    connections = 0
  })

  it('a name with one forbidden address among public ones is refused, in any order', async () => {
    const answers = [
      '127.0.0.1',
      '::1',
      '10.0.0.1',
      '169.254.169.254',
      '64:ff9b::7f00:1',
      '::ffff:127.0.0.1',
      '::7f00:1',
    ]
    for (const forbidden of answers) {
      for (const list of [[forbidden], ['93.184.216.34', forbidden], [forbidden, '93.184.216.34']]) {
        const lookup: Lookup = () => Promise.resolve(list.map((address) => ({ address })))
        const post = { url: `http://hooks.example.com:${port}/`, headers: {}, body: '', policy: policy(), lookup }
        await expect(postWebhook(post), list.join()).rejects.toThrow('private or reserved')
      }
    }
    expect(connections).toBe(0)
  })

  it('a name that changes its address between check and connection is resolved once', async () => {
    const answers = ['192.0.2.255', '127.0.0.1', '127.0.0.1']
    const lookup = vi.fn<Lookup>(() => Promise.resolve([{ address: answers.shift() ?? '127.0.0.1' }]))
    // The first response is allowed here and leads nowhere: a client that resolves a second time reaches the sink.
    const allowed = { ...policy(), allowCidrs: ['192.0.2.255/32'] }
    const post = {
      url: `http://hooks.example.com:${port}/`,
      headers: {},
      body: '',
      policy: allowed,
      lookup,
      limitMs: 500,
    }
    await expect(postWebhook(post)).rejects.toThrow()
    expect(lookup).toHaveBeenCalledTimes(1)
    expect(connections).toBe(0)
  })

  it('no redirect is followed, wherever it leads', async () => {
    const redirect = createHttpServer((request, response) => {
      const status = Number(request.url?.slice(1))
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end()
    })
    redirect.listen(0, '127.0.0.2')
    await once(redirect, 'listening')
    const address = redirect.address()
    const at = typeof address === 'object' && address !== null ? address.port : 0
    const allowed = { allowHttp: true, ports: [at], allowCidrs: ['127.0.0.2/32'] }
    for (const status of [300, 301, 302, 303, 307, 308]) {
      const post = { url: `http://127.0.0.2:${at}/${status}`, headers: {}, body: '{}', policy: allowed }
      expect(await postWebhook(post)).toBe(status)
    }
    redirect.close()
    expect(connections).toBe(0)
  })

  it('public addresses are public, and nothing else is allowed unless the environment says so', () => {
    for (const address of [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.216.34',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00::1',
    ]) {
      expect(isPublicAddress(address), address).toBe(true)
    }
    expect(readSettings({}).webhooks).toEqual({ allowHttp: false, ports: [443, 80, 8443], allowCidrs: [] })
    expect(parseCidrs('10.1.2.0/24, fd00:1::/64')).toEqual(['10.1.2.0/24', 'fd00:1::/64'])
    for (const wrong of ['10.0.0.1', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', 'x/8', '10.0.0.0/8/8', '10.0.0.0/-1']) {
      expect(() => parseCidrs(wrong), wrong).toThrow('is not a network')
    }
  })
})
