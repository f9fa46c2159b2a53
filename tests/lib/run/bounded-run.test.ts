import { describe, expect, it } from 'vitest'
import { boundRun, maxListed } from '@/lib/run/bounded-run'
import { errorCountOf, successCount } from '@/lib/run/figures'
import type { Target } from '@/lib/run/run'
import { sampleRun } from '../../queries/samples'

const things = 300_000
const each = <Item>(make: (index: number) => Item): Item[] => Array.from({ length: things }, (_, index) => make(index))
const counts = (name: (index: number) => string) => Object.fromEntries(each((index) => [name(index), 1 + (index % 7)]))
const target = (index: number): Target => ({
  method: 'GET',
  url: `http://127.0.0.1/${index}`,
  count: index,
  errors: 0,
  bytesIn: 0,
  meanMs: 1,
  p50Ms: 1,
  p95Ms: 1,
  p99Ms: 1,
  maxMs: 1,
})

describe('boundRun', () => {
  it('leaves a run alone whose lists are short', () => {
    const run = sampleRun({ errors: [{ message: 'refused', count: 3 }], statusCodes: { 200: 7, 999: 1 } })
    expect(boundRun(run)).toBe(run)
  })

  it('lists the most frequent of 300,000 things, says so, and stays small', () => {
    const run = sampleRun({
      errors: each((index) => ({ message: `error ${index}`, count: 1 + (index % 3) })),
      statusCodes: { 200: 5, 503: 2, ...counts((index) => `${1_000 + index}`) },
      targets: each(target),
      measures: each((index) => ({ name: `m${index}`, value: index, unit: null, line: null })),
      warnings: each((index) => ({ code: 'odd', message: `warning ${index}`, line: index })),
    })
    const bounded = boundRun(run)
    expect(JSON.stringify(bounded).length).toBeLessThan(200_000)
    expect(bounded.errors).toHaveLength(maxListed + 1)
    expect(bounded.errors.at(-1)?.message).toBe('299,800 other errors')
    expect(bounded.targets?.[0]?.count).toBe(things - 1)
    expect(bounded.warnings).toHaveLength(maxListed)
    expect(bounded.warnings.at(-1)?.message).toBe(
      'There are 300,000 different errors, 300,000 status codes that HTTP does not have, 300,000 addresses, 300,000 other figures, 300,000 warnings: 200 are listed, and the uploaded file has all.',
    )
    // What is computed from the lists stays what it was.
    expect(errorCountOf(bounded)).toBe(errorCountOf(run))
    expect(successCount(bounded)).toBe(successCount(run))
    expect(boundRun(bounded)).toBe(bounded)
  })

  it('invents no count for errors that were printed without one', () => {
    const run = sampleRun({ errors: each((index) => ({ message: `error ${index}`, count: index === 9 ? null : 1 })) })
    expect(boundRun(run).errors.at(-1)?.count).toBeNull()
  })

  it('keeps every status code that HTTP has', () => {
    const codes = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${100 + index}`, index]))
    expect(boundRun(sampleRun({ statusCodes: codes })).statusCodes).toEqual(codes)
  })
})
