import { expect, test } from 'vitest'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { judgeEvaluation } from '@/lib/rules/judge-evaluation'
import { versionOf } from '@/lib/run/judgement'
import type { LoadProfile } from '@/lib/history/series'
import { noisy, profileOf } from '../detect/sample-profile'

const judge = (profile: LoadProfile) =>
  judgeEvaluation(evaluateRules(profile, [], { rules: [], reference: [], at: '2027-06-01T00:00:00Z' }), [], [])
    .judgements

/** The newest 400 of this many runs, with what an earlier evaluation recorded for those it judged. */
function windowOf(whole: LoadProfile, runs: number, known: ReturnType<typeof judge>): LoadProfile {
  const points = whole.points.slice(0, runs).slice(-400)
  return {
    ...whole,
    points: points.map((point, at) => {
      const judgementBasis = known.get(point.runId)?.basis ?? (at < 365 ? versionOf() : null)
      return { ...point, judgementBasis }
    }),
  }
}

test.each([
  ['one level', noisy(Array<number>(420).fill(20), 0.02, 7)],
  [
    'a level that began within the window',
    noisy([...Array<number>(330).fill(20), ...Array<number>(90).fill(30)], 0.02, 8),
  ],
])('one more run, and the oldest out of range: only the new one is judged, of %s', (_, p99s) => {
  const whole = profileOf(p99s)
  let known = judge(windowOf(whole, 410, new Map()))
  expect(known.size).toBe(35)
  for (let runs = 411; runs <= 420; runs += 1) {
    const judged = judge(windowOf(whole, runs, known))
    expect([...judged.keys()]).toEqual([`run-${runs - 1}`])
    known = new Map([...known, ...judged])
  }
})
