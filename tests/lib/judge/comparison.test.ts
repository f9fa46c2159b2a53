import { runGuards } from '@/lib/judge/run-guards'
import type { RunGuard } from '@/lib/run/guard'
import { describe, expect, it } from 'vitest'
import { compareSides } from '@/lib/judge/comparison'
import type { ExperimentHistory } from '@/lib/judge/experiment'
import { leaningOf, verdictWord } from '@/lib/judge/delta'
import { sideFigureOf, type ComparedRun, type Side } from '@/lib/judge/sides'
import { buildMatrix, markedColumn } from '@/lib/matrix/matrix'
import { cellFoot } from '@/components/matrix/matrix-cells'
import { findMetric, metrics, figuresOf } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import { sampleRun } from '../../queries/samples'
import { runsOf } from '../../read-fixture'

const metric = (id: string) => {
  const found = findMetric(id)
  if (!found) throw new Error(`no metric ${id}`)
  return found
}
const row = (run: ImportedRun, index: number) => ({
  id: String(index),
  tool: run.tool,
  scenario: run.proposal.scenario ?? '',
  variant: run.proposal.variant,
  environment: run.proposal.environment,
  labels: run.proposal.labels,
  load: run.load,
  figures: figuresOf(run),
  complete: true,
  guards: runGuards(run),
  warnings: run.warnings,
  startedAt: null,
  uploadedAt: '2026-11-21T00:00:00.000Z',
  orderedAt: '2026-11-21T00:00:00.000Z',
  uploadId: 'upload',
  seriesId: 'series',
  indexInUpload: index,
})

describe('metrics', () => {
  it('have unique ids', () => {
    expect(new Set(metrics.map((one) => one.id)).size).toBe(metrics.length)
    expect(findMetric('nonsense')).toBeNull()
  })
  it('knows better from worse by direction', () => {
    expect(leaningOf(metric('p99'), 10, 11)).toBe('worse')
    expect(leaningOf(metric('requests-per-second'), 10, 11)).toBe('better')
    expect(leaningOf(metric('requests'), 10, 11)).toBeNull()
    expect(leaningOf(metric('p99'), 10, 10.04)).toBeNull()
    expect(leaningOf(metric('success-ratio'), 0.9998, 0.9992)).toBe('worse')
  })
})

describe('compareSides of lone runs', () => {
  it('compares dispatcher and direct', async () => {
    const [dispatcher, direct] = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    if (!dispatcher || !direct) throw new Error('runs expected')
    const comparison = compareSides([dispatcher], [[direct]])
    const rps = comparison.rows.find(({ metric: { id } }) => id === 'requests-per-second')
    expect(rps?.deltas[0]).toMatchObject({ verdict: 'undecided', leaning: 'better', method: 'none', reason: null })
    expect(rps?.deltas[0]?.factor).toBeCloseTo(5552.6414 / 2740.627, 12)
    expect(rps?.deltas[0]?.absolute).toBeCloseTo(2812.0144, 6)
    expect(comparison.sentence).toBe('Req/s is 103\u00a0% higher and p99 is 8.2\u00a0% lower on Direct Lambda')
    expect(comparison.caution).toBe(
      'One run per side: p99 may be noise; for Req/s to be noise, two runs of one thing must differ ×2.03. ' +
        '8 rounds, a run of each side in turn, show how many are needed; 7 more to go',
    )
  })
  it('names what contradicts a change next to it: protobuf is faster on a large message, and slower to start', async () => {
    const runs = (await runsOf({ document: 'protobuf-vs-json' })).map(row)
    const [protobuf, json] = ['get_protobuf_data', 'get_json_data'].map((variant) =>
      runs.find((run) => run.scenario === 'Large message' && run.variant === variant),
    )
    if (!protobuf || !json) throw new Error('runs expected')
    expect(text(compareSides([json], [[protobuf]]).sentence)).toBe(
      'Mean is 92 % lower and mean init is 116 % higher on get_protobuf_data',
    )
  })
  it('judges requests per instance like the rate itself, if the numbers of instances are known and differ', async () => {
    const [dispatcher, direct] = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    if (!dispatcher || !direct) throw new Error('runs expected')
    const instancesOf = (run: { readonly id: string }) => (run.id === dispatcher.id ? 20 : 100)
    const { perInstance, rounds, sentence } = compareSides([dispatcher], [[direct]], { instancesOf })
    expect(text(sentence)).toBe('Req/s is 103 % higher and p99 is 8.2 % lower on Direct Lambda, with ×5 the instances')
    expect(perInstance?.metric.label).toBe('Requests per second per instance')
    expect(perInstance?.baseValue).toBeCloseTo(2740.627 / 20, 9)
    expect(perInstance?.deltas[0]?.value).toBeCloseTo(5552.6414 / 100, 9)
    expect(perInstance?.deltas[0]).toMatchObject({ leaning: 'worse', method: 'none' })
    expect(compareSides([dispatcher], [[direct]], { instancesOf: () => 20 }).perInstance).toBeNull()
    expect(compareSides([dispatcher], [[direct]]).perInstance).toBeNull()
    // One run per side is not a round.
    expect(rounds).toBeNull()
  })
  it('shows the range of several runs', async () => {
    const [base, ...others] = (await runsOf({ document: 'zlib-gzip' })).map(row)
    if (!base) throw new Error('runs expected')
    expect(
      compareSides(
        [base],
        others.map((other) => [other] as const),
      ).sentence,
    ).toBe(
      '14.33\u00a0% of 21\u202f000 requests failed on 300kb payload, up to 0.08\u00a0% on others (200/s served of 350/s); ' +
        'p99 ranges from 17.7\u00a0ms (gzipped 300kb payload - :zlib bypassed) to 30.0\u00a0s (300kb payload)',
    )
  })
  it('gives a reason if a value is missing, and no verdict', async () => {
    const runs = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    const few = runs.find((run) => run.figures.p99Ms === null)
    const [first] = runs
    if (!few || !first) throw new Error('a run without p99 expected')
    const [p99] = compareSides([first], [[few]], { metricIds: ['p99'] }).rows
    expect(p99?.deltas[0]).toMatchObject({ value: null, absolute: null, factor: null, verdict: 'unknown' })
    expect(p99?.deltas[0]?.reason).toMatch(/hey prints no p99 for \d+ requests/)
  })
  it('does not divide by 0', async () => {
    const [base, other] = (await runsOf({ document: 'cascade-load-test' })).map(row)
    if (!base || !other) throw new Error('runs expected')
    const [throughput] = compareSides([base], [[other]], { metricIds: ['throughput'] }).rows
    expect(throughput?.deltas[0]).toMatchObject({ changeRatio: null, factor: null, verdict: 'undecided', absolute: 0 })
  })
})

