import { expect, it } from 'vitest'
import { csvOf } from '@/components/charts/plot/csv'
import { preparePercentiles } from '@/components/charts/percentiles'
import { prepareTimeline } from '@/components/charts/timeline'
import { storedDocument } from '../../stored-runs'
import { runsOf } from '../../read-fixture'

const linesOf = (text: string) => text.trimEnd().split('\r\n')

it('percentiles are written unrounded, with the max in its own row', async () => {
  const { runs } = await storedDocument('zlib-gzip')
  const [run] = runs
  if (run === undefined) throw new Error('no run')
  const prepared = preparePercentiles([{ id: run.id, name: 'a, b', imported: run.imported }])
  const [head, ...rows] = linesOf(csvOf(prepared?.plot ?? expect.fail('no plot')))
  expect(head).toBe('percentile,"a, b","a, b, max"')
  const p99 = run.imported.latencies[0]?.quantiles.find(({ q }) => q === 0.99)?.ms
  expect(rows).toContain(`p99,${p99},`)
  expect(rows.at(-1)).toBe(`max,,${run.figures.maxMs}`)
})

it('time series have one row per bin, with counts and latencies', async () => {
  const [run] = await runsOf({ fixture: 'vegeta-csv/three-targets-by-latency.csv' })
  const timeline = run?.timeline ?? expect.fail('no timeline')
  const [head, ...rows] = linesOf(csvOf(prepareTimeline(timeline)?.plot ?? expect.fail('no plot')))
  expect(head?.startsWith('ms since the start,')).toBe(true)
  expect(rows).toHaveLength(timeline.requests.length)
  const cells = rows.map((row) => row.split(',').map(Number))
  expect(cells.map(([ms]) => ms)).toEqual(timeline.requests.map((_, bin) => bin * timeline.binMs))
  const perSecond = (count: number) => count / (timeline.binMs / 1_000)
  cells.forEach((row, bin) => expect(row[1]).toBeCloseTo(perSecond(timeline.requests[bin] ?? Number.NaN), 3))
})
