import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate, isEvaluated } from '@/lib/experiment/boundary'
import { experimentOf, exitOf, type FinishedRound, type Plan } from '@/lib/experiment/experiment'
import { experimentWords } from '@/lib/experiment/experiment-words'
import { orderOf } from '@/lib/experiment/order'
import { smallestVisible } from '@/lib/experiment/visible'
import { caseCount } from '../../case-count'
import { planOf, playExperiment } from './played'

const failed: FinishedRound = { kind: 'void', reason: 'exit 1', runs: 2 }
/** A valid round in the order that was drawn, with head a factor of base and a little noise. */
const valid = (plan: Plan, index: number, factor = 1): FinishedRound => {
  const order = orderOf(plan.arms, plan.seed, index)
  const noise = (at: number) => 1 + 0.01 * Math.sin(5 * index + 3 * at)
  const values = order.map((arm, at) => [arm, 40 * noise(at) * (arm === 'head' ? factor : 1)])
  return { kind: 'valid', order, values: Object.fromEntries(values) as Record<string, number> }
}
const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const rounds = (plan: Plan, count: number, factor = 1) =>
  Array.from({ length: count }, (_, at) => valid(plan, at, factor))

describe('an experiment', () => {
  const plan = planOf()

  it('is evaluated after 6, 8, 10, … rounds and at the last', () => {
    const all = (max: number) => Array.from({ length: max }, (_, at) => at + 1).filter((n) => isEvaluated(n, max))
    expect(all(11)).toEqual([6, 8, 10, 11])
    expect(all(4)).toEqual([4])
  })

  it('repeats a void round in its own order', () => {
    for (let count = 0; count < 6; count += 1) {
      const before = experimentOf(plan, rounds(plan, count))
      const after = experimentOf(plan, [...rounds(plan, count), failed])
      if (before.kind === 'ended' || after.kind === 'ended') continue
      expect(after.next).toEqual(before.next)
    }
  })

  it('ends with three void rounds in a row, and keeps what it knew', () => {
    expect(experimentOf(plan, [failed, failed])).toMatchObject({ kind: 'running', voidRounds: 2, runs: 4 })
    const five = rounds(plan, 5, 1.1)
    const ended = experimentOf(plan, [...five, failed, failed, failed])
    expect(ended).toMatchObject({
      kind: 'ended',
      verdict: 'stopped',
      reason: 'void',
      rounds: 5,
      voidRounds: 3,
      runs: 16,
    })
    expect(ended.effect?.effectRatio).toBeCloseTo(0.1, 1)
    expect(experimentOf(plan, [failed, failed, valid(plan, 0), failed, failed])).toMatchObject({ kind: 'running' })
  })

  it('ends before a round that its budget does not hold', () => {
    const small = planOf({ maxRuns: 11 })
    expect(experimentOf(small, rounds(small, 4)).kind).toBe('running')
    expect(experimentOf(small, rounds(small, 5))).toMatchObject({ verdict: 'stopped', reason: 'budget', runs: 10 })
    const timed = (count: number) => rounds(plan, count).map((round) => ({ ...round, durationMs: 60_000 }))
    const short = planOf({ maxMs: 300_000 })
    expect(experimentOf(short, timed(4)).kind).toBe('running')
    expect(experimentOf(short, timed(5))).toMatchObject({ verdict: 'stopped', reason: 'budget' })
  })

  it.each([
    [1.2, 'lower-is-better', 'decided-worse', 1],
    [1.2, 'higher-is-better', 'decided-better', 0],
    [0.8, 'lower-is-better', 'decided-better', 0],
    [0.8, 'higher-is-better', 'decided-worse', 1],
    [1.001, 'lower-is-better', 'same', 0],
  ] as const)('calls head × %d, where %s, %s', (factor, direction, verdict, exit) => {
    const one = planOf({ direction })
    const ended = experimentOf(one, rounds(one, 8, factor))
    expect(ended).toMatchObject({ kind: 'ended', verdict })
    if (ended.kind === 'ended') expect(exitOf(ended, true)).toBe(exit)
  })

  it('says nothing of head where the control moved', () => {
    const three = planOf({ arms: ['base', 'head', 'control'] })
    const ended = playExperiment(three, { seed: 3, noise: 'normal', deviation: 0.01 }, { head: 0.2, control: 0.08 })
    expect(ended).toMatchObject({ verdict: 'unproven', reason: 'control', control: { hasMoved: true } })
    expect(exitOf(ended, false)).toBe(4)
  })

  it('gives up where the rounds that are left would hardly decide', () => {
    const ended = playExperiment(plan, { seed: 5, noise: 'normal', deviation: 0.2 }, { head: 0.02 })
    expect(ended).toMatchObject({ verdict: 'undecided', reason: 'cannot' })
    expect(ended.rounds).toBeLessThan(24)
    expect([exitOf(ended, false), exitOf(ended, true)]).toEqual([0, 3])
  })

  it('never has a verdict that its own interval contradicts', () => {
    const zone = Math.log1p(0.05)
    const double = (min: number, max: number) => fc.double({ min, max, noNaN: true })
    fc.assert(
      fc.property(double(-0.3, 0.3), double(1e-6, 0.1), fc.integer({ min: 6, max: 24 }), (log, error, n) => {
        const fit = {
          arms: new Map([['head', { log, error }]]),
          places: [],
          df: n - 2,
          pairDeviation: error,
          leftOut: [],
        }
        const seen = evaluate(fit, 'head', n, planOf())
        if (seen?.outcome === 'same') expect(Math.abs(log) + seen.half.same).toBeLessThanOrEqual(zone)
        if (seen?.outcome === 'different')
          expect(Math.abs(log)).toBeGreaterThan(Math.max(seen.half.different, zone - 1e-9))
      }),
      { numRuns: caseCount(300) },
    )
  })

  it('is not surer than the values are printed', () => {
    // Steps of 1/38: what is always printed as 3.8 may be 3.75 or 3.85.
    const printed = (factor: number) =>
      rounds(plan, 24).map((round): FinishedRound => {
        if (round.kind === 'void') return round
        return { ...round, values: { base: 3.8, head: 3.8 * factor }, grainRatio: 1 / 38 }
      })
    const same = experimentOf(plan, printed(1).slice(0, 6))
    expect(same).toMatchObject({ verdict: 'same', effect: { effectRatio: 0 } })
    expect(same.effect?.high).toBeCloseTo(Math.expm1(1 / 38), 4)
    const close = planOf({ smallestRatio: 0.02 })
    expect(experimentOf(close, printed(1).slice(0, 6)).kind).toBe('running')
    expect(experimentOf(close, printed(1).slice(0, 8))).toMatchObject({ verdict: 'undecided', roundsToDecide: null })
    expect(experimentOf(close, printed(1 + 1 / 38).slice(0, 8))).toMatchObject({ verdict: 'undecided' })
    expect(experimentOf(close, printed(1 + 3 / 38).slice(0, 6))).toMatchObject({ verdict: 'decided-worse' })
  })

  it('gives the same when it is resumed from any of its rounds', () => {
    const { finished, ...ended } = playExperiment(
      plan,
      { seed: 8, noise: 'skewed', deviation: 0.03, failing: 0.1 },
      { head: 0.08 },
    )
    expect(experimentOf(plan, finished)).toEqual(ended)
    for (let count = 0; count < finished.length; count += 1)
      expect(experimentOf(plan, finished.slice(0, count)).kind).toBe('running')
  })
})