describe('buildMatrix', () => {
  it('lays out the dispatcher document as 4 × 2 with one empty cell', async () => {
    const runs = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    const note = {
      scenario: 'POST: 9 MB Binary Echo',
      variant: 'Direct Lambda',
      environment: null,
      text: 'not possible: 6 MB limit',
    }
    const matrix = buildMatrix(runs, { metrics: [metric('requests-per-second')], cellNotes: [note] })
    expect(matrix.columns).toEqual(['Lambda Dispatcher', 'Direct Lambda'])
    expect(matrix.rows.map((one) => one.name)).toEqual([
      'GET: Text/Plain Ping',
      'GET: Image/Jpeg',
      'POST: Image/Jpeg Echo',
      'POST: 9 MB Binary Echo',
    ])
    const [ping] = matrix.rows
    expect(ping?.cells.map((cell) => cell.figures[0]?.value)).toEqual([2740.627, 5552.6414])
    expect(ping?.cells[1]?.figures[0]).toMatchObject({ word: 'n = 1', best: true, count: 1 })
    const empty = matrix.rows.flatMap((one) => one.cells).filter((cell) => cell.runIds.length === 0)
    expect(empty).toEqual([expect.objectContaining({ note: 'not possible: 6 MB limit' })])
  })
  it('uses environments as columns if there are no variants, and another base on request', async () => {
    const runs = (await runsOf({ document: 'smithy-wrk' })).map(row)
    const matrix = buildMatrix(runs, { metrics: [metric('p99')], cellNotes: [], baselineColumn: 'c6g.8xlarge' })
    expect(matrix).toMatchObject({
      columnsBy: 'environment',
      columns: ['c6i.8xlarge', 'c6g.8xlarge'],
      baselineColumn: 'c6g.8xlarge',
    })
    expect(matrix.rows[0]?.cells[0]?.figures[0]).toMatchObject({ word: 'may be noise', leads: true, best: false })
    expect(matrix.rows[0]?.cells[1]?.figures[0]).toMatchObject({ delta: null, word: null })
  })
  it('lays out runs by labels, sorted by size if they are quantities', async () => {
    const runs = (await runsOf({ document: 'zlib-gzip' })).map(row)
    const matrix = buildMatrix(runs.toReversed(), {
      metrics: [metric('p99')],
      cellNotes: [],
      rowsBy: 'label:content-encoding',
      columnsBy: 'label:payload',
    })
    expect(matrix.columns).toEqual(['250kb', '300kb', '350kb'])
    // Variants that differ only in the payload are one row.
    expect(
      matrix.rows.map(({ name, others, cells }) => [name, others, cells.map((cell) => cell.figures[0]?.value ?? null)]),
    ).toEqual([
      ['(none)', [], [192.614, 30001, null]],
      ['gzip', [], [null, 17.664, 22.218]],
    ])
  })
  it('separates tools, and accepts them as an axis', async () => {
    const [run] = (await runsOf({ document: 'smithy-wrk' })).map(row)
    if (!run) throw new Error('a run expected')
    const two = [run, { ...run, id: 'hey', tool: 'hey' as const }]
    const usual = buildMatrix(two, { metrics: [], cellNotes: [] })
    expect(usual.rows.map(({ others, cells }) => [others[0]?.value, cells[0]?.runIds])).toEqual([
      ['wrk', ['0']],
      ['hey', ['hey']],
    ])
    const byTool = buildMatrix(two, { metrics: [], cellNotes: [], rowsBy: 'environment', columnsBy: 'tool' })
    expect(byTool).toMatchObject({ columns: ['wrk', 'hey'], rows: [{ name: 'c6i.8xlarge', others: [] }] })
    expect(buildMatrix(two, { metrics: [], cellNotes: [], rowsBy: 'tool', columnsBy: 'tool' }).columnsBy).toBe(
      'environment',
    )
  })
  it('keeps the note of an empty cell when rows and columns swap', async () => {
    const runs = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    const cell = { scenario: 'POST: 9 MB Binary Echo', variant: 'Direct Lambda', environment: null }
    const turned = buildMatrix(runs, {
      metrics: [],
      cellNotes: [{ ...cell, text: 'not possible: 6 MB limit' }],
      rowsBy: 'variant',
      columnsBy: 'scenario',
    })
    const direct = turned.rows.find(({ name }) => name === 'Direct Lambda')
    expect(direct?.cells.at(-1)).toMatchObject({ column: cell.scenario, note: 'not possible: 6 MB limit' })
    const byLabel = buildMatrix(runs, {
      metrics: [],
      cellNotes: [{ ...cell, text: 'not possible: 6 MB limit' }],
      columnsBy: 'label:instances',
    })
    expect(byLabel.columns).toEqual(['2', '20', '100'])
    expect(byLabel.rows.flatMap(({ cells }) => cells.map(({ note }) => note)).every((note) => note === null)).toBe(true)
  })
  it('compares get with get and send with send', async () => {
    const runs = (await runsOf({ document: 'protobuf-vs-json' })).map(row)
    const [small] = buildMatrix(runs, { metrics: [metric('mean')], cellNotes: [] }).rows
    expect(small?.cells.map((cell) => [cell.column, cell.baseColumn, cell.figures[0]?.word])).toEqual([
      ['get_protobuf_data', 'get_protobuf_data', null],
      ['send_protobuf_data', 'send_protobuf_data', null],
      ['get_json_data', 'get_protobuf_data', 'may be noise'],
      ['send_json_data', 'send_protobuf_data', 'may be noise'],
    ])
  })
  it('uses the median of a cell’s runs', async () => {
    const [run] = (await runsOf({ document: 'smithy-wrk' })).map(row)
    if (!run) throw new Error('a run expected')
    const repeats = [1, 5, 3].map((p99Ms, index) => ({ ...run, id: String(index), figures: { ...run.figures, p99Ms } }))
    const [only] = buildMatrix(repeats, { metrics: [metric('p99')], cellNotes: [] }).rows
    expect(only?.cells[0]?.figures[0]).toMatchObject({ value: 3, count: 3 })
    expect(only?.cells[0]?.isMixed).toBe(false)
    const mixed = repeats.map((one, index) => ({ ...one, load: { kind: 'closed', connections: index } as const }))
    expect(buildMatrix(mixed, { metrics: [], cellNotes: [] }).rows[0]?.cells[0]?.isMixed).toBe(true)
  })
})

