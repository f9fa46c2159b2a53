import { describe, expect, it } from 'vitest'
import { importFile } from '@/importers'
import type { Warning } from '@/lib/run/run'

interface Row {
  readonly seq: number
  /** Since the start of the attack. */
  readonly atMs: number
  readonly latencyMs?: number
  readonly bytes?: number
  readonly code?: number
}

const epochNs = 1_795_226_400n * 1_000_000_000n
const nsOf = (ms: number) => BigInt(Math.round(ms * 1e6))

const forms = {
  csv: ({ seq, atMs, latencyMs = 5, bytes = 512, code = 200 }: Row) =>
    `${epochNs + nsOf(atMs)},${code},${nsOf(latencyMs)},0,${bytes},,,,${seq},GET,http://127.0.0.1/,\n`,
  json: ({ seq, atMs, latencyMs = 5, bytes = 512, code = 200 }: Row) => {
    const at = `${new Date(Number(epochNs / 1_000_000n) + Math.floor(atMs)).toISOString().slice(0, 23)}${String(Math.round((atMs % 1) * 1e6)).padStart(6, '0')}Z`
    return `{"attack":"","seq":${seq},"code":${code},"timestamp":"${at}","latency":${nsOf(latencyMs)},"bytes_out":0,"bytes_in":${bytes},"error":"","body":null,"method":"GET","url":"http://127.0.0.1/","headers":null}\n`
  },
}

async function warningsOf(text: string): Promise<readonly Warning[]> {
  async function* bytes() {
    yield await Promise.resolve(new TextEncoder().encode(text))
  }
  const { runs } = await importFile(bytes())
  expect(runs).toHaveLength(1)
  return runs[0]?.warnings ?? []
}

/** 2,000 requests, one every 5 ms. */
const steady: readonly Row[] = Array.from({ length: 2_000 }, (_, seq) => ({ seq, atMs: seq * 5 }))
const moved = (byMs: number) => steady.map((row) => (row.seq < 1_000 ? row : { ...row, atMs: row.atMs + byMs }))
/** As vegeta writes them: ordered by the end of each response. */
const byEnd = (rows: readonly Row[]) =>
  [...rows].sort((a, b) => a.atMs + (a.latencyMs ?? 5) - b.atMs - (b.latencyMs ?? 5))

describe.each(['csv', 'json'] as const)('rows of vegeta as %s', (form) => {
  const read = (rows: readonly Row[]) => warningsOf(rows.map(forms[form]).join(''))
  const codes = async (rows: readonly Row[]) => (await read(rows)).map(({ code }) => code)

  it('give no warning for a steady run, in any order of their rows', async () => {
    expect(await codes(steady)).toEqual([])
    expect(await codes([...steady].reverse())).toEqual([])
    const scattered = steady.map((row) => ({ ...row, latencyMs: 1 + ((row.seq * 7_919) % 4_000) }))
    expect(await codes(byEnd(scattered))).toEqual([])
    expect(await codes([...scattered].sort((a, b) => a.latencyMs - b.latencyMs))).toEqual([])
  })

  it('report a clock that went back, with the numbers of the requests', async () => {
    const [warning] = await read(moved(-2_500))
    expect(warning?.code).toBe('clock-jump')
    // One request later, its clock was 2.495 s earlier.
    expect(warning?.numbers?.['stepBackMs']).toBeCloseTo(2_495, 3)
    expect(await codes(moved(-900))).toEqual([])
  })

  it('report a clock that jumped ahead, or a machine that slept', async () => {
    const [warning] = await read(moved(90_000))
    expect(warning?.numbers?.['gapMs']).toBeCloseTo(90_005, 3)
    expect(warning?.numbers?.['usualMs']).toBeCloseTo(5, 1)
    expect(warning?.message).toContain('no request began for 1\u00a0min 30\u00a0s')
    expect(await codes(moved(4_000))).toEqual([])
    expect(await codes(moved(365 * 86_400_000))).toEqual(['clock-jump'])
  })

  it('accept a pause if a response took that long, or if requests are rare', async () => {
    const waiting = moved(20_000).map((row) => (row.seq === 999 ? { ...row, latencyMs: 19_990 } : row))
    expect(await codes(byEnd(waiting))).toEqual([])
    const rare = Array.from({ length: 60 }, (_, seq) => ({ seq, atMs: seq * 1_000 + (seq > 30 ? 20_000 : 0) }))
    expect(await codes(rare)).toEqual([])
  })

  it('recognise several attacks in one file, whose numbers repeat', async () => {
    const second = steady.map((row) => ({ ...row, atMs: row.atMs + 60_000 }))
    expect(await codes([...steady, ...second])).toEqual([])
    expect(await codes([...second, ...steady])).toEqual([])
    expect(await codes(steady.flatMap((row, at) => [row, second[at] ?? row]))).toEqual([])
  })

  it('say how many attacks there are only if all were counted', async () => {
    const of = (attacks: number) =>
      steady
        .slice(0, 2 * attacks)
        .map((row) => forms.json({ ...row, seq: Math.floor(row.seq / attacks) }))
        .map((line, at) => line.replace('"attack":""', `"attack":"a${at % attacks}"`))
        .join('')
    const messageOf = async (attacks: number) =>
      (await warningsOf(of(attacks))).find(({ code }) => code === 'several-attacks')?.message
    expect(await messageOf(2)).toMatch(/^Results of 2 attacks together: a0 \(2\), a1 \(2\)\. /)
    expect(await messageOf(64)).toMatch(/^Results of 64 attacks together: the first a0 \(2\), /)
    expect(await messageOf(90)).toMatch(/^Results of more than 64 attacks together: the first a0 \(2\), /)
  })

  it('count negative results separately, and a response of more than an hour', async () => {
    const warnings = await read(steady.map((row) => (row.seq % 1_000 === 7 ? { ...row, latencyMs: -3 } : row)))
    expect(warnings.map(({ code, numbers }) => ({ code, numbers }))).toEqual([
      { code: 'clock-jump', numbers: { belowZero: 2 } },
    ])
    const long = steady.map((row) => (row.seq === 7 ? { ...row, latencyMs: 3_700_000 } : row))
    expect((await read(long))[0]?.numbers).toEqual({ maxMs: 3_700_000 })
  })

  it('report responses whose size changes, but not sizes that scatter', async () => {
    const [warning] = await read(steady.map((row) => ({ ...row, bytes: row.seq < 1_000 ? 1_000 : 400 })))
    expect(warning).toMatchObject({ code: 'payload-changed', numbers: { firstBytes: 1_000, lastBytes: 400 } })
    const scattered = (count: number) =>
      steady.slice(0, count).map((row) => ({ ...row, bytes: 100 + ((row.seq * 7_919) % 9_000) }))
    for (const count of [30, 45, 300, 2_000]) expect(await codes(scattered(count))).toEqual([])
    // Two alternating addresses, and failures with their own length.
    const inTurns = steady.map((row) => ({ ...row, bytes: row.seq % 2 === 0 ? 100 : 5_000 }))
    expect(await codes(inTurns)).toEqual([])
    const failing = steady.map((row) => ({ ...row, ...(row.seq > 1_200 ? { code: 500, bytes: 20 } : {}) }))
    expect(await codes(failing)).toEqual([])
  })
})

