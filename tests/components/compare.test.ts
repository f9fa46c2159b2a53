import { storedDocument } from '../stored-runs'
import type { StoredRun } from '@/lib/history/stored-runs'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { describe, expect, it } from 'vitest'
import { compareUrl, readRef, readSides, repeatsRef, writeSides } from '@/lib/judge/compare-url'
import { changedView, readCompareView, viewOf, readMetricIds } from '@/components/compare/compare-view-state'
import { groupRepeats, ungroup } from '@/components/compare/group-repeats'
import { changeText, differenceText, judgementText, judgementWords } from '@/components/compare/delta-words'
import { distinctNames } from '@/components/compare/distinct-names'
import { chosenMetrics, narrowedWords, readMatrixQuery, searchOf } from '@/components/matrix/matrix-url'
import { pickedSides, proposedRuns, readPicked } from '@/components/compare/pick/picked-runs'
import type { Delta } from '@/lib/judge/delta'
import { columnUnit } from '@/lib/format'
import { findMetric } from '@/lib/run/metrics'

const run = (scenario: string, variant: string | null = null, environment: string | null = null) => ({
  scenario,
  variant,
  environment,
  labels: {},
  startedAt: null,
  uploadedAt: '2026-11-21T10:00:00.000Z',
})

describe('addresses of comparisons', () => {
  it('reads ids in order, each once, encoded or not', () => {
    expect(readSides('a...b...a')).toEqual([['a'], ['b']])
    expect(readSides(encodeURIComponent('a...b'))).toEqual([['a'], ['b']])
    expect(readSides('...')).toBeNull()
    expect(readSides('%E0')).toBeNull()
    expect(readSides(Array.from({ length: 11 }, (_, index) => `r${index}`).join('...'))).toBeNull()
  })
  it('takes up to 200 runs per side, 400 in total', () => {
    const sideOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`)
    const rounds = [sideOf('a', 200), sideOf('b', 200)]
    expect(readSides(writeSides(rounds))).toEqual(rounds)
    expect(readSides(writeSides([sideOf('a', 201), ['b']]))).toBeNull()
    expect(readSides(writeSides([...rounds, ['c']]))).toBeNull()
  })
  it('reads repeats of a side, and the newest run that matches', () => {
    const sides = [['a', 'b'], ['commit:1+1@latest']]
    expect(readSides(writeSides(sides))).toEqual(sides)
    expect(readSides('a%2Bb...c')).toEqual([['a', 'b'], ['c']])
    expect(readRef('abc')).toEqual({ kind: 'id', id: 'abc' })
    expect(readRef(repeatsRef('abc'))).toEqual({ kind: 'repeats', id: 'abc' })
    expect(readSides('abc@repeats...def@repeats')).toEqual([['abc@repeats'], ['def@repeats']])
    expect(readRef('gzip@latest')).toEqual({ kind: 'latest', filter: { variant: 'gzip' } })
    expect(readRef('environment:c6i:xl@latest')).toEqual({ kind: 'latest', filter: { environment: 'c6i:xl' } })
    expect(readRef('commit:4f2a@latest')).toEqual({ kind: 'latest', filter: { labels: { commit: '4f2a' } } })
  })
  it('holds the whole view, in one order, without anything unknown', () => {
    const view = readCompareView({
      slo: '250',
      m: 'p99',
      axis: 'log',
      shape: 'ecdf',
      y: 'log',
      window: 'steady',
      table: 'shift.over-time',
      'cost.rate': '100',
      'cost.<b>': '1',
      other: 'x',
    })
    expect(view).toEqual({
      metricIds: ['p99'],
      sloMs: 250,
      shape: 'ecdf',
      axis: 'log',
      y: 'log',
      window: 'steady',
      tables: ['shift', 'over-time'],
      cost: { rate: '100' },
      query: 'm=p99&slo=250&shape=ecdf&axis=log&y=log&window=steady&table=shift.over-time&cost.rate=100',
    })
    expect(viewOf(view.query)).toEqual(view)
    expect(changedView(view, { shape: null, sloMs: null }).query).toBe(
      'm=p99&axis=log&y=log&window=steady&table=shift.over-time&cost.rate=100',
    )
    expect(readCompareView({ shape: 'pie', axis: 'up', window: 'half' }).query).toBe('')
    for (const slo of ['0', '-1', 'x', '1e99', '']) expect(readCompareView({ slo }).sloMs).toBeNull()
  })
  it('proposes repeats if runs are from one series, and separates them again', () => {
    const run = (id: string, seriesId: string) => ({ id, seriesId })
    const apart = [[run('a', '1')], [run('b', '2')], [run('c', '1')]]
    expect(groupRepeats(apart)).toEqual([['a', 'c'], ['b']])
    expect(ungroup(apart, 10)).toBeNull()
    const together = [[run('a', '1'), run('c', '1')], [run('b', '2')]]
    expect(groupRepeats(together)).toBeNull()
    expect(ungroup(together, 10)).toEqual([['a'], ['c'], ['b']])
    // All from one series: nothing would be left to compare.
    expect(groupRepeats([[run('a', '1')], [run('b', '1')]])).toBeNull()
  })
  it('writes what it reads', () => {
    expect(compareUrl('p', ['a', 'b'], ['p99', 'mean'])).toBe('/p/p/compare/a...b?m=p99,mean')
    expect(readMetricIds('p99,nonsense,mean')).toEqual(['p99', 'mean'])
    expect(readMetricIds(['p99', 'p99'])).toEqual(['p99'])
    expect(readMetricIds('nonsense')).toBeNull()
  })
})

describe('distinctNames', () => {
  type Named = Pick<StoredRun, 'scenario' | 'variant' | 'environment' | 'labels' | 'startedAt' | 'uploadedAt'>
  const namesOf = (runs: readonly Named[]) => distinctNames(runs.map((one) => [one]))
  it('uses what differs, as short as possible', () => {
    expect(namesOf([run('s', 'a', 'x'), run('s', 'b', 'y')])).toEqual(['a', 'b'])
    expect(namesOf([run('s', null, 'x'), run('s', null, 'y')])).toEqual(['x', 'y'])
    expect(namesOf([run('s', 'a'), run('t', 'a')])).toEqual(['s', 't'])
    expect(namesOf([run('s', 'a', 'x'), run('s', 'b', 'x'), run('s', 'a', 'y')])).toEqual(['a · x', 'b · x', 'a · y'])
    expect(namesOf([run('s', 'a'), run('s', 'a')])).toEqual(['a (1)', 'a (2)'])
  })

  it('distinguishes runs of one name by version, commit, round, date or time, and numbers them only if nothing else does', () => {
    const labelled = (...all: readonly Readonly<Record<string, string>>[]) =>
      namesOf(all.map((labels) => ({ ...run('s', 'node22'), labels })))
    const commits = ['4f2a9c1d3e5b7a', '9e8d7c6b5a4f3e']
    expect(labelled(...commits.map((commit) => ({ commit })))).toEqual([
      'node22 · commit 4f2a9c1d3e',
      'node22 · commit 9e8d7c6b5a',
    ])
    expect(labelled({ commit: 'a1', round: '1' }, { commit: 'a1', round: '2' })).toEqual([
      'node22 · round 1',
      'node22 · round 2',
    ])
    expect(labelled({ result: `https://ci.example/${'1'.repeat(40)}` }, { result: 'https://ci.example/2' })).toEqual([
      'node22 (1)',
      'node22 (2)',
    ])
    const started = (...all: readonly string[]) =>
      namesOf(all.map((startedAt) => ({ ...run('s', 'node22'), startedAt })))
    expect(started('2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z')).toEqual([
      'node22 · 20 Nov 2026',
      'node22 · 21 Nov 2026',
    ])
    expect(started('2026-11-20T10:00:00.000Z', '2026-11-20T10:05:00.000Z')).toEqual([
      'node22 · 20 Nov 2026, 10:00',
      'node22 · 20 Nov 2026, 10:05',
    ])
    // The title names what so many share.
    expect(labelled(...['a1', 'b2', 'c3', 'd4'].map((commit) => ({ commit })))).toEqual([
      'commit a1',
      'commit b2',
      'commit c3',
      'commit d4',
    ])
    // Only those that share a name need more.
    expect(namesOf([run('s', 'a'), ...['1', '2'].map((round) => ({ ...run('s', 'b'), labels: { round } }))])).toEqual([
      'a',
      'b · round 1',
      'b · round 2',
    ])
  })

  it('names a side with several commits by all of them, and one that differs only in time by its period', () => {
    const days = (from: number, labels: (day: number) => Named['labels']): [Named, Named, Named] => {
      const on = (day: number) => ({
        ...run('s', 'node22'),
        labels: labels(day),
        startedAt: `2026-11-${day}T10:00:00.000Z`,
      })
      return [on(from), on(from + 1), on(from + 2)]
    }
    expect(
      distinctNames([days(10, (day) => ({ commit: `c${day}` })), days(13, (day) => ({ commit: `c${day}` }))]),
    ).toEqual(['node22 · commit c10 to c12', 'node22 · commit c13 to c15'])
    // A commit on both sides distinguishes neither.
    expect(distinctNames([days(10, () => ({ commit: 'a' })), days(13, () => ({ commit: 'a' }))])).toEqual([
      'node22 · 10 Nov 2026 to 12 Nov 2026',
      'node22 · 13 Nov 2026 to 15 Nov 2026',
    ])
    // Nor does a time within the other's.
    expect(distinctNames([days(10, () => ({})), days(11, () => ({}))])).toEqual(['node22 (1)', 'node22 (2)'])
  })
})

