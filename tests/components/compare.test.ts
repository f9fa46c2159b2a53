import { describe, expect, it } from 'vitest'
import { compareUrl, readMetricIds, readRefs } from '@/components/compare/compare-url'
import { changeText, deltaWords, differenceText } from '@/components/compare/delta-words'
import { distinctNames } from '@/components/compare/distinct-names'
import { chosenMetrics, narrowedWords, readMatrixQuery } from '@/components/matrix/matrix-url'
import type { Delta } from '@/lib/comparison'
import { columnUnit } from '@/lib/format'
import { findMetric } from '@/lib/metrics'

const run = (scenario: string, variant: string | null = null, environment: string | null = null) => ({
  scenario,
  variant,
  environment,
})

describe('addresses of comparisons', () => {
  it('reads ids in order, each once, encoded or not', () => {
    expect(readRefs('a...b...a')).toEqual(['a', 'b'])
    expect(readRefs(encodeURIComponent('a...b'))).toEqual(['a', 'b'])
    expect(readRefs('...')).toBeNull()
    expect(readRefs('%E0')).toBeNull()
    expect(readRefs(Array.from({ length: 11 }, (_, index) => `r${index}`).join('...'))).toBeNull()
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
    expect(query.kept).toEqual([['runs', 'a,b']])
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
    expect(query.kept).toEqual([
      ['upload', 'u1'],
      ['variant', 'zlib'],
      ['text', 'payload'],
      ['label', 'commit=a=b'],
    ])
    expect(narrowedWords(query)).toEqual(['variant zlib', 'text payload', 'commit=a=b'])
  })
})
