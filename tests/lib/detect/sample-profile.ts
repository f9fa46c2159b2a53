import { figuresOf } from '@/lib/run/metrics'
import { profilesOf, type LoadProfile } from '@/lib/history/series'
import type { SeriesPoint } from '@/lib/history/stored-series'
import { sampleLatency, sampleRun } from '../../queries/samples'

/** The day of a run of `lineOf`. */
export const dayOf = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString()

/**
 * A profile whose runs have these p99s (ms), one run per day, each from a separate upload. Null: the run has no p99.
 */
export function profileOf(p99s: readonly (number | null)[], scenario = 'S'): LoadProfile {
  const points = p99s.map((ms, at): SeriesPoint => {
    const quantiles = ms === null ? [] : [{ q: 0.99, ms }]
    const run = sampleRun({ latencies: [sampleLatency({ meanMs: null, quantiles })] })
    return {
      runId: `run-${at}`,
      uploadId: `upload-${at}`,
      orderedAt: dayOf(at),
      tool: 'hey',
      load: { kind: 'observed' },
      labels: {},
      guards: [],
      judgementBasis: null,
      figures: { ...figuresOf(run), requests: 10_000, errorRatio: null },
    }
  })
  const series = { id: 's', projectId: 'p', projectSlug: 'demo', scenario, variant: null, environment: null }
  const [profile] = profilesOf({ ...series, points })
  if (profile === undefined) throw new Error('no load profile')
  return profile
}

/** Pseudorandom numbers from 0 to 1, the same each time (mulberry32). */
function* seeded(seed: number): Generator<number, never> {
  let state = seed >>> 0
  for (;;) {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Values around levels, each with the same relative noise (the sum of 12 uniform ones: nearly normal). */
export function noisy(levels: readonly number[], noise: number, seed: number): readonly number[] {
  const random = seeded(seed)
  return levels.map((level) => {
    let sum = -6
    for (let at = 0; at < 12; at += 1) sum += random.next().value
    return level * Math.exp(noise * sum)
  })
}
