import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../shared-servers'
import { fillAddress, hostileValues, listAddresses, parameters } from './addresses'

/**
 * `npm run test:hostile`: each value in each parameter separately; otherwise all parameters at once, with every twelfth
 * value per address.
 */
const isWhole = process.env['TAILBOARD_HOSTILE'] === 'all'
let app: SharedServer
/** A real value for each name of a dynamic part. */
const real = new Map<string, string>()

const json = async <T>(address: string, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await (await fetch(`${app.url}${address}`)).json())
const send = (method: string, address: string, body: string) =>
  fetch(`${app.url}${address}`, { method, body, headers: { 'content-type': 'application/json' } })
const idsIn = (name: string) => z.looseObject({ [name]: z.array(z.looseObject({ id: z.string() })) })
const firstId = async (address: string, name: string): Promise<string> => {
  const found = await json(address, idsIn(name))
  return z.array(z.looseObject({ id: z.string() })).parse(found[name])[0]?.id ?? 'none'
}

beforeAll(async () => {
  app = await shareServer('strict')
  const own = '/api/v1/projects/sweep'
  real.set('project', 'sweep')
  const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')
  expect((await send('PUT', `${own}/uploads?create=1`, document)).status).toBe(201)
  const { rows } = await json(
    `${own}/runs?limit=2`,
    z.object({ rows: z.array(z.looseObject({ id: z.string(), seriesId: z.string().nullable() })) }),
  )
  real.set('run', rows[0]?.id ?? '')
  real.set('series', rows[0]?.seriesId ?? '')
  real.set('refs', rows.map(({ id }) => id).join('...'))
  real.set('upload', await firstId(`${own}/uploads`, 'uploads'))
  const share = { name: 'Run', kind: 'run', sides: [[real.get('run')]], includeRaw: true, embeddable: true }
  const made = await (await send('POST', `${own}/shares`, JSON.stringify(share))).json()
  real.set('token', /\/s\/([\w-]+)/.exec(JSON.stringify(made))?.[1] ?? '')
  expect([...real.values()].every((value) => value !== '')).toBe(true)
})

const valueOf = (name: string) => real.get(name) ?? (name === 'file' ? 'comparison.md' : 'none')