const emptyFigures = figuresOf(sampleRun())

/** A run of `side` with this p99, started at `minute`; served without failures. */
function runAt(side: string, p99Ms: number, minute: number | null, more: Partial<ComparedRun> = {}): ComparedRun {
  const startedAt = minute === null ? null : new Date(Date.UTC(2026, 10, 21, 0, minute)).toISOString()
  return {
    id: `${side}-${minute ?? 0}`,
    tool: 'vegeta',
    scenario: 's',
    variant: side,
    environment: null,
    labels: {},
    load: { kind: 'open', ratePerSecond: 100 },
    complete: true,
    guards: [],
    warnings: [],
    startedAt,
    uploadedAt: '2026-11-21T12:00:00.000Z',
    uploadId: 'upload',
    indexInUpload: 0,
    ...more,
    figures: {
      ...Object.fromEntries(Object.keys(emptyFigures).map((key) => [key, null])),
      ...emptyFigures,
      ...noFigures,
      p99Ms,
      requests: 6_000,
      errorRatio: 0,
      errorCount: 0,
      ...more.figures,
    },
  }
}
/** A lone run whose p99 and p50 equal all others', unless `figures` says otherwise. */
const withFigures = (variant: string, minute: number, figures: Partial<ComparedRun['figures']>): ComparedRun => {
  const run = runAt(variant, 100, minute)
  return { ...run, figures: { ...run.figures, p50Ms: 10, ...figures } }
}
const noFigures = {
  requestsPerSecond: null,
  throughputPerSecond: null,
  meanMs: null,
  p50Ms: null,
  maxMs: null,
  successRatio: null,
}
const sideOf = (runs: readonly ComparedRun[]): Side<ComparedRun> => {
  const [first, ...rest] = runs
  return first ? [first, ...rest] : expect.fail('no runs')
}
const text = (words: string) => words.replaceAll(/[\u00a0\u202f]/g, ' ')
const p99Of = (comparison: ReturnType<typeof compareSides<ComparedRun>>) =>
  comparison.rows.find(({ metric: { id } }) => id === 'p99')?.deltas[0] ?? expect.fail('p99 is not judged')

const noise = [0, 0.4, -0.3, 0.1, -0.5, 0.3, 0.2, -0.2]
/** Eight runs of each side, alternating in random order; `factor`: head ÷ base. */
function inTurns(
  factor: number,
  labels: (round: number) => Readonly<Record<string, string>> = () => ({}),
  scatter = 1,
) {
  const level = [100, 104, 97, 110, 93, 101, 99, 106]
  const at = (round: number, isHead: boolean) => 3 * round + (isHead === [1, 2, 4, 7].includes(round) ? 0 : 1)
  const base = level.map((ms, round) => runAt('gzip', ms, at(round, false), { labels: labels(round) }))
  const head = level.map((ms, round) =>
    runAt('zlib', ms * factor * (1 + (scatter * (noise[round] ?? 0)) / 100), at(round, true), {
      labels: labels(round),
    }),
  )
  return [sideOf(base), [sideOf(head)]] as const
}

describe('names of sides', () => {
  const pairOf = (fields: readonly [Partial<ComparedRun>, Partial<ComparedRun>]) => {
    const [base, head] = fields
    return text(
      compareSides(sideOf([{ ...runAt('node22', 100, 0), ...base }]), [
        sideOf([{ ...runAt('node22', 120, 1), ...head }]),
      ]).sentence,
    )
  }

  it('distinguish runs with the same name by commit, round, date or time, not by the shared name', () => {
    const [one, other] = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z']
    expect(pairOf([{ labels: { commit: 'a1' } }, { labels: { commit: 'b2' } }])).toBe('p99 is 20 % higher on commit b2')
    expect(pairOf([{ labels: { round: '1' } }, { labels: { round: '2' } }])).toBe('p99 is 20 % higher on round 2')
    expect(pairOf([{ startedAt: one }, { startedAt: other }])).toBe('p99 is 20 % higher on 21 Nov 2026')
    expect(pairOf([{ startedAt: one }, { startedAt: one }])).toBe('p99 is 20 % higher on the second run')
  })
})

