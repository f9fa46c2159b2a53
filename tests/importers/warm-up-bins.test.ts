import { describe, expect, it } from 'vitest'
import { importFile } from '@/importers'
import { importedRunSchema } from '@/lib/run/imported-run-schema'
import type { ImportedRun } from '@/lib/run/run'

interface Row {
  readonly atMs: number
  readonly latencyMs: number
  readonly code?: number
}

const epochNs = 1_795_226_400n * 1_000_000_000n
const nsOf = (ms: number) => BigInt(Math.round(ms * 1e6))
const line = ({ atMs, latencyMs, code = 200 }: Row, seq: number) =>
  `${epochNs + nsOf(atMs)},${code},${nsOf(latencyMs)},0,512,,,,${seq},GET,http://127.0.0.1/,\n`

async function runOf(rows: readonly Row[]): Promise<ImportedRun> {
  async function* bytes() {
    yield await Promise.resolve(new TextEncoder().encode(rows.map(line).join('')))
  }
  const [run] = (await importFile(bytes())).runs
  if (!run) throw new Error('no run')
  return run
}

/** `count` requests over a minute, around `level` ms with a scatter of ± 20 %; one in 50 fails. */
const minute = (count: number, level: (share: number) => number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => ({
    atMs: 250 + (at * 60_000) / count,
    latencyMs: level(at / count) * (1 + 0.2 * Math.sin(at * 12.9898) * Math.cos(at * 78.233)),
    ...(at % 50 === 7 ? { code: 500 } : {}),
  }))

describe('the warm-up of raw results', () => {
  // The larger has more results than are kept individually, so its timeline decides.
  it.each([2_400, 60_000])('ends where the latencies of %i requests settle', async (count) => {
    const rows = minute(count, (share) => (share < 0.2 ? 30 : 10))
    const warmUp = (await runOf(rows)).timeline?.warmUp
    expect(warmUp?.isSteady).toBe(true)
    expect(Math.abs((warmUp?.endMs ?? 0) - 12_000)).toBeLessThan(650)

    // From the next whole second on: the first request started 250 ms after one.
    const fromMs = Math.ceil(((warmUp?.endMs ?? 0) + 250) / 1_000) * 1_000
    const later = rows.filter(({ atMs }) => atMs >= fromMs)
    const sorted = later.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
    const rank = (q: number) => sorted[Math.ceil(q * sorted.length) - 1] ?? 0
    const endMs = Math.max(...rows.map(({ atMs, latencyMs }) => atMs + latencyMs))
    const { steady } = warmUp ?? {}
    expect(steady?.fromMs).toBeCloseTo(fromMs - 250, 6)
    expect(steady).toMatchObject({
      requests: later.length,
      errors: later.filter(({ code }) => code === 500).length,
    })
    const served = later.filter(({ code }) => code !== 500).length
    expect(steady?.servedPerSecond).toBeCloseTo(served / ((endMs - fromMs) / 1_000), 3)
    expect(steady?.meanMs).toBeCloseTo(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length, 5)
    for (const [q, found] of [
      [0.5, steady?.p50Ms],
      [0.9, steady?.p90Ms],
      [0.95, steady?.p95Ms],
      [0.99, steady?.p99Ms],
      [1, steady?.maxMs],
    ] as const)
      expect(Math.abs((found ?? 0) / rank(q) - 1)).toBeLessThan(0.017)
  })

  it('ends where the latencies settle in a run too short for its timeline and with too many results to keep', async () => {
    const rows = minute(12_000, (share) => (share < 0.2 ? 30 : 10)).map((row) => ({ ...row, atMs: row.atMs / 5 }))
    const warmUp = (await runOf(rows)).timeline?.warmUp
    expect(Math.abs((warmUp?.endMs ?? 0) - 2_400)).toBeLessThan(260)
  })

  it('is 0 for a steady run, without a second set of figures, and never ends in one that changes until its end', async () => {
    const steady = await runOf(minute(3_000, () => 10))
    expect(steady.timeline?.warmUp).toEqual({ endMs: 0, isSteady: true, steady: null })
    const moving = await runOf(minute(3_000, (share) => 10 + 30 * share))
    expect(moving.timeline?.warmUp).toEqual({ endMs: null, isSteady: false, steady: null })
  })

  it('is not evaluated if fewer than 100 requests succeeded', async () => {
    expect((await runOf(minute(100, () => 10))).timeline?.warmUp).toBeNull()
    const failed = minute(3_000, (share) => (share < 0.2 ? 30 : 10)).map((row) => ({ ...row, code: 503 }))
    expect((await runOf(failed)).timeline?.warmUp).toBeNull()
  })

  it('is null in a run that was stored before', async () => {
    const run = await runOf(minute(3_000, () => 10))
    const { warmUp: _, ...timeline } = run.timeline ?? { warmUp: null }
    expect(importedRunSchema.parse({ ...run, timeline }).timeline?.warmUp).toBeNull()
    expect(importedRunSchema.parse(run)).toEqual(run)
  })
})
