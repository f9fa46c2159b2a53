import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { experimentSchema, printVerdicts } from '../../../scripts/labelled/judge-document'
import { alphaOf, judgeExperiment, type Experiment } from '@/lib/judge/experiment'
import { caseCount } from '../../case-count'

/** Experiments with drift, outliers, trends and blocks, and the results of an independent program (NumPy, SciPy). */
const cases = z
  .array(
    z.object({
      experiment: experimentSchema,
      expected: z.object({
        id: z.string(),
        verdict: z.string(),
        effect: z.number().nullable(),
        low: z.number().nullable(),
        high: z.number().nullable(),
        p: z.number().nullable(),
        method: z.string(),
        warnings: z.array(z.string()),
        moreRounds: z.number().nullable(),
      }),
    }),
  )
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../../fixtures/statistics/experiments.json'), 'utf8')))

const printed = printVerdicts(cases.map(({ experiment }) => experiment))

describe('verdicts compared with an independent program', () => {
  it.each(cases.map(({ expected }, at) => [expected.id, expected, printed[at]] as const))(
    '%s',
    (_, expected, found) => {
      if (!found) throw new Error('a verdict expected')
      const { verdict, method, warnings, moreRounds } = expected
      expect(found).toMatchObject({ verdict, method, moreRounds })
      expect(found.warnings.toSorted()).toEqual(warnings.toSorted())
      for (const key of ['effect', 'low', 'high', 'p'] as const) {
        const [want, got] = [expected[key], found[key]]
        if (want === null) expect(got, key).toBeNull()
        else expect(got, key).toBeCloseTo(want, 6)
      }
    },
  )
})

const logNormal = fc.double({ min: 0.5, max: 500, noNaN: true })

function experimentOf(pairs: readonly (readonly [base: number, head: number])[]): Experiment {
  const runs = pairs.flatMap(([base, head], round) =>
    (
      [
        ['base', base],
        ['head', head],
      ] as const
    ).map(([side, value], at) => ({
      side,
      value,
      startS: 100 * round + (round % 3 === 0 ? 10 * at : 10 * (1 - at)),
      round: String(round),
      load: {},
      isValid: true,
    })),
  )
  return {
    direction: 'lower-is-better',
    smallestRatio: 0.02,
    alpha: 0.05,
    history: null,
    plan: null,
    instrument: null,
    resolution: null,
    runs,
  }
}

const swapped = (experiment: Experiment): Experiment => ({
  ...experiment,
  runs: experiment.runs.map((run) => ({ ...run, side: run.side === 'base' ? 'head' : 'base' })),
})

describe('judgeExperiment', () => {
  const pairs = fc.array(fc.tuple(logNormal, logNormal), { minLength: 2, maxLength: 12 })

  it('reverses for swapped sides', () => {
    fc.assert(
      fc.property(pairs, (values) => {
        const one = judgeExperiment(experimentOf(values))
        const other = judgeExperiment(swapped(experimentOf(values)))
        expect(other.p).toBeCloseTo(one.p ?? -1, 9)
        expect((1 + (other.effectRatio ?? 0)) * (1 + (one.effectRatio ?? 0))).toBeCloseTo(1, 9)
        const reverse = { better: 'worse', worse: 'better', same: 'same', undecided: 'undecided' } as const
        expect(other.verdict).toBe(reverse[one.verdict])
      }),
      { numRuns: caseCount(60) },
    )
  })

  it('does not depend on the unit', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(0.001, 1_000), (values, factor) => {
        const one = judgeExperiment(experimentOf(values))
        const other = judgeExperiment(experimentOf(values.map(([base, head]) => [base * factor, head * factor])))
        expect(other.verdict).toBe(one.verdict)
        expect(other.effectRatio).toBeCloseTo(one.effectRatio ?? -1, 9)
      }),
      { numRuns: caseCount(60) },
    )
  })

  it('shows an interval that agrees with the verdict', () => {
    fc.assert(
      fc.property(pairs, (values) => {
        const { verdict, lowRatio, highRatio } = judgeExperiment(experimentOf(values))
        if (lowRatio === null || highRatio === null) return
        expect(lowRatio).toBeLessThanOrEqual(highRatio)
        if (verdict === 'worse') expect(lowRatio).toBeGreaterThan(0)
        if (verdict === 'better') expect(highRatio).toBeLessThan(0)
        if (verdict === 'undecided') expect(lowRatio <= 0 && highRatio >= 0).toBe(true)
      }),
      { numRuns: caseCount(60) },
    )
  })

  it('has no verdict on one run per side without history', () => {
    const { verdict, effectRatio, warnings } = judgeExperiment(experimentOf([[100, 150]]))
    expect(verdict).toBe('undecided')
    expect(effectRatio).toBeCloseTo(0.5, 12)
    expect(warnings).toContain('too-few')
  })

  it('shows an effect of 5 % in 8 calm rounds, and equality if there is none', () => {
    const calm = [100, 100.4, 99.7, 100.2, 99.9, 100.1, 99.6, 100.3]
    const slower = calm.map((value, at) => [value, value * 1.05 * (1 + (at % 3) / 1_000)] as const)
    expect(judgeExperiment(experimentOf(slower)).verdict).toBe('worse')
    const same = calm.map((value, at) => [value, value * (1 + ((at % 3) - 1) / 1_000)] as const)
    expect(judgeExperiment(experimentOf(same)).verdict).toBe('same')
  })
})

describe('alphaOf', () => {
  it('spends little before the planned end, half at a first unplanned evaluation', () => {
    expect(alphaOf(0.05, null, 3)).toBe(0.05)
    expect(alphaOf(0.05, { rounds: 14, evaluation: 1 }, 14)).toBe(0.05)
    expect(alphaOf(0.05, { rounds: 14, evaluation: 3 }, 14)).toBeCloseTo(0.03, 12)
    expect(alphaOf(0.05, { rounds: 14, evaluation: 1 }, 8)).toBeCloseTo(0.005, 12)
    expect(alphaOf(0.05, { rounds: null, evaluation: 1 }, 8)).toBeCloseTo(0.025, 12)
    expect(alphaOf(0.05, { rounds: null, evaluation: 2 }, 9)).toBeCloseTo(0.005, 12)
  })
})