describe('compareSides of repeats', () => {
  it('judges alternating runs by their rounds: the machine wanders by 17 %, the side by 20', () => {
    const [base, heads] = inTurns(1.2)
    const comparison = compareSides(base, heads)
    const delta = p99Of(comparison)
    // All 8 rounds agree: 2 of 256 sign patterns are as extreme.
    expect(delta).toMatchObject({ verdict: 'worse', method: 'sign-flip', rounds: 8, p: 2 / 256, moreRounds: null })
    expect(delta.changeRatio).toBeCloseTo(0.2, 2)
    // One estimator: the interval contains its estimate, and excludes 0 as p says.
    expect(delta.lowRatio).toBeGreaterThan(0.19)
    expect(delta.highRatio).toBeLessThan(0.21)
    expect(delta.absolute).toBeCloseTo((delta.changeRatio ?? 0) * (comparison.rows[0]?.baseValue ?? 0), 9)
    expect(delta.factor).toBeCloseTo(1 + (delta.changeRatio ?? 0), 12)
    expect(text(comparison.sentence)).toBe('p99 is 20 % higher (+19.7 % to +20.3 %) on zlib')
    expect(text(comparison.caution)).toBe('8 rounds. 7 rounds would show a 10 % change of p99 with 80 % power')
    // Round by round, in time: the judgement's pairs.
    expect(comparison.rounds?.metric.id).toBe('p99')
    expect(comparison.rounds?.pairs).toHaveLength(8)
    for (const { base, head } of comparison.rounds?.pairs ?? []) expect(head / base).toBeCloseTo(1.2, 1)
  })

  it('says that they are the same, within the smallest effect', () => {
    const [base, heads] = inTurns(1.004)
    const comparison = compareSides(base, heads)
    expect(p99Of(comparison)).toMatchObject({ verdict: 'same', marginRatio: 0.1 })
    expect(text(comparison.sentence)).toMatch(/^The same within 10 % on zlib: p99 \+0\.4\d? % \(.* % to \+.* %\)$/)
  })

  it('never leads with a difference as worse if it is shown to be below the smallest effect', () => {
    const [base, heads] = inTurns(1.098, undefined, 6)
    const comparison = compareSides(base, heads)
    expect(p99Of(comparison)).toMatchObject({ verdict: 'worse', marginRatio: 0.1 })
    expect(text(comparison.sentence)).toMatch(/^p99 differs by less than matters on zlib: \+9\.\d+ % \(.* to \+.* %\)$/)
    expect(verdictWord(p99Of(comparison), metric('p99'))).toBe('differs')
    // Beyond the zone it is worse, with the same number of rounds.
    expect(text(compareSides(...inTurns(1.12)).sentence)).toMatch(/^p99 is 12 % higher/)
  })

  it('doubts repeats run one after the other, and says so by name', () => {
    const base = sideOf([100, 101, 99, 100, 102, 98].map((ms, at) => runAt('Dispatcher', ms, at)))
    const head = sideOf([112, 113, 111, 112, 114, 110].map((ms, at) => runAt('Direct', ms, 10 + at)))
    const comparison = compareSides(base, [head])
    // Mann–Whitney would give p = 0.002: no run of one side lies among those of the other.
    expect(p99Of(comparison)).toMatchObject({ verdict: 'undecided', method: 'blocks+default', rounds: 0 })
    expect(comparison.caution).toContain(
      'Direct ran after Dispatcher: a step of the machine between them would show the same. Alternate them, drawing the order. ' +
        'Nothing is known of how this machine',
    )
    expect(text(comparison.sentence)).toMatch(
      /^Undecided: p99 \+12 % \(−.* % to \+.* %\) on Direct; \d+ more rounds would decide$/,
    )
    // If the machine is known to be calm, it explains less.
    const noiseOf = () => ({ runs: 60, sdLog: 0.012, sdStep: 0.012, maxStepLog: 0.02 })
    const calm = compareSides(base, [head], { noiseOf })
    expect(p99Of(calm)).toMatchObject({ verdict: 'worse', method: 'blocks+history' })
    expect(calm.caution).not.toContain('Nothing is known')
    expect(text(calm.caution)).toContain(
      'a step of the machine between them would show the same; one of 2.5 % may be. ',
    )
    // Its history has a step as large as this difference, which may be another one.
    const stepped = compareSides(base, [head], { noiseOf: () => ({ ...noiseOf(), maxStepLog: 0.1 }) })
    expect(p99Of(stepped)).toMatchObject({ verdict: 'undecided', method: 'blocks+history' })
    expect(p99Of(stepped).lowRatio).toBeLessThan(0)
    // A history too short to show steps counts as none.
    const short = compareSides(base, [head], { noiseOf: () => ({ ...noiseOf(), maxStepLog: null }) })
    expect(p99Of(short)).toMatchObject({ verdict: 'undecided', method: 'blocks+default' })
  })

  it('names the side that ran first, or says that the order is unknown', () => {
    const base = sideOf([100, 101, 99].map((ms, at) => runAt('gzip', ms, 10 + at)))
    const head = sideOf([120, 121, 119].map((ms, at) => runAt('zlib', ms, at)))
    expect(compareSides(base, [head]).caution).toMatch(/^gzip ran after zlib: /)
    const untimed = [base, head].map((side) => sideOf(side.map((run) => ({ ...run, startedAt: null }))))
    const [one, other] = untimed
    if (!one || !other) throw new Error('two sides expected')
    expect(compareSides(one, [other]).caution).toMatch(/^The order of these runs is unknown/)
  })

  it('trusts labels of rounds, and requires more of an experiment that grows', () => {
    const label = (uploads: boolean) => (round: number) =>
      uploads ? { round: String(round), rounds: '12' } : { round: String(round) }
    const [base, heads] = inTurns(1.2, label(false))
    expect(p99Of(compareSides(base, heads))).toMatchObject({ verdict: 'worse', method: 'sign-flip' })
    // 8 of 12 planned rounds, evaluated early: p must be below 0.005. Signs of 8 rounds give at best 0.0078; a t test
    // can do better.
    const early = (factor: number) => p99Of(compareSides(...inTurns(factor, label(true), 30)))
    expect(early(1.5)).toMatchObject({ verdict: 'worse', method: 't-pairs', rounds: 8 })
    expect(early(1.1)).toMatchObject({ verdict: 'undecided', rounds: 8 })
    expect(early(1.1).warnings).toContain('sequential')
  })

  it('withholds the verdict on an order that was not randomised, until it is', () => {
    const inOrder = (isTurned: boolean, labels: Readonly<Record<string, string>> = {}) => {
      const at = (round: number, isHead: boolean) => 3 * round + Number(isHead !== (isTurned && round % 2 === 1))
      const [base, head] = [false, true].map((isHead) =>
        noise.map((percent, round) =>
          runAt(isHead ? 'zlib' : 'gzip', (isHead ? 120 : 100) * (1 + percent / 100), at(round, isHead), { labels }),
        ),
      )
      return compareSides(sideOf(base ?? []), [sideOf(head ?? [])])
    }
    const [abab, abba] = [inOrder(false), inOrder(true)]
    for (const one of [abab, abba]) {
      expect(p99Of(one)).toMatchObject({ verdict: 'undecided', rounds: 8, moreRounds: null })
      expect(p99Of(one).changeRatio).toBeCloseTo(0.2, 1)
      expect(text(one.sentence)).toMatch(/^Undecided: p99 \+2\d % .*; rounds in a drawn order would decide$/)
    }
    expect(abab.caution).toContain('what comes second may always be warmer. Draw the order')
    expect(abba.caution).toContain('a machine that swings along seems a change. Draw the order')
    // A random order that happens to be regular is declared as random.
    expect(p99Of(inOrder(true, { order: 'drawn' })).verdict).toBe('worse')
  })

  it.each([4, 5, 6, 8])('gives a value that matches the change, for %i rounds with an outlier', (rounds) => {
    const [base, heads] = [1, 1.2].map((factor) =>
      Array.from({ length: rounds }, (_, round) => {
        const stray = factor > 1 && round === 1 ? 3 : 1
        const name = factor > 1 ? 'zlib' : 'gzip'
        const place = Number((round % 3 === 0) === factor > 1)
        return runAt(name, 100 * factor * stray * (1 + 0.01 * Math.sin(7 * round + factor)), 3 * round + place)
      }),
    )
    const noiseOf = () => ({ runs: 60, sdLog: 0.02, sdStep: 0.02, maxStepLog: 0.03 })
    const [row] = compareSides(sideOf(base ?? []), [sideOf(heads ?? [])], { noiseOf }).rows
    const [delta] = row?.deltas ?? []
    expect((delta?.value ?? 0) / (row?.baseValue ?? 0)).toBeCloseTo(1 + (delta?.changeRatio ?? 0), 12)
    expect(delta?.rounds).toBe(rounds)
    // A round in which everything took three times as long says almost nothing about the size; with 4 rounds nothing is
    // better known.
    if (rounds > 4) expect(delta?.changeRatio).toBeCloseTo(0.2, 1)
  })

  it.each([2, 3])('withholds it for %i such rounds next to a calm history, too', (rounds) => {
    const run = (name: string, ms: number, round: number, at: number, labels: Readonly<Record<string, string>>) =>
      runAt(name, ms + (round % 2) / 10, 3 * round + at, { labels })
    const judged = (labels: Readonly<Record<string, string>> = {}) => {
      const side = (name: string, ms: number, at: number) =>
        sideOf(Array.from({ length: rounds }, (_, round) => run(name, ms, round, at, labels)))
      const noiseOf = () => ({ runs: 60, sdLog: 0.01, sdStep: 0.01, maxStepLog: 0.02 })
      return p99Of(compareSides(side('gzip', 100, 0), [side('zlib', 125, 1)], { noiseOf }))
    }
    expect(judged()).toMatchObject({ verdict: 'undecided', rounds, moreRounds: null })
    expect(judged().warnings).toContain('unproven')
    expect(judged({ order: 'drawn' }).verdict).toBe('worse')
  })

  it('says where verdicts start instead of deciding on three rounds', () => {
    const [base, [heads]] = inTurns(1.5)
    if (!heads) throw new Error('a candidate expected')
    const [three, others] = [sideOf(base.slice(0, 3)), sideOf(heads.slice(0, 3))]
    const comparison = compareSides(three, [others])
    expect(p99Of(comparison)).toMatchObject({ verdict: 'undecided', rounds: 3 })
    expect(comparison.sentence).toMatch(/^Undecided: .*; \d+ more rounds? would decide$/)
    // One promise, in one place, with its power.
    expect(text(comparison.caution)).toBe(
      '3 rounds. Verdicts begin at 4 rounds. So many more rounds decide with 80 % power',
    )
  })

  it('plans no more rounds than any figure is promised', () => {
    const [base, [heads]] = inTurns(1.2)
    if (!heads) throw new Error('a candidate expected')
    // p99 is decided; the mean scatters as much as it differs.
    const mean = (side: Side<ComparedRun>, by: number) =>
      sideOf(
        side.map((run, at) => ({
          ...run,
          figures: { ...run.figures, meanMs: 20 * (1 + by + 0.04 * Math.sin(9 * at + 60 * by)) },
        })),
      )
    const comparison = compareSides(mean(base, 0), [mean(heads, 0.03)])
    expect(p99Of(comparison).verdict).toBe('worse')
    const open = comparison.rows.flatMap(({ deltas: [delta] }) => delta?.moreRounds ?? [])
    expect(open.length).toBeGreaterThan(0)
    expect(text(comparison.caution)).toBe('8 rounds. So many more rounds decide with 80 % power')
  })

  it('lets no metric into the headline that the number of metrics explains', () => {
    const [base, [head]] = inTurns(1.004)
    if (!head) throw new Error('a candidate expected')
    const others = ['meanMs', 'p50Ms', 'maxMs', 'requestsPerSecond'] as const
    // Alone, this mean has p = 6 / 256 (flipping 3, 2 or no signs gives as large a sum); among 5 metrics it may be
    // chance.
    const shift = [6, 5, -3, 7, 6, 2, 5, 6]
    const withOthers = (side: Side<ComparedRun>, isHead: boolean) =>
      sideOf(
        side.map((run, round) => {
          const values = others.map((key, at) => {
            const wobble = 1 + ((((round * 7 + at * 5) % 8) - 3.5) * 4) / 100
            return [key, 50 * (isHead ? (key === 'meanMs' ? 1 + (shift[round] ?? 0) / 100 : wobble) : 1)]
          })
          return { ...run, figures: { ...run.figures, ...Object.fromEntries(values) } }
        }),
      )
    const comparison = compareSides(withOthers(base, false), [withOthers(head, true)])
    const mean = comparison.rows.find(({ metric: { id } }) => id === 'mean')?.deltas[0]
    expect(mean?.p).toBe(6 / 256)
    expect(mean?.warnings).toContain('multiple')
    expect(mean?.verdict).toBe('undecided')
    expect(comparison.sentence).not.toContain('Mean')
    expect(comparison.caution).toContain('Mean may be chance: one of 5 metrics')
  })

  it('says that two runs and one are too few', () => {
    const comparison = compareSides(sideOf([runAt('gzip', 100, 0), runAt('gzip', 101, 2)]), [
      sideOf([runAt('zlib', 119, 1)]),
    ])
    expect(comparison.caution).toMatch(/^2 \+ 1 runs are too few for a verdict\. /)
    expect(verdictWord(p99Of(comparison), metric('p99'))).toBe('may be noise')
    expect(text(comparison.sentence)).toMatch(/^p99 is 1[89] % higher on zlib$/)
  })

  it('shares alpha among candidates', () => {
    const [base, [head]] = inTurns(1.1, () => ({}), 25)
    if (!head) throw new Error('a candidate expected')
    const renamed = (variant: string) => sideOf(head.map((run) => ({ ...run, variant, id: `${variant}${run.id}` })))
    const many = Array.from({ length: 7 }, (_, at) => renamed(`v${at}`))
    // Signs give 0.0234, below 0.05 / 2; a t test gives 0.0129, not below 0.05 / 7.
    expect(compareSides(base, many).rows[0]?.deltas[0]?.verdict).toBe('undecided')
    expect(compareSides(base, many.slice(0, 2)).rows[0]?.deltas[0]?.verdict).toBe('worse')
  })
})

