import { describe, expect, it } from 'vitest'
import { importFile } from '@/importers'
import { readReportRows } from '@/importers/lambda/report-rows'
import { joinRows } from '@/lib/join/client-server'
import type { JoinRows } from '@/lib/cube/join-rows'
import { randomOf } from '../explain/generated-pairs'
import { chunksOf } from '../cube/cube-of-text'

const startMs = 1_795_226_400_000
const idOf = (at: number): string => `${String(at).padStart(8, '0')}-74b9-413d-b32a-7e5190a5d05e`

/** Requests whose rate has two edges (of one, two offsets fit): a rest of 2 ms beside what the server needs. */
function requests(count: number, seed = 1) {
  const random = randomOf(seed)
  let at = 0
  return Array.from({ length: count }, (_, place) => {
    at += ([16, 4, 10][Math.floor((3 * place) / count)] ?? 16) * (0.5 + random())
    const serverMs = Number((5 * Math.exp(0.6 * random() * 3)).toFixed(2))
    return { at, serverMs, clientMs: serverMs + 2 }
  })
}

type Requests = ReturnType<typeof requests>

async function rowsOf(text: string): Promise<JoinRows> {
  const { beside } = await importFile(chunksOf(Buffer.from(text)), null, { table: true })
  const rows = beside?.[0]?.rows
  if (rows === undefined) throw new Error('it has rows')
  return rows
}

const csv = (all: Requests, headers: (at: number, serverMs: number) => string): string =>
  all
    .map(({ at, serverMs, clientMs }, place) => {
      const stamp = BigInt(startMs) * 1_000_000n + BigInt(Math.round(at * 1e3)) * 1_000n
      const block = headers(place, serverMs)
      const base64 = block === '' ? '' : Buffer.from(`${block}\r\n\r\n`).toString('base64')
      return `${stamp},200,${Math.round(clientMs * 1e6)},0,64,,,,${place},GET,http://shop.test/f,${base64}\n`
    })
    .join('')

const log = (all: Requests, offsetMs: number, digits: 10 | 23 | 19): string =>
  all
    .map(({ at, serverMs, clientMs }, place) => {
      const stamp = new Date(startMs + at + clientMs - 1 + offsetMs).toISOString().slice(0, digits)
      return `${stamp}${digits === 23 ? 'Z' : ''} REPORT RequestId: ${idOf(place)}\tDuration: ${serverMs.toFixed(2)} ms\tBilled Duration: ${Math.ceil(serverMs)} ms\tMemory Size: 512 MB\tMax Memory Used: 90 MB\t\n`
    })
    .join('')

const reports = (text: string) => readReportRows(chunksOf(Buffer.from(text)))

describe('client and server of the same requests', () => {
  it('by a number in the headers: total, else the sum of the parts', async () => {
    const all = requests(1_200)
    const text = csv(all, (at, ms) => (at < 30 ? '' : `Server-Timing: db;dur=${ms - 1}, app;dur=1`))
    expect(joinRows(await rowsOf(text), null)).toMatchObject({
      ...{ how: 'header-number', source: 'Server-Timing, sum of its parts', matched: 1_170, clientOnly: 30 },
      percentiles: [{ q: 0.5, restMs: expect.closeTo(2, 6) as number }, { q: 0.9 }, { q: 0.99 }],
    })
    const total = csv(all, (_, ms) => `Server-Timing: total;dur=${ms}, db;dur=1`)
    expect(joinRows(await rowsOf(total), null)).toMatchObject({ source: 'Server-Timing total', matched: 1_200 })
  })

  it('by request id, with what has no counterpart on both sides', async () => {
    const all = requests(900)
    // Two rows share an id, some have none in the log, and a report comes twice.
    const text = csv(all, (at) => `X-Amzn-Requestid: ${idOf(at === 11 ? 10 : at)}`)
    const lines = log(all, 0, 23).split('\n')
    const kept = [...lines.slice(40, -1), lines[60], `${lines[899]?.replace('00000899', '77000000')}`].join('\n')
    expect(joinRows(await rowsOf(text), await reports(kept))).toMatchObject({
      ...{ how: 'request-id', matched: 860, clientOnly: 40, serverOnly: 1, repeatedIds: 2, negativeRests: 0 },
      percentiles: [{ restMs: expect.closeTo(2, 6) as number }, {}, {}],
    })
  })

  it.each([
    ['fine stamps', 23, 0.2],
    ['whole seconds', 19, 1.5],
  ] as const)('by the clock alone, with %s', async (_, digits, widest) => {
    const all = requests(4_000)
    const join = joinRows(await rowsOf(csv(all, () => '')), await reports(log(all, -7_350, digits)))
    if (join.how !== 'clock') throw new Error(JSON.stringify(join))
    expect(join.offset.low).toBeLessThanOrEqual(-7.35)
    expect(join.offset.high).toBeGreaterThanOrEqual(-7.35)
    expect(join.offset.high - join.offset.low).toBeLessThan(widest)
  })

  it('refuses what has nothing in common, and what has no times', async () => {
    const client = await rowsOf(csv(requests(2_000, 1), () => ''))
    expect(joinRows(client, await reports(log(requests(2_000, 99), 3_000, 23))).how).toBe('refused')
    const timeless = log(requests(500), 0, 23).replace(/^\S+ /gm, '')
    expect(joinRows(client, await reports(timeless))).toMatchObject({ how: 'refused' })
    expect(joinRows(client, null)).toMatchObject({ how: 'refused' })
  })

  it('a server part above the latency is counted, and not cut', async () => {
    const text = csv(requests(300), (at, ms) => `X-Envoy-Upstream-Service-Time: ${at < 5 ? 900 : Math.floor(ms)}`)
    expect(joinRows(await rowsOf(text), null)).toMatchObject({ negativeRests: 5, matched: 300 })
  })
})