/** Requests all, several at a time; returns those that failed on the server, or lack a content type. */
async function failuresOf(addresses: readonly string[]): Promise<readonly string[]> {
  const failures: string[] = []
  const left = [...addresses]
  const ask = async () => {
    for (let address = left.pop(); address !== undefined; address = left.pop()) {
      const response = await fetch(`${app.url}${address}`, { redirect: 'manual' })
      const { byteLength } = await response.arrayBuffer()
      const type = response.headers.get('content-type') ?? ''
      if (byteLength > 0 && !/^(?:image\/png|application\/|[^;]+; ?charset=[\w-]+$)/i.test(type))
        failures.push(`content type "${type}" ${address.slice(0, 300)}`)
      if (response.status >= 500) failures.push(`${response.status} ${address.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: 4 }, ask))
  return failures
}

describe('no address fails, whatever the request, and each says what it responds with', () => {
  const addresses = listAddresses()

  it('finds the addresses', () => {
    expect(addresses.length).toBeGreaterThan(60)
    expect(addresses).toContain('/p/[project]/runs/[run]')
  })

  it.each(addresses.map((address, at) => [address, at] as const))('%s', async (address, addressAt) => {
    const names = [...address.matchAll(/\[(?:\.\.\.)?([a-z]+)\]/g)].map(([, name]) => name ?? '')
    const values = hostileValues.filter((_, at) => isWhole || (at + addressAt) % 12 === 0)
    const asked = [fillAddress(address, valueOf)]
    for (const name of names)
      for (const value of values)
        if (value !== '') asked.push(fillAddress(address, (part) => (part === name ? value : valueOf(part))))
    for (const value of values.filter(({ length }) => isWhole || length < 100)) {
      const own = fillAddress(address, valueOf)
      asked.push(`${own}?${parameters.map((name) => `${name}=${value}`).join('&')}`)
      if (isWhole) for (const name of parameters) asked.push(`${own}?${name}=${value}&${name}=${value}`)
    }
    expect(await failuresOf(asked)).toEqual([])
  })

  it('refuses an address of more than 8,000 characters with 414', async () => {
    for (const length of [7_000, 8_100, 15_000])
      expect((await fetch(`${app.url}/?q=${'a'.repeat(length)}`)).status).toBe(length > 8_000 ? 414 : 200)
  })
})

describe('no body fails', () => {
  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
  const bodies: readonly string[] = [
    nested(17, '[', ']'),
    nested(500_000, '[', ']'),
    nested(150_000, '{"a":', '}').replace(':}', ':1}'),
    '['.repeat(1_000_000),
    `{"name":${nested(100_000, '[', ']')}}`,
    '{"__proto__":{"x":1}}',
    '"\\ud800"',
    '1e999999',
    '{"name":"\\u0000\\u001b\\ud800\\ufffe"}',
    'null',
    '',
  ]

  it.each([
    'projects',
    'projects/P/annotations',
    'projects/P/rules',
    'projects/P/shares',
    'projects/P/comparisons',
    'projects/P/runs/bulk',
    'projects/P/channels',
  ])('POST %s', async (name) => {
    for (const body of bodies) {
      const { status } = await send('POST', `/api/v1/${name.replace('P', valueOf('project'))}`, body)
      expect([body.slice(0, 40), status < 500]).toEqual([body.slice(0, 40), true])
    }
  })

  it('an annotation in year 0 is refused, one in year 1 is stored', async () => {
    const annotate = async (at: string) =>
      (
        await send(
          'POST',
          `/api/v1/projects/${valueOf('project')}/annotations`,
          JSON.stringify({ text: 'deploy', kind: 'deploy', at }),
        )
      ).status
    expect(await annotate('0000-01-01T00:00:00Z')).toBe(400)
    expect(await annotate('9999-12-31T23:59:59Z')).toBe(400)
    expect(await annotate('0001-01-01T00:00:00Z')).toBe(201)
  })
})

describe('a share says any text', () => {
  /** C0, C1, noncharacters, and halves of surrogate pairs. */
  const codes = [
    ...Array.from({ length: 32 }, (_, code) => code),
    ...Array.from({ length: 33 }, (_, at) => 0x7f + at),
    ...[0x2028, 0x2029, 0x202e, 0xd800, 0xdc00, 0xfdd0, 0xfeff, 0xfffe, 0xffff],
  ]

  // One text with some of them; `npm run test:hostile`: each by itself.
  const texts = isWhole ? codes.map((code) => [code]) : [[0, 8, 11, 27, 0x7f, 0x85, 0xd800, 0xfffe]]
  it.each(texts.map((own) => [own.map((code) => `U+${code.toString(16)}`).join(' '), own] as const))(
    '%s',
    async (_, codesOfText) => {
      const odd = codesOfText.map((code) => `a${String.fromCharCode(code)}b`).join('')
      const own = `/api/v1/projects/${valueOf('project')}`
      const run = valueOf('run')
      const edits = { scenario: odd, variant: odd, environment: odd, labels: { [odd]: odd }, notes: odd }
      expect((await send('PATCH', `${own}/runs/${run}`, JSON.stringify(edits))).status).toBeLessThan(500)
      const share = { name: odd, kind: 'run', sides: [[run]], notes: odd, includeRaw: true, embeddable: true }
      const made = await send('POST', `${own}/shares`, JSON.stringify(share))
      expect(made.status).toBe(201)
      const token = /\/s\/([\w-]+)/.exec(await made.text())?.[1] ?? ''
      const files = [
        '',
        '/embed',
        '/chart.svg',
        '/chart.png',
        '/preview.png',
        '/table.md',
        '/data.csv',
        '/data.json',
        '/comparison.html',
        '/comparison.md',
        '/embed?theme=dark',
      ]
      expect(await failuresOf(files.map((file) => `/s/${token}${file}`))).toEqual([])
      expect(await failuresOf([`/p/${valueOf('project')}/runs/${run}`, `/p/${valueOf('project')}/shares`])).toEqual([])
    },
  )
})