describe('rows of hey', () => {
  const heading = 'response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n'
  const row = (offset: number, seconds = 0.005) =>
    `${seconds.toFixed(4)},0.0000,0.0000,0.0000,0.0039,0.0001,200,${offset.toFixed(4)}\n`
  const read = async (rows: readonly string[]) =>
    (await warningsOf(heading + rows.join(''))).filter(({ code }) => code !== 'responses-only')
  const steadyRows = Array.from({ length: 1_000 }, (_, at) => row(at * 0.01))

  it('report offsets that jump, and a negative one', async () => {
    expect(await read(steadyRows)).toEqual([])
    const jumping = Array.from({ length: 1_000 }, (_, at) => row(at * 0.01 + (at < 500 ? 0 : 60)))
    expect((await read(jumping))[0]?.numbers?.['gapMs']).toBeCloseTo(60_010, 3)
    expect((await read([...steadyRows, row(-0.5)]))[0]?.numbers).toEqual({ belowZero: 1 })
    expect((await read([...steadyRows, row(12, -0.5)]))[0]?.numbers).toEqual({ belowZero: 1 })
  })

  it('accept a pause if all requests wait for a response', async () => {
    const waiting = Array.from({ length: 1_000 }, (_, at) =>
      row(at * 0.01 + (at < 500 ? 0 : 12), at === 499 ? 11.9 : 0.005),
    )
    expect(await read(waiting)).toEqual([])
  })
})

describe('reports of vegeta', () => {
  const report = (change: Readonly<Record<string, unknown>>) =>
    JSON.stringify({
      latencies: { total: 5e9, mean: 5e6, '50th': 5e6, '90th': 6e6, '95th': 7e6, '99th': 8e6, max: 9e6, min: 1e6 },
      bytes_in: { total: 0, mean: 0 },
      bytes_out: { total: 0, mean: 0 },
      earliest: '2026-11-21T02:13:41.640753001Z',
      latest: '2026-11-21T02:13:51.621154153Z',
      end: '2026-11-21T02:13:51.623526762Z',
      duration: 9980401152,
      wait: 2372609,
      requests: 1000,
      rate: 100,
      throughput: 100,
      success: 1,
      status_codes: { '200': 1000 },
      errors: [],
      ...change,
    })

  it('report an end before the start, and a negative duration', async () => {
    expect(await warningsOf(report({}))).toEqual([])
    const ended = await warningsOf(report({ end: '2026-11-21T02:13:40.640753001Z' }))
    expect(ended).toMatchObject([{ code: 'clock-jump', numbers: { shortestMs: -1_000 } }])
    const [first] = await warningsOf(report({ duration: -9980401152 }))
    expect(first).toMatchObject({ code: 'clock-jump', numbers: { shortestMs: -9_980.401152 } })
  })
})