describe('words about a change', () => {
  const metric = (id: string) => findMetric(id) ?? expect.fail(`no metric ${id}`)
  /** One run per side, with unknown noise. */
  const delta = (base: number, value: number, leaning: Delta['leaning'], more: Partial<Delta> = {}): Delta => ({
    value,
    spreadRatio: null,
    counts: [1, 1],
    absolute: value - base,
    changeRatio: value / base - 1,
    factor: value / base,
    lowRatio: null,
    highRatio: null,
    marginRatio: 0.1,
    method: 'none',
    p: null,
    warnings: [],
    orderBoundRatio: null,
    rounds: 0,
    moreRounds: null,
    pilot: null,
    verdict: 'undecided',
    leaning,
    reason: null,
    ...more,
  })

  it('have an arrow and a colour if it is a verdict, and one word for each meaning', () => {
    const p99 = metric('p99')
    const shown = delta(10, 20, null, { method: 'sign-flip', rounds: 8, verdict: 'worse' })
    expect(judgementWords(shown, p99)).toMatchObject({ arrow: 'up', word: 'worse', tone: 'worse' })
    expect(judgementWords(delta(10, 20, 'worse'), p99)).toMatchObject({ arrow: null, word: 'n = 1', tone: 'muted' })
    expect(judgementWords(delta(10, 11, 'worse'), p99)).toMatchObject({ arrow: null, tone: 'muted' })
    expect(judgementWords(delta(10, 5, null, { reason: 'x' }), p99)).toMatchObject({ arrow: null, tone: 'muted' })
    expect(judgementText(delta(10, 20, 'worse'), p99)).toBe('n = 1')
    expect(judgementText(delta(10, 11, 'worse'), p99)).toBe('may be noise')
    const more = { verdict: 'neutral', marginRatio: null } as const
    expect(judgementText(delta(10, 11, null, more), metric('requests'))).toBe('more')
    expect(judgementText(delta(10, 10, null, more), metric('requests'))).toBe('equal')
  })
  it('state its basis next to a mark', () => {
    const text = (one: Delta, id = 'p99') => {
      const { word, basis, more } = judgementWords(one, metric(id))
      return [word, basis, more].filter(Boolean).join('; ').replaceAll('\u00a0', ' ')
    }
    const judged = { method: 'sign-flip', rounds: 8, lowRatio: 0.02, highRatio: 0.18 } as const
    // Two runs of the same thing may differ by half, but rarely twofold.
    expect(text(delta(10, 11, 'worse'))).toBe('may be noise')
    expect(text(delta(10, 20, 'worse'))).toBe('n = 1')
    expect(text(delta(10, 20, 'worse', { counts: [2, 1] }))).toBe('n = 2 + 1')
    const known = delta(10, 20, null, { method: 'history', verdict: 'worse' })
    expect(text(known)).toBe('worse; beyond its history’s noise')
    expect(text(delta(1000, 1001, null))).toBe('equal')
    expect(text(delta(10, 11, null, { ...judged, verdict: 'worse' }))).toBe('worse; 8 rounds')
    const small = delta(10, 10.98, null, { ...judged, verdict: 'worse' })
    expect(text(small)).toBe('differs; by less than matters (±10 %)')
    expect(judgementWords(small, metric('p99'))).toMatchObject({ arrow: null, tone: 'muted' })
    expect(text(delta(10, 11, null, { ...judged, verdict: 'same' }))).toBe('same; within ±10 %')
    expect(text(delta(10, 11, null, { ...judged, moreRounds: 1 }))).toBe('undecided; 1 more round would decide')
    expect(text(delta(10, 11, null, judged))).toBe('undecided; 200 more rounds would not decide')
    expect(text(delta(10, 11, null, { ...judged, warnings: ['unproven'] }))).toBe(
      'undecided; rounds in a drawn order would decide',
    )
    const blocks = { ...judged, method: 'blocks+default', rounds: 0, counts: [4, 5] } as const
    expect(text(delta(10, 11, null, { ...blocks, verdict: 'worse' }))).toBe('worse; n = 4 + 5')
    expect(text(delta(10, 5, null, { reason: 'no request succeeded' }))).toBe('no verdict')
    expect(text(delta(1, 1, null), 'success-ratio')).toBe('nothing failed')
    expect(text(delta(0.9, 0.9, null), 'success-ratio')).toBe('equal')
  })
  it('show a difference in the unit of the values next to it', () => {
    const unit = columnUnit('ms', [0.475, 0.56])
    expect(differenceText(delta(0.475, 0.56, 'worse'), metric('p50'), unit)).toBe('+0.0850')
    expect(differenceText(delta(10, 10, null), metric('p50'), unit)).toBe('0')
    expect(differenceText(delta(0.9998, 0.9992, 'worse'), metric('success-ratio'), unit)).toBe('\u22120.06\u00a0pp')
  })
  it('never call a lost share of successes the same, and count it in points', () => {
    const lost = delta(0.9998, 0.9992, 'worse')
    expect(judgementWords(lost, metric('success-ratio')).word).toBe('n = 1')
    expect(changeText(lost, metric('success-ratio'))).toBe('\u22120.06\u00a0pp')
  })
})

