import { describe, expect, it } from 'vitest'
import type { Instrument } from '@/lib/instrument/instrument'
import { failsBuild, judgeForBuild, type GateVerdict } from '@/lib/gate/gate'
import { gateSentence, gateText } from '@/lib/gate/gate-words'
import { refusedThreshold } from '@/lib/gate/refused-threshold'
import type { ReferenceRun } from '@/lib/rules/rule-events'
import { findMetric } from '@/lib/run/metrics'
import { profileOf } from '../detect/sample-profile'
import { sampleRule } from '../rules/sample-rule'

const p99 = findMetric('p99')
if (p99 === null) throw new Error('no p99')

/** Two runs of one code differ by 4 %, as one deviation. */
const instrument: Instrument = {
  ...{ environment: 'ci', controls: 12, repeats: 0, newestAt: null, isCertified: true },
  falseAlarms: { count: 0, total: 12, low: 0, high: 0.26, isFit: true },
  metrics: [
    { ...{ metric: p99, deviation: 0.04, df: 96, place: null, visible: [] }, mattersRatio: 0.05, roundsToShow: 7 },
  ],
}
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

function judge(p99s: readonly number[], known: Instrument | null, leastEffectRatio = 0.02): GateVerdict {
  const made = profileOf(p99s)
  const profile = { ...made, series: { ...made.series, environment: 'ci' } }
  const [first] = profile.points
  if (first === undefined) throw new Error('no run')
  const own = { runId: 'run-0', scenario: 'S', environment: 'ci', isMarked: false }
  const reference: readonly ReferenceRun[] = [{ ...own, profile: profile.name, figures: first.figures }]
  const settings = { kind: 'baseline', metricIds: ['p99'], direction: 'worse', confirmRuns: 1 } as const
  return judgeForBuild({
    ...{ wait: 1, at: '2026-11-21T00:00:00.000Z', judgements: new Map(), raised: new Set(), openAlerts: [] },
    ...{ problem: null, reference, rules: [sampleRule({ ...settings, leastEffectRatio, runIds: ['run-0'] })] },
    profiles: [{ profile, runIds: new Set([profile.points.at(-1)?.runId ?? '']) }],
    ...(known === null ? {} : { instruments: new Map([['ci', known]]) }),
  })
}

describe('a threshold below what an environment shows', () => {
  it('is refused by name, and what it shows is held instead', () => {
    const verdict = judge([100, 105], instrument)
    expect(verdict.result).toBe('passed')
    expect(verdict.rows.map((row) => [row.verdict, row.excuse, failsBuild(row)])).toEqual([
      ['worse', 'instrument', false],
    ])
    expect(plain(gateSentence(verdict))).toBe(
      'Passed: of 1 check 1 would have failed, but are excused. A threshold of 2 % for p99 is refused: 1 run on ci shows 12 %, which is held instead.',
    )
    expect(gateText(verdict)).toContain('worse, but below what ci shows')
  })

  it('still fails what is beyond what it shows, and says so', () => {
    const verdict = judge([100, 130], instrument)
    expect(verdict.result).toBe('failed')
    expect(gateSentence(verdict)).toContain('is refused')
  })

  it('is refused when nothing is worse as well; one that is shown is held', () => {
    expect(gateSentence(judge([100, 101], instrument))).toContain('is refused')
    expect(gateSentence(judge([100, 101], instrument, 0.2))).not.toContain('refused')
    expect(judge([100, 125], instrument, 0.2).result).toBe('failed')
  })

  it('holds as before where nothing is certified', () => {
    for (const known of [null, { ...instrument, isCertified: false }, { ...instrument, metrics: [] }]) {
      const verdict = judge([100, 105], known)
      expect([verdict.result, gateSentence(verdict).includes('refused')]).toEqual(['failed', false])
    }
  })

  it('shrinks with the runs of both sides', () => {
    const heldBy = (runs: number, against: number) =>
      refusedThreshold(instrument, { metric: p99, askedRatio: 0.001, runs, against })?.heldRatio ?? 0
    expect(heldBy(1, 1)).toBeCloseTo(0.12, 2)
    expect(heldBy(4, 4)).toBeCloseTo(0.058, 2)
    expect(heldBy(4, Infinity)).toBeLessThan(heldBy(4, 4))
    expect(refusedThreshold(instrument, { metric: p99, askedRatio: 0.001, runs: 0, against: 1 })).toBeNull()
  })
})
