import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toCsv } from '@/lib/export/csv'
import { leadingLatency } from '@/lib/run/figures'
import { toHgrm } from '@/lib/export/hgrm'
import { percentileRows, targetRows, timelineRows } from '@/lib/export/run-csv'
import { runsOf } from '../../read-fixture'

const raw = async (fixture: string) => {
  const [run] = await runsOf({ fixture })
  if (!run) throw new Error(`${fixture} has a run`)
  return run
}

describe('toCsv', () => {
  it('quotes only where needed, and leaves gaps empty', () => {
    expect(toCsv([['a', 'b,c', 'd"e', 'f\ng', null, 1.5, Number.NaN]])).toBe('a,"b,c","d""e","f\ng",,1.5,\r\n')
  })
  it('defuses texts that a spreadsheet would execute, never numbers', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '|cmd', '%1', '＝1'])
      expect(toCsv([[text]])).toMatch(/^"?'/)
    expect(toCsv([[-1.5, 1e-7, -0.25, 'GET', 'http://a/?b=1']])).toBe('-1.5,1e-7,-0.25,GET,http://a/?b=1\r\n')
  })
})

describe('a run as CSV', () => {
  it('has every bin and every target, summing to the requests', async () => {
    const run = await raw('vegeta-csv/three-targets-by-latency.csv')
    const sum = (rows: ReturnType<typeof targetRows>, column: string) => {
      const at = rows?.[0]?.indexOf(column) ?? -1
      return rows?.slice(1).reduce((total, row) => total + Number(row[at]), 0)
    }
    expect(sum(timelineRows(run), 'requests')).toBe(run.requests)
    expect(sum(targetRows(run), 'requests')).toBe(run.requests)
    expect(targetRows(run)).toHaveLength((run.targets?.length ?? 0) + 1)
  })
  it('marks which percentiles are exact', async () => {
    const run = await raw('vegeta-csv/three-targets-by-latency.csv')
    const rows = percentileRows(run).filter(([of]) => of === 'all')
    for (const { q, ms } of leadingLatency(run)?.quantiles ?? [])
      expect(rows).toContainEqual(['all', expect.any(String), q, ms, 'yes'])
    expect(rows.some((row) => row[4] === 'no')).toBe(true)
    const values = rows.map((row) => Number(row[3]))
    expect(values).toEqual(values.toSorted((a, b) => a - b))
  })
  it('is null if nothing is known', async () => {
    const [printed] = await runsOf({ document: 'zlib-gzip' })
    if (!printed) throw new Error('a run expected')
    expect(timelineRows(printed)).toBeNull()
    expect(targetRows(printed)).toBeNull()
    const latency = leadingLatency(printed)
    expect(latency && toHgrm(latency)).toBeNull()
  })
})

describe('toHgrm', () => {
  it('prints what a reader of percentile files reads back, in the columns of other writers', async () => {
    const latency = leadingLatency(await raw('vegeta-csv/three-targets-by-latency.csv'))
    const text = latency && toHgrm(latency)
    if (!latency || !text) throw new Error('a histogram expected')
    const [head, blank, first] = text.split('\n')
    const [otherHead, otherBlank, otherFirst] = readFileSync(
      'tests/fixtures/hdr-percentiles/nanoseconds.hgrm',
      'utf8',
    ).split(/\r?\n/)
    expect([head, blank]).toEqual([otherHead, otherBlank])
    expect(first).toMatch(/^ *\d+\.\d{3,6} 0\.0{12} +\d+ +1\.00$/)
    expect(otherFirst).toMatch(/^ *\d+\.\d+ 0\.0{12} +\d+ +1\.00$/)
    const [run] = await runsOf({ text })
    const back = run && leadingLatency(run)
    expect(run?.tool).toBe('hdr')
    expect(back?.count).toBe(latency.count)
    expect(Math.abs((back?.maxMs ?? 0) / (latency.maxMs ?? 1) - 1)).toBeLessThan(0.002)
    expect(Math.abs((back?.meanMs ?? 0) / (latency.meanMs ?? 1) - 1)).toBeLessThan(0.002)
  })
})