describe('runs picked for a comparison', () => {
  it('compares the selected runs, the base first, once submitted', () => {
    expect(pickedSides(readPicked({ run: ['a', 'b', 'c'], base: 'b' }))).toEqual([['b'], ['a'], ['c']])
    expect(pickedSides(readPicked({ run: ['a', 'b'] }))).toEqual([['a'], ['b']])
    expect(pickedSides(readPicked({ base: 'a', candidate: 'b' }))).toEqual([['a'], ['b']])
    expect(pickedSides(readPicked({ run: ['a', 'b'], find: '1', q: ' ping ' }))).toBeNull()
    expect(pickedSides(readPicked({ run: 'a' }))).toBeNull()
    expect(pickedSides(readPicked({ run: Array.from({ length: 11 }, (_, at) => `r${at}`) }))).toBeNull()
  })
  it('adds runs to existing sides', () => {
    expect(pickedSides(readPicked({ to: 'a+b...c', run: ['d', 'c'] }))).toEqual([['a', 'b'], ['c'], ['d']])
    expect(pickedSides(readPicked({ to: 'a...b' }))).toBeNull()
  })
  it('proposes an older run of the same scenario and tool to compare with', () => {
    const listed = ['n', 'o', 'x', 'p'].map((id, at) => ({
      id,
      scenario: id === 'x' ? 'other' : 'ping',
      tool: 'hey' as const,
      orderedAt: `2026-11-${20 - at}`,
    }))
    expect(proposedRuns(readPicked({ candidate: 'o' }), listed)).toEqual(['p', 'o'])
    expect(proposedRuns(readPicked({ candidate: 'x' }), listed)).toEqual(['x'])
    expect(proposedRuns(readPicked({}), listed)).toEqual([])
    expect(proposedRuns(readPicked({ run: ['n', 'o'], base: 'o', find: '1' }), listed)).toEqual(['o', 'n'])
  })
})