it('shows a change of t(.975) + t(.8) errors', () => {
  // n = 12, 10 degrees of freedom: 2.2281 + 0.8791.
  expect(Math.log1p(smallestVisible(0.03, 12, 0.05))).toBeCloseTo(((2.2281 + 0.8791) * 0.03) / Math.sqrt(12), 5)
})

describe('the words of an experiment', () => {
  const said = (
    plan: Plan,
    finished: readonly FinishedRound[],
    voidReason: string | null = null,
    isFailing = false,
  ) => {
    const ended = experimentOf(plan, finished)
    if (ended.kind === 'running') throw new Error('it goes on')
    const { sentence, notes, word } = experimentWords(ended, plan, {
      metric: { shortLabel: 'p99', unit: 'ms' },
      roundMs: 60_000,
      voidReason,
      isFailing,
      doesLess: null,
    })
    return { word, sentence: spaced(sentence), notes: notes.map(spaced) }
  }

  it('say what was decided, when, and what it rests on', () => {
    const { word, sentence, notes } = said(planOf(), rounds(planOf(), 6, 1.2))
    expect(word).toBe('worse')
    expect(sentence).toMatch(
      /^p99 of head \+\d+ % \(\+\S+ % to \+\S+ %\), \d[\d.]* to \d[\d.]* ms, decided at round 6 of 24$/,
    )
    expect(notes[0]).toBe('6 of at most 24 rounds: 36 runs and about 18 min saved')
    expect(notes).toContain('Without a control arm, nothing is said about the set-up')
    expect(notes).toContain('False alarms over all evaluations: at most 5 % of experiments on identical code')
  })

  it('say that nothing that matters differs', () => {
    expect(said(planOf(), rounds(planOf(), 6)).sentence).toMatch(
      /^The same within 5 %: p99 of head \S+ % \(−\S+ % to \+\S+ %\), \d[\d.]* to \d[\d.]* ms$/,
    )
  })

  it('name why an experiment was stopped', () => {
    const voids = [...rounds(planOf(), 5), failed, failed, failed]
    expect(said(planOf(), voids, 'head: exit 1').sentence).toBe(
      'Stopped: three rounds in a row were void (head: exit 1); 5 finished rounds are stored',
    )
  })

  it('say what an undecided one would take', () => {
    const plan = planOf({ maxRounds: 6, smallestRatio: 0.001 })
    expect(said(plan, rounds(plan, 6)).sentence).toMatch(
      /^Not decided by 6 rounds: p99 of head .*; (about \d+ rounds would|200 more rounds would not decide it)$/,
    )
  })

  it('say that a head which fails is failing', () => {
    expect(said(planOf(), [failed, failed, failed], 'head: 9 of 10 requests failed', true)).toEqual({
      word: 'failing',
      sentence: 'Head fails, base does not, three rounds in a row: head: 9 of 10 requests failed',
      notes: ['0 of at most 24 rounds, 3 void'],
    })
  })
})