describe('compareSides of single runs', () => {
  const pair = (value: number, noiseOf?: () => ExperimentHistory) =>
    compareSides(sideOf([runAt('gzip', 100, 0)]), [sideOf([runAt('zlib', value, 1)])], noiseOf ? { noiseOf } : {})

  it('says how large the noise would have to be, and says "may be" where it may be noise', () => {
    expect(text(pair(119).sentence)).toBe('p99 is 19 % higher on zlib')
    expect(pair(119).caution).toBe(
      'One run per side, so this may be noise. 8 rounds, a run of each side in turn, show how many are needed; 7 more to go',
    )
    expect(text(pair(170_000).caution)).toMatch(
      /^One run per side: for this to be noise, p99 of two runs of one thing must differ ×1 700\. /,
    )
    expect(verdictWord(p99Of(pair(119)), metric('p99'))).toBe('may be noise')
    expect(verdictWord(p99Of(pair(100.3)), metric('p99'))).toBe('equal')
  })

  it('never leads with the max of a single run: it is one request', () => {
    const of = (figures: Partial<ComparedRun['figures']>) =>
      text(
        compareSides(sideOf([withFigures('gzip', 0, { maxMs: 100 })]), [sideOf([withFigures('zlib', 1, figures)])])
          .sentence,
      )
    expect(of({ maxMs: 900 })).toBe('Only the max of single runs differs on zlib')
    expect(of({ maxMs: 900, p50Ms: 20 })).toBe('p50 is 100 % higher on zlib')
    expect(of({ maxMs: 100 })).toBe('No figure of zlib differs by half a percent or more')
    const many = [1, 2].map((at) => sideOf([withFigures(`v${at}`, at, { maxMs: 900 * at })]))
    const range = compareSides(sideOf([withFigures('gzip', 0, { maxMs: 100 })]), many).sentence
    expect(range).not.toMatch(/max/i)
  })

  it('uses the noise of the history', () => {
    const judge = (value: number) => pair(value, () => ({ runs: 60, sdLog: 0.02, sdStep: 0.02, maxStepLog: 0.03 }))
    // t(0.975, 59) = 2.001: 2.001 · 0.02 · √2 = 5.66 % of the log.
    expect(p99Of(judge(105))).toMatchObject({ method: 'history', verdict: 'undecided' })
    expect(p99Of(judge(106))).toMatchObject({ verdict: 'worse' })
    expect(p99Of(judge(94))).toMatchObject({ verdict: 'better' })
    expect(text(judge(106).caution)).toMatch(
      /^One run per side: p99 of two runs of one thing differs by up to 5\.[89] % here, so this is more\. \d+ rounds would show a 10 % change of p99 with 80 % power; \d+ more to go$/,
    )
    expect(judge(105).caution).toContain('so this may be noise')
  })
})