describe('addresses of matrices', () => {
  it('reads what is known and ignores the rest', () => {
    const query = readMatrixQuery({
      runs: 'a,b',
      tool: 'nonsense',
      metric: ['p99', 'mean,p50'],
      columns: 'environment',
    })
    expect(query).toMatchObject({
      filter: { runIds: ['a', 'b'] },
      metricIds: ['p99', 'mean', 'p50'],
      columnsBy: 'environment',
    })
    expect(query.filterParts).toEqual([['runs', 'a,b']])
    expect(chosenMetrics(query.metricIds, []).map((one) => one.id)).toEqual(['p99', 'mean', 'p50'])
  })

  it('sweeps what was served where the offered rate is one, and reads the part of a long table', async () => {
    const { runs } = await storedDocument('zlib-gzip')
    const ids = (view: 'table' | 'sweep') => chosenMetrics(null, runs, view).map(({ id }) => id)
    expect(ids('table')).toEqual(['requests-per-second', 'p99'])
    expect(ids('sweep')).toEqual(['throughput', 'p99'])
    const query = readMatrixQuery({ part: '2', rows: 'scenario' })
    expect([query.part, searchOf(query)]).toEqual([2, 'rows=scenario'])
    expect(readMatrixQuery({ part: '0' }).part).toBe(1)
  })
  it('filters runs like their list, and says how', () => {
    const query = readMatrixQuery({
      upload: 'u1',
      variant: 'zlib',
      text: ' payload ',
      label: ['commit=a=b', 'nonsense', '=x'],
      scenario: 'x'.repeat(201),
      environment: 'a\0b',
    })
    expect(query.filter).toEqual({
      uploadId: 'u1',
      variant: 'zlib',
      text: 'payload',
      labels: { commit: 'a=b' },
    })
    expect(query.filterParts).toEqual([
      ['upload', 'u1'],
      ['variant', 'zlib'],
      ['text', 'payload'],
      ['label', 'commit=a=b'],
    ])
    expect(narrowedWords(query)).toEqual(['variant zlib', 'text payload', 'commit=a=b'])
  })
  it('accepts any two fields as axes, and round-trips', () => {
    const address = 'variant=zlib&label=a%3Db&rows=label%3Acontent-encoding&columns=label%3Apayload&metric=p99%2Cmean'
    const params = new URLSearchParams(address)
    const query = readMatrixQuery(Object.fromEntries(params))
    expect(query).toMatchObject({ rowsBy: 'label:content-encoding', columnsBy: 'label:payload' })
    expect(searchOf(query)).toBe(address)
    expect(searchOf(query, { metric: null, columns: 'tool' })).toBe(
      'variant=zlib&label=a%3Db&rows=label%3Acontent-encoding&columns=tool',
    )
    expect(readMatrixQuery({ rows: 'nonsense', columns: 'label:' })).toMatchObject({ rowsBy: null, columnsBy: null })
  })
})

