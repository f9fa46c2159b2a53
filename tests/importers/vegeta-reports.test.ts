import { describe, expect, it } from 'vitest'
import { vegetaJson } from '@/importers/vegeta/vegeta-json'
import { vegetaText } from '@/importers/vegeta/vegeta-text'
import { readBlocks } from './read-block'

const report = [
  'Requests      [total, rate, throughput]  21000, 350.02, 199.90',
  'Duration      [total, attack, wait]      1m29.997s, 59.997s, 30.000s',
  'Latencies     [mean, 50, 95, 99, max]    8.715s, 4.661s, 30.001s, 30.001s, 30.011s',
  'Bytes In      [total, mean]              5526528000, 263168.00',
  'Bytes Out     [total, mean]              0, 0.00',
  'Success       [ratio]                    85.67%',
  'Status Codes  [code:count]               0:3009  200:17990  500:1  ',
  'Error Set:',
  '500 Internal Server Error',
]
const text = (lines: readonly string[]) => lines.join('\n')
const oneRun = (lines: readonly string[]) => {
  const runs = readBlocks(vegetaText, text(lines)).flatMap(({ runs }) => runs)
  expect(runs).toHaveLength(1)
  return runs[0]
}

describe('vegetaText', () => {
  it('keeps the printed ratio next to the exact number of successes', () => {
    const run = oneRun(report)
    expect(run).toMatchObject({
      successRatio: 0.8567,
      successes: 17_990,
      requests: 21_000,
      toolVersion: '12.6-12.7',
      durationMs: 89_997,
      statusCodes: { 0: 3009, 200: 17_990, 500: 1 },
      errors: [{ message: '500 Internal Server Error', count: null }],
      complete: true,
    })
    expect(run?.latencies[0]?.quantiles).toEqual([
      { q: 0.5, ms: 4661 },
      { q: 0.95, ms: 30_001 },
      { q: 0.99, ms: 30_001 },
    ])
    expect(run?.latencies[0]).toMatchObject({ minMs: null, meanMs: 8715, maxMs: 30_011, count: 21_000 })
    expect(run?.printed['waitMs']).toBe('30.000s')
  })

  it('reads rows that an editor squeezed, wrapped and spaced out', () => {
    const run = oneRun([
      '       Requests [total, rate, throughput] 1000, 1001.47, 10.01',
      '       Duration [total, attack, wait] 998.672ms, 998.536ms, 135.683µs',
      '       Latencies [min, mean, 50, 90, 95, 99, max] 124.393µs, 166.802µs,',
      '       144.693µs, 167.041µs, 179.706µs, 1.133ms, 2.023ms',
      '       Bytes In [total, mean] 349960, 349.96',
      '       Bytes Out [total, mean] 0, 0.00',
      '',
      '       Success [ratio] 1.00%',
      '       Status Codes [code:count] 200:10 429:990',
      '',
      '       Error Set:',
      '       429 Too Many Requests',
      '',
      '    We should see around ten HTTP200 requests',
    ])
    expect(run).toMatchObject({ complete: true, successRatio: 0.01, errors: [{ message: '429 Too Many Requests' }] })
    expect(run?.latencies[0]).toMatchObject({ minMs: 0.124393, maxMs: 2.023 })
    expect(run?.latencies[0]?.quantiles.map(({ ms }) => ms)).toEqual([0.144693, 0.167041, 0.179706, 1.133])
  })

  it('is complete without the error set that an author omitted, if the codes add up', () => {
    expect(oneRun([...report.slice(0, 7), '```'])).toMatchObject({ complete: true, errors: [] })
    expect(oneRun(report.slice(0, 7))).toMatchObject({ complete: true, errors: [] })
  })

  it('does not read a line below an error set as a message if it cannot be one', () => {
    const good = [...report.slice(0, 5), 'Success [ratio] 100.00%', 'Status Codes [code:count] 200:21000', 'Error Set:']
    for (const next of ['=== next ===', 'Mean of three runs: 12 ms', '===================='])
      expect(oneRun([...good, next])).toMatchObject({ errors: [] })
    const notFound = [...report.slice(0, 6), 'Status Codes [code:count] 404:21000', 'Error Set:', '404 Not Found']
    expect(oneRun([...notFound, 'The latency is fine.'])?.errors).toHaveLength(1)
  })

  it('does not trust the last value of a truncated row', () => {
    const cut = text(report.slice(0, 3)).replace('30.011s', '30.011')
    const [block] = readBlocks(vegetaText, cut)
    expect(block?.runs[0]).toMatchObject({ complete: false, requests: 21_000 })
    expect(block?.runs[0]?.latencies[0]?.maxMs).toBeNull()
    expect(block?.problems.map(({ code }) => code)).toContain('truncated')
    expect(() => readBlocks(vegetaText, 'Requests      [total, rate')).toThrow('before its first figure')
    expect(readBlocks(vegetaText, 'Requests [total] are all that were sent.')).toEqual([])
  })

  it('omits what was never measured', () => {
    const run = oneRun([
      'Requests      [total, rate]            0, NaN',
      'Duration      [total, attack, wait]    -2562047h47m16.854775808s, -2562047h47m16.854775808s, 0s',
      'Latencies     [mean, 50, 95, 99, max]  0s, 0s, 0s, 0s, 0s',
      'Bytes In      [total, mean]            0, NaN',
      'Bytes Out     [total, mean]            0, NaN',
      'Success       [ratio]                  NaN%',
      'Status Codes  [code:count]             ',
      'Error Set:',
    ])
    expect(run).toMatchObject({
      requests: 0,
      durationMs: null,
      successRatio: null,
      requestsPerSecond: null,
      latencies: [],
    })
    expect(run?.warnings.map(({ code }) => code)).toEqual(['no-results'])
    const unclosed = oneRun([
      'Requests      [total, rate, throughput]         480, 0.00, 0.00',
      'Duration      [total, attack, wait]             0s, 0s, 0s',
      'Latencies     [min, mean, 50, 90, 95, 99, max]  1.68ms, 0s, 0s, 0s, 0s, 0s, 3.393s',
      'Bytes In      [total, mean]                     6240, 0.00',
      'Bytes Out     [total, mean]                     0, 0.00',
      'Success       [ratio]                           0.00%',
      'Status Codes  [code:count]                      200:480',
      'Error Set:',
    ])
    expect(unclosed).toMatchObject({ requests: 480, successes: 480, successRatio: null, durationMs: null })
    expect(unclosed?.latencies[0]).toMatchObject({ minMs: 1.68, meanMs: null, quantiles: [], maxMs: 3393 })
    expect(unclosed?.warnings.map(({ code }) => code)).toEqual(['not-computed'])
  })

  it('separates reports that follow each other, except for the snapshots of -every', () => {
    const both = text([...report, ...report])
    expect(readBlocks(vegetaText, both).map(({ lines }) => lines)).toEqual([
      [1, 9],
      [10, 18],
    ])
    const [every, ...others] = readBlocks(vegetaText, both, [1])
    expect(others).toEqual([])
    expect(every).toMatchObject({ lines: [1, 18], runs: [{ lines: [10, 18], complete: true }] })
    expect(readBlocks(vegetaText, both, [1, 10])[0]?.runs[0]).toMatchObject({ complete: false })
  })
})

