import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { windowSentence } from '@/components/compare/delta-words'
import { viewOf } from '@/components/compare/compare-view-state'
import { ComparisonView } from '@/components/compare/comparison-view'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { comparisonCsv, comparisonJson, wordTable } from '@/components/shared/comparison-files'
import type { ImportedRun, RunWarmUp } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'
import { runsOf } from '../read-fixture'
import { storedRun } from '../stored-runs'

vi.mock('next/navigation', async (original) => ({ ...(await original<object>()), useRouter: () => ({}) }))

const rounds = 8
const [base, head] = [0, 1]

interface Wanted {
  readonly requests?: number
  readonly warmUpOf?: (known: RunWarmUp, side: number) => RunWarmUp | null
}

/** Two sides whose whole runs are the same, while the second is 30 % slower once it is warm. */
async function sidesOf({ requests = 20_000, warmUpOf = (known) => known }: Wanted = {}) {
  const [run] = await runsOf({ fixture: 'vegeta-csv/warm-up.csv' })
  const timeline = run?.timeline
  const steady = timeline?.warmUp?.steady
  if (!run || !timeline || !steady) throw new Error('a run with a steady part expected')
  const side = (of: number) =>
    Array.from({ length: rounds }, (_, round): StoredRun => {
      const factor = (of === head ? 1.3 : 1) * (1 + 0.004 * ((round * 7 + of * 3) % 5))
      const part = { ...steady, requests, servedPerSecond: 40, meanMs: 10 * factor, p50Ms: 9 * factor }
      const warmUp = { endMs: 4_200, isSteady: true, steady: { ...part, p99Ms: 20 * factor } }
      const imported: ImportedRun = { ...run, timeline: { ...timeline, warmUp: warmUpOf(warmUp, of) } }
      const stored = storedRun(imported, round)
      // In random order.
      const isSecond = (of === head) === [1, 2, 4, 7].includes(round)
      const startedAt = new Date(Date.UTC(2026, 10, 21, round, isSecond ? 20 : 0)).toISOString()
      const labels = { round: String(round + 1) }
      // 200 requests are few for a tail; the behaviour tested here starts after such guards.
      const guards = stored.guards.filter(({ code }) => code === 'few-for-tail')
      return { ...stored, id: `${of}-${round}`, variant: ['a', 'b'][of] ?? null, startedAt, labels, guards }
    })
  return [side(base), side(head)]
}

async function prepared(query: string, wanted: Wanted = {}) {
  const found = prepareComparison(await sidesOf(wanted), viewOf(query), () => null)
  if (!found) throw new Error('a comparison expected')
  return found
}

const rowOf = ({ comparison }: Awaited<ReturnType<typeof prepared>>, id: string) =>
  comparison.rows.find(({ metric }) => metric.id === id)
const page = (comparison: Awaited<ReturnType<typeof prepared>>) =>
  renderToStaticMarkup(createElement(ComparisonView, { projectSlug: 'p', prepared: comparison, limits: [] }))

it('judges whole runs unless the address says otherwise', async () => {
  const whole = await prepared('m=p50,mean')
  expect(whole.hasSteady).toBe(true)
  expect(rowOf(whole, 'mean')?.metric.label).not.toContain('warm-up')
  expect(rowOf(whole, 'mean')?.deltas[0]?.verdict).not.toBe('worse')
  expect(page(whole)).toContain('href="?m=p50,mean&amp;window=steady"')
})

it('judges the part after the warm-up, and says so in every heading, sentence and file', async () => {
  const steady = await prepared('m=p99,p50,mean,throughput,requests,p999&window=steady')
  const mean = rowOf(steady, 'mean')
  expect(mean?.metric.shortLabel).toBe('Mean after warm-up')
  expect(mean?.baseValue).toBeCloseTo(10.08, 2)
  expect(mean?.deltas[0]?.verdict).toBe('worse')
  expect(mean?.deltas[0]?.changeRatio).toBeCloseTo(0.3, 1)
  expect(rowOf(steady, 'p99')?.deltas[0]?.verdict).toBe('worse')
  expect(rowOf(steady, 'throughput')?.baseValue).toBe(40)
  // Counts are of whole runs.
  expect(rowOf(steady, 'requests')?.metric.label).not.toContain('warm-up')
  expect(rowOf(steady, 'requests')?.baseValue).toBe(200)
  expect(steady.comparison.sentence).toMatch(/^p99 after warm-up is 3\d\s% higher/)
  expect(steady.sides[0][0].figures.meanMs).toBeCloseTo(15.668, 3)

  const labels = wordTable(steady).rows.map(([label]) => label)
  expect(labels).toContain('p99 after warm-up, ms')
  expect(labels).toContain('Throughput after warm-up, /s')
  expect(comparisonCsv(steady)).toContain('p99-after-warm-up,ms')
  expect(comparisonJson(steady)).toContain('"metric": "mean-after-warm-up"')
  const html = page(steady)
  expect(html).toContain('p99 after warm-up')
  expect(html).toContain('plots are of whole runs')
  expect(windowSentence(steady.comparison)).toContain('percentiles within 1.6 %')
  expect(windowSentence((await prepared('m=p99')).comparison)).toBeNull()
})

it('gives no verdict on a percentile for which the steady part has too few requests', async () => {
  const steady = await prepared('m=p99,p50&window=steady', { requests: 500 })
  expect(rowOf(steady, 'p99')?.deltas[0]).toMatchObject({ verdict: 'undecided', reason: expect.any(String) })
  expect(rowOf(steady, 'p50')?.deltas[0]?.verdict).toBe('worse')
})

it('uses an always steady run as it is, and offers nothing if no run warmed up', async () => {
  const always = { endMs: 0, isSteady: true, steady: null }
  const mixed = await prepared('m=mean&window=steady', { warmUpOf: (known, of) => (of === base ? always : known) })
  expect(rowOf(mixed, 'mean')?.baseValue).toBeCloseTo(15.668, 3)
  expect(rowOf(mixed, 'mean')?.deltas[0]?.value).toBeCloseTo(13.1, 1)

  const none = await prepared('m=mean&window=steady', { warmUpOf: () => always })
  expect(none.hasSteady).toBeNull()
  expect(rowOf(none, 'mean')?.metric.label).not.toContain('warm-up')
  expect(page(none)).not.toMatch(/warm-up/i)
})

it('judges whole runs, with the reason, if a run never became steady or is older', async () => {
  for (const other of [{ endMs: null, isSteady: false, steady: null }, null]) {
    const barred = await prepared('m=mean&window=steady', { warmUpOf: (known, of) => (of === base ? other : known) })
    expect(barred.hasSteady).toBe(false)
    expect(rowOf(barred, 'mean')?.metric.label).not.toContain('warm-up')
    expect(page(barred)).toContain('not every run has a part after its warm-up')
    expect(page(barred)).not.toContain('After warm-up')
  }
})