const failures = (code: 'errors' | 'zero-success', attempts: number, failedRatio: number): RunGuard => ({
  code,
  numbers: { attempts, failed: attempts * failedRatio, failedRatio },
  metricIds: null,
})

const truncated: RunGuard = { code: 'cut-short', numbers: {}, metricIds: null }

describe('guards and failures in comparisons', () => {
  const lone = (run: ComparedRun) => sideOf([run])
  const failing = (variant: string, errorRatio: number) => {
    const requests = 21_000
    const figures = {
      ...emptyFigures,
      ...noFigures,
      p99Ms: 50,
      requests,
      errorRatio,
      errorCount: requests * errorRatio,
    }
    const guards = errorRatio === 0 ? [] : [failures('errors', requests, errorRatio)]
    return runAt(variant, 50, 1, { guards, figures: { ...figures, successRatio: 1 - errorRatio } })
  }

  it('puts failures first, and gives no verdict on latency if there are many', () => {
    const comparison = compareSides(lone(failing('gzip', 0)), [lone(failing('zlib', 0.1))])
    expect(text(comparison.sentence)).toBe('10 % of 21 000 requests failed on zlib')
    expect(p99Of(comparison)).toMatchObject({ verdict: 'undecided', reason: '10\u00a0% of its requests failed' })
    const success = comparison.rows.find(({ metric: { id } }) => id === 'success-ratio')
    expect(success?.deltas[0]).toMatchObject({ leaning: 'worse', reason: null })
  })

  it('shows, for repeats, the share of all their requests above the table and in it', () => {
    const [calm, ill] = [['gzip', 0] as const, ['zlib', 0.1] as const].map(([name, ratio]) =>
      sideOf([0, 0, 0, ratio].map((one) => failing(name, one))),
    )
    if (!calm || !ill) throw new Error('two sides')
    const comparison = compareSides(calm, [ill])
    expect(text(comparison.sentence)).toContain('2.5 % of 84 000 requests failed on zlib')
    const success = comparison.rows.find(({ metric: { id } }) => id === 'success-ratio')
    expect(success).toMatchObject({ baseValue: 1, deltas: [{ value: 0.975, counts: [4, 4] }] })
  })

  it('counts failures of repeats as their comparison does, if failed requests are counted separately', () => {
    const night = (variant: string, index: number, requests: number, errorCount: number) => {
      const errorRatio = errorCount / (requests + errorCount)
      const figures = { ...emptyFigures, ...noFigures, p99Ms: 50, requests, errorRatio, errorCount }
      return { ...row(sampleRun(), index), scenario: 'ping', variant, figures: { ...figures, successRatio: null } }
    }
    const calm = [night('gzip', 0, 2_000, 0), night('gzip', 1, 2_000, 0)] as const
    const ill = [night('zlib', 2, 1_000, 1_000), night('zlib', 3, 2_000, 0)] as const
    expect(text(compareSides(calm, [ill]).sentence)).toContain('25 % of 4 000 requests failed on zlib')
    const matrix = buildMatrix([...calm, ...ill], { metrics: [metric('error-ratio')], cellNotes: [] })
    const [, cell] = matrix.rows[0]?.cells ?? []
    expect(cell).toMatchObject({ errorRatio: 0.25, figures: [{ value: 0.25 }] })
  })

  it('never calls the latency of a run better if nothing in it succeeded', () => {
    const figures = { ...emptyFigures, ...noFigures, p99Ms: 5, requests: 6_000, errorRatio: 1, errorCount: 6_000 }
    const comparison = compareSides(lone(runAt('gzip', 100, 0)), [
      lone(runAt('zlib', 5, 1, { figures, guards: [failures('zero-success', 6_000, 1)] })),
    ])
    expect(text(comparison.sentence)).toBe('All 6 000 requests failed on zlib')
    expect(verdictWord(p99Of(comparison), metric('p99'))).toBe('no verdict')
    expect(p99Of(comparison)).toMatchObject({ value: 5, factor: 0.05, reason: 'no request succeeded' })
  })

  it('gives a truncated run no verdict, and treats a percentile with few requests as a bound', () => {
    const cut = compareSides(lone(runAt('gzip', 100, 0)), [
      lone(runAt('zlib', 50, 1, { complete: false, guards: [truncated] })),
    ])
    expect(p99Of(cut).reason).toBe('the run was truncated')
    expect(cut.sentence).toBe('No verdict on zlib: the run was truncated')
    const few = { ...emptyFigures, ...noFigures, p99Ms: 50, p50Ms: 20, requests: 200, errorRatio: 0, errorCount: 0 }
    const numbers = { successes: 200, needed: 1_000 }
    const guards: readonly RunGuard[] = [{ code: 'few-for-tail', numbers, metricIds: ['p99'] }]
    const one = compareSides(lone(runAt('gzip', 100, 0, { figures: few, guards })), [
      lone(runAt('zlib', 50, 1, { figures: few, guards })),
    ])
    expect(text(p99Of(one).reason ?? '')).toBe('200 requests are too few for this percentile: 1 000 needed')
    expect(one.rows.find(({ metric: { id } }) => id === 'p50')?.deltas[0]?.reason).toBeNull()
  })

  it('excludes refused repeats, and judges no side that lost most of them', () => {
    const [base, [head]] = inTurns(1.2)
    if (!head) throw new Error('a candidate expected')
    const cutFrom = (from: number) => sideOf(head.map((run, at) => ({ ...run, guards: at < from ? [] : [truncated] })))
    expect(p99Of(compareSides(base, [cutFrom(7)]))).toMatchObject({ verdict: 'worse', rounds: 7 })
    expect(p99Of(compareSides(base, [cutFrom(3)]))).toMatchObject({ method: 'none', reason: 'the run was truncated' })
  })

  it('does not compare runs with different loads', () => {
    const load = { kind: 'open', ratePerSecond: 200 } as const
    const comparison = compareSides(lone(runAt('gzip', 100, 0)), [lone(runAt('zlib', 150, 1, { load }))])
    expect(p99Of(comparison).reason).toBe('different loads, 100/s and 200/s')
  })
})