describe('the percentiles of a comparison', () => {
  const idsOf = async (
    factors: Partial<Record<'p50Ms' | 'p75Ms' | 'p90Ms' | 'p95Ms' | 'p99Ms', number>>,
    query = '',
  ) => {
    const [run] = (await storedDocument('lambda-dispatcher-vs-direct')).runs
    if (!run) throw new Error('a run expected')
    const figures = { ...run.figures, meanMs: 30, p50Ms: 20, p75Ms: 30, p90Ms: 50, p95Ms: 60, p99Ms: 90 }
    const changed = Object.entries(factors).map(([key, factor]) => [key, factor * figures[key as keyof typeof factors]])
    const base: StoredRun = { ...run, id: 'base', variant: 'a', figures }
    const head: StoredRun = {
      ...run,
      id: 'head',
      variant: 'b',
      figures: { ...figures, ...Object.fromEntries(changed) },
    }
    const rows = prepareComparison([[base], [head]], viewOf(query), () => null)?.comparison.rows ?? []
    return rows.map(({ metric: { id } }) => id).filter((id) => /^p\d/.test(id))
  }

  it('include the ones in between where they differ most, and by how much', async () => {
    expect(await idsOf({})).toEqual(['p50', 'p99'])
    expect(await idsOf({ p99Ms: 1.3, p90Ms: 1.2 })).toEqual(['p50', 'p99'])
    expect(await idsOf({ p99Ms: 1.05, p90Ms: 1.4, p95Ms: 1.3 })).toEqual(['p50', 'p90', 'p95', 'p99'])
    expect(await idsOf({ p95Ms: 0.7 })).toEqual(['p50', 'p95', 'p99'])
    expect(await idsOf({ p95Ms: 1.03 })).toEqual(['p50', 'p99'])
    expect(await idsOf({ p75Ms: 1.6, p99Ms: 1.2 })).toEqual(['p50', 'p75', 'p99'])
  })
  it('are the requested ones, if any', async () => {
    expect(await idsOf({ p90Ms: 1.4 }, 'm=p99')).toEqual(['p99'])
    expect(await idsOf({}, 'm=p90,p99')).toEqual(['p90', 'p99'])
  })
})
