import { describe, expect, it } from 'vitest'
import { printVerdicts } from '../../../scripts/labelled/judge-document'
import { noises, Planter, type Noise, type Planted } from './planted-experiments'

/**
 * What the judge promises, on machines and orders that have misled it, with noise that is not normal. The seeds are
 * fixed: a rate changes only if the judge does.
 */
const kinds = Object.keys(noises) as Noise[]
const maxFalse = 0.06

const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const isDecided = (verdict: string) => verdict === 'better' || verdict === 'worse'

/**
 * Share of groups (by default each experiment is one) in which a difference with the right sign, or any where there is
 * none, was found.
 */
function shareDecided(
  planted: readonly Planted[],
  groupOf: (one: Planted) => unknown = (one) => one,
  verdicts = printVerdicts(planted.map(({ experiment }) => experiment)),
): number {
  const seen = new Map<unknown, boolean>()
  planted.forEach((one, at) => {
    const { truth, direction } = one.truth
    const verdict = verdicts[at]?.verdict ?? ''
    const right = truth > 0 === (direction === 'lower') ? 'worse' : 'better'
    const counts = truth === 0 ? isDecided(verdict) : verdict === right
    seen.set(groupOf(one), (seen.get(groupOf(one)) ?? false) || counts)
  })
  return [...seen.values()].filter(Boolean).length / seen.size
}

describe.each(kinds)('with %s noise', (noise) => {
  it.each([2, 3, 4])('%i rounds in random order on an oscillating machine rarely show a false difference', (rounds) => {
    const planter = new Planter(noise, 100 + rounds)
    expect(shareDecided(times(200, () => planter.fewRounds(rounds)))).toBeLessThanOrEqual(maxFalse)
  })

  it('an experiment that is evaluated as it grows rarely shows a false difference', () => {
    const planter = new Planter(noise, 1)
    const planted = times(100, (seq) => planter.plannedSequence(seq)).flat()
    expect(shareDecided(planted, ({ truth }) => truth.seq)).toBeLessThanOrEqual(maxFalse)
  })

  it('10 % are found by the eighth round of 24 planned ones, at an alpha that eight signs cannot reach', () => {
    const planter = new Planter(noise, 2)
    const planted = times(50, (seq) => planter.plannedEffect(seq)).flat()
    expect(shareDecided(planted, ({ truth }) => truth.seq)).toBeGreaterThanOrEqual(0.9)
  })

  it('a family of metrics rarely shows any false difference', () => {
    const planter = new Planter(noise, 3)
    const planted = times(60, (fam) => planter.family(fam)).flat()
    expect(shareDecided(planted, ({ truth }) => truth.fam)).toBeLessThanOrEqual(maxFalse)
  })

  it('a promised number of rounds suffices in seven of ten cases', () => {
    const planter = new Planter(noise, 4)
    const planted = times(120, () => planter.promise())
    const verdicts = printVerdicts(planted.map(({ experiment }) => experiment))
    const promised = planted.flatMap(({ truth }, at) => {
      const { verdict, moreRounds } = verdicts[at] ?? expect.fail('a verdict expected')
      const later = moreRounds === null ? undefined : truth.later?.[moreRounds - 1]
      return verdict === 'undecided' && later ? later : []
    })
    const kept = printVerdicts(promised).filter(({ verdict }) => verdict !== 'undecided')
    expect(promised.length).toBeGreaterThan(40)
    expect(kept.length / promised.length).toBeGreaterThanOrEqual(0.7)
  })

  describe('in an order that was not randomised', () => {
    const nulls: readonly (readonly [string, (planter: Planter, isKnown: boolean) => Planted])[] = [
      ['what runs second is slower', (planter, isKnown) => planter.slowSecond(isKnown)],
      ['a machine swings along with rounds that are turned', (planter, isKnown) => planter.turned(isKnown)],
      ['a machine steps by 5 % between blocks', (planter, isKnown) => planter.blocks(0.05, isKnown)],
      ['a machine steps by 20 % between blocks', (planter, isKnown) => planter.blocks(0.2, isKnown)],
    ]
    it.each(nulls)('%s: its record bounds the verdict, without one there is none', (_, plant) => {
      const planter = new Planter(noise, 5)
      expect(shareDecided(times(60, () => plant(planter, true)))).toBeLessThanOrEqual(maxFalse)
      const unknown = times(30, () => plant(planter, false))
      const verdicts = printVerdicts(unknown.map(({ experiment }) => experiment))
      expect(shareDecided(unknown, undefined, verdicts)).toBe(0)
      expect(verdicts.every(({ warnings }) => warnings.includes('unproven'))).toBe(true)
    })

    it('a difference above its record is found', () => {
      const planter = new Planter(noise, 6)
      const shares = [
        times(20, () => planter.slowSecond(true, 0.25)),
        times(20, () => planter.turned(true, 0.05)),
        times(20, () => planter.blocks(0, true, 0.1)),
      ].map((planted) => shareDecided(planted))
      for (const share of shares) expect(share).toBeGreaterThanOrEqual(0.85)
    })
  })
})