const metrics = {
  latencies: { total: 9, mean: 1_500_000, '50th': 1_000_000, '95th': 2_000_000, '99th': 2_000_000, max: 2_000_001 },
  bytes_in: { total: 2, mean: 1 },
  bytes_out: { total: 0, mean: 0 },
  earliest: '2021-02-10T18:11:17.123456789+05:30',
  latest: '2021-02-10T18:11:18.123456789+05:30',
  end: '2021-02-10T18:11:18.125456789+05:30',
  duration: 1_000_000_000,
  wait: 2_000_000,
  requests: 2,
  rate: 2,
  success: 0.5,
  status_codes: { 200: 1, 404: 1 },
  errors: null,
}

describe('vegetaJson', () => {
  const read = (json: string) => readBlocks(vegetaJson, json).flatMap(({ runs }) => runs)

  it('reads every layout of the same object', () => {
    const sorted = Object.fromEntries(Object.entries(metrics).sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const value of [metrics, sorted])
      for (const indent of [0, 1, 2, 4])
        expect(read(JSON.stringify(value, null, indent))).toMatchObject([
          {
            startedAt: '2021-02-10T12:41:17.123Z',
            toolVersion: '<12.6',
            durationMs: 1002,
            attackMs: 1000,
            successes: 1,
            complete: true,
            latencies: [{ meanMs: 1.5, maxMs: 2.000001, minMs: null }],
          },
        ])
  })

  it('reads whole members of a truncated object, and says so', () => {
    const json = JSON.stringify(metrics, null, 2)
    const [block] = readBlocks(vegetaJson, json.slice(0, json.indexOf('"wait"')))
    expect(block?.runs).toMatchObject([{ complete: false, attackMs: 1000, requests: null }])
    expect(block?.problems.map(({ code }) => code)).toEqual(['truncated'])
    expect(() => read('{"latencies":{"total":12')).toThrow('before its first figure')
  })

  it.each([
    '{',
    '{}',
    '{"a": 1}',
    '{\n  "latencies": {}\n}',
    '{"latencies":{"50th":"x"},"bytes_in":{}}',
    `{"latencies":${'['.repeat(100)}`,
    '{"attack":"","seq":0,"code":200,"timestamp":"2026-11-21T02:13:41Z","latency":1}',
    '{\n "results": {\n  "latencies": {"50th": 1}\n }\n}',
  ])('leaves %j to other importers', (json) => {
    expect(read(json)).toEqual([])
  })

  it('takes no key for more than it is', () => {
    const json = JSON.stringify(metrics).replace('"404":1', '"__proto__":7,"404":1,"constructor":1')
    expect(read(json)[0]?.statusCodes).toEqual({ 200: 1, 404: 1 })
    expect(read(json)).toMatchObject([{ complete: true }])
  })
})