describe('a cell of a history', () => {
  const day = (at: number, p99Ms: number, variant: string) => ({
    ...runAt(variant, p99Ms, null),
    id: `${variant}${at}`,
    seriesId: variant,
    uploadId: `${variant}${at}`,
    orderedAt: new Date(Date.UTC(2026, 8, 1 + at)).toISOString(),
  })
  const matrixOf = (runs: Parameters<typeof buildMatrix>[0]) =>
    buildMatrix(runs, { metrics: [metric('p99')], cellNotes: [] }).rows[0]?.cells ?? []

  it('uses the newest experiment, not the median of two months', () => {
    // For 40 days the second variant was faster; for 20 days it has been slower.
    const runs = Array.from({ length: 60 }, (_, at) => [
      day(at, 100, 'gzip'),
      day(at, at < 40 ? 87 : 115, 'zlib'),
    ]).flat()
    const [gzip, zlib] = matrixOf(runs)
    expect(zlib?.figures[0]).toMatchObject({ value: 115, count: 1, word: 'may be noise', best: false })
    expect(gzip?.figures[0]).toMatchObject({ leads: true, best: false })
    expect(zlib).toMatchObject({ runIds: ['zlib59'], older: { count: 59, since: '2026-09-01T00:00:00.000Z' } })
    expect(zlib && cellFoot(zlib)).toBe('newest run, 30 Oct 2026; 59 older since 1 Sep 2026')
  })

  it('combines its repeats', () => {
    const commit = { commit: 'f00' }
    const runs = [
      day(0, 90, 'gzip'),
      ...[110, 120, 130].map((ms, at) => ({ ...day(1 + at, ms, 'gzip'), labels: commit })),
    ]
    const [cell] = matrixOf(runs)
    expect(cell?.figures[0]).toMatchObject({ value: 120, count: 3 })
    expect(cell).toMatchObject({ runIds: ['gzip3', 'gzip2', 'gzip1'], older: { count: 1 } })
  })

  it('mentions failures before any latency, and highlights none of it', () => {
    const failed = { ...emptyFigures, ...noFigures, p99Ms: 5, requests: 1_000, errorRatio: 0.25, errorCount: 250 }
    const [, zlib] = matrixOf([
      day(0, 100, 'gzip'),
      { ...day(0, 5, 'zlib'), figures: failed, guards: [failures('errors', 1_000, 0.25)] },
    ])
    expect(zlib).toMatchObject({ errorRatio: 0.25 })
    expect(zlib?.figures[0]).toMatchObject({ word: 'no verdict', best: false })
  })

  it('says what its comparison says', () => {
    const [base, [head]] = inTurns(1.2)
    if (!head) throw new Error('a candidate expected')
    const stored = (run: ComparedRun) => ({ ...run, seriesId: run.variant ?? '', orderedAt: run.startedAt ?? '' })
    const cells = matrixOf([...base, ...head].map(stored))
    const { changeRatio, lowRatio, verdict } = p99Of(compareSides(base, [head]))
    expect(cells[1]?.figures[0]?.delta).toMatchObject({ changeRatio, lowRatio, verdict })
    expect(cells[1]?.figures[0]?.word).toBe('worse')
  })
})

it('summarises a side: the median, and how far the farthest run is from it', () => {
  expect(sideFigureOf([10, null, 12, 11])).toEqual({ value: 11, spreadRatio: 1 / 11, count: 3 })
  expect(sideFigureOf([10])).toEqual({ value: 10, spreadRatio: null, count: 1 })
  expect(sideFigureOf([null])).toEqual({ value: null, spreadRatio: null, count: 0 })
})

it('puts the column of the marked baselines first, in the scenarios that are shown', () => {
  const at = (scenario: string, variant: string | null, environment: string) => ({
    scenario,
    variant,
    environment,
    tool: 'wrk' as const,
    labels: {},
  })
  const shown = [at('s', 'gzip', 'c6i'), at('s', 'zlib', 'c6i'), at('t', 'zlib', 'c6g')]
  const marked = [at('s', 'zlib', 'c6i'), at('t', 'zlib', 'c6g'), at('elsewhere', 'gzip', 'c6i')]
  expect(markedColumn(shown, marked, {})).toBe('zlib')
  expect(markedColumn(shown, marked.slice(1, 2), { columnsBy: 'environment' })).toBe('c6g')
  expect(markedColumn(shown, marked.slice(2), {})).toBeNull()
})
