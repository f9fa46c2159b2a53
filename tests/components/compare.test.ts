import { describe, expect, it } from 'vitest'
import { compareUrl, readRef, readSides, writeSides } from '@/lib/judge/compare-url'
import { changedView, readCompareView, viewOf, readMetricIds } from '@/components/compare/compare-view-state'
import { groupRepeats, ungroup } from '@/components/compare/group-repeats'
import { changeText, deltaWords, differenceText } from '@/components/compare/delta-words'
import { distinctNames } from '@/components/compare/distinct-names'
import { chosenMetrics, narrowedWords, readMatrixQuery, searchOf } from '@/components/matrix/matrix-url'
import type { Delta } from '@/lib/judge/comparison'
import { columnUnit } from '@/lib/format'
import { findMetric } from '@/lib/run/metrics'

const run = (scenario: string, variant: string | null = null, environment: string | null = null) => ({
  scenario,
  variant,
  environment,
})

describe('addresses of comparisons', () => {
  it('reads ids in order, each once, encoded or not', () => {
    expect(readSides('a...b...a')).toEqual([['a'], ['b']])
    expect(readSides(encodeURIComponent('a...b'))).toEqual([['a'], ['b']])
    expect(readSides('...')).toBeNull()
    expect(readSides('%E0')).toBeNull()
    expect(readSides(Array.from({ length: 11 }, (_, index) => `r${index}`).join('...'))).toBeNull()
    expect(readSides(Array.from({ length: 41 }, (_, index) => `r${index}`).join('+'))).toBeNull()
  })
  it('reads repeats of a side, and the newest run that fits', () => {
    const sides = [['a', 'b'], ['commit:1+1@latest']]
    expect(readSides(writeSides(sides))).toEqual(sides)
    expect(readSides('a%2Bb...c')).toEqual([['a', 'b'], ['c']])
    expect(readRef('abc')).toEqual({ kind: 'id', id: 'abc' })
    expect(readRef('gzip@latest')).toEqual({ kind: 'latest', filter: { variant: 'gzip' } })
    expect(readRef('environment:c6i:xl@latest')).toEqual({ kind: 'latest', filter: { environment: 'c6i:xl' } })
    expect(readRef('commit:4f2a@latest')).toEqual({ kind: 'latest', filter: { labels: { commit: '4f2a' } } })
  })
  it('holds the whole view, in one order, without what it does not know', () => {
    const view = readCompareView({
      slo: '250',
      m: 'p99',
      axis: 'log',
      shape: 'ecdf',
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
      tables: ['shift', 'over-time'],
      cost: { rate: '100' },
      query: 'm=p99&slo=250&shape=ecdf&axis=log&table=shift.over-time&cost.rate=100',
    })
    expect(viewOf(view.query)).toEqual(view)
    expect(changedView(view, { shape: null, sloMs: null }).query).toBe(
      'm=p99&axis=log&table=shift.over-time&cost.rate=100',
    )
    expect(readCompareView({ shape: 'pie', axis: 'up' }).query).toBe('')
    for (const slo of ['0', '-1', 'x', '1e99', '']) expect(readCompareView({ slo }).sloMs).toBeNull()
  })
  it('proposes repeats where runs are of one series, and takes them apart again', () => {
    const run = (id: string, seriesId: string) => ({ id, seriesId })
    const apart = [[run('a', '1')], [run('b', '2')], [run('c', '1')]]
    expect(groupRepeats(apart)).toEqual([['a', 'c'], ['b']])
    expect(ungroup(apart, 10)).toBeNull()
    const together = [[run('a', '1'), run('c', '1')], [run('b', '2')]]
    expect(groupRepeats(together)).toBeNull()
    expect(ungroup(together, 10)).toEqual([['a'], ['c'], ['b']])
    // All of one series: nothing would be left to compare.
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
  it('takes what differs, as short as it can be', () => {
    expect(distinctNames([run('s', 'a', 'x'), run('s', 'b', 'y')])).toEqual(['a', 'b'])
    expect(distinctNames([run('s', null, 'x'), run('s', null, 'y')])).toEqual(['x', 'y'])
    expect(distinctNames([run('s', 'a'), run('t', 'a')])).toEqual(['s', 't'])
    expect(distinctNames([run('s', 'a', 'x'), run('s', 'b', 'x'), run('s', 'a', 'y')])).toEqual([
      'a · x',
      'b · x',
      'a · y',
    ])
    expect(distinctNames([run('s', 'a'), run('s', 'a')])).toEqual(['a (1)', 'a (2)'])
  })
})

describe('deltaWords', () => {
  const metric = (id: string) => findMetric(id) ?? expect.fail(`no metric ${id}`)
  const delta = (base: number, value: number, verdict: Delta['verdict']): Delta => ({
    value,
    spreadRatio: null,
    counts: [1, 1],
    shift: null,
    noiseRatio: null,
    evidence: 'single',
    absolute: value - base,
    changeRatio: value / base - 1,
    factor: value / base,
    verdict,
    reason: null,
  })

  it('says better, worse, or that it is too little to speak of', () => {
    expect(deltaWords(delta(10, 11, 'worse'), metric('p99'))).toEqual({ arrow: 'up', word: 'worse?', tone: 'worse' })
    const shown: Delta = { ...delta(10, 11, 'worse'), evidence: 'shown' }
    expect(deltaWords(shown, metric('p99')).word).toBe('worse')
    expect(deltaWords({ ...shown, evidence: 'not-shown' }, metric('p99'))).toMatchObject({ word: '~', tone: 'muted' })
    expect(deltaWords(delta(1000, 1001, 'worse'), metric('p99')).word).toBe('~ same')
    expect(deltaWords(delta(10, 11, 'neutral'), metric('requests')).word).toBe('more')
  })
  it('shows a difference in the unit of the values beside it', () => {
    const unit = columnUnit('ms', [0.475, 0.56])
    expect(differenceText(delta(0.475, 0.56, 'worse'), metric('p50'), unit)).toBe('+0.0850')
    expect(differenceText(delta(10, 10, 'same'), metric('p50'), unit)).toBe('0')
    expect(differenceText(delta(0.9998, 0.9992, 'worse'), metric('success-ratio'), unit)).toBe('\u22120.06\u00a0pp')
  })
  it('never calls a lost share of successes the same, and counts it in points', () => {
    const lost = delta(0.9998, 0.9992, 'worse')
    expect(deltaWords(lost, metric('success-ratio')).word).toBe('worse?')
    expect(changeText(lost, metric('success-ratio'))).toBe('\u22120.06\u00a0pp')
  })
})

describe('addresses of matrices', () => {
  it('reads what is known and leaves out the rest', () => {
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
  it('narrows runs as their list does, and says to what', () => {
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
  it('takes any two fields as axes, and says again what it read', () => {
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
