import { describe, expect, it } from 'vitest'
import { lambdaReport } from '@/importers/lambda/lambda-report'
import { lambdaTable } from '@/importers/lambda/lambda-table'
import { maxExactSamples, NumberSamples } from '@/importers/samples/number-samples'
import { RequestIds, RequestKey } from '@/importers/lambda/request-ids'
import { readBlocks } from './read-block'

const id = (number: number) => `0b109d1b-94d0-469b-90f5-${number.toString(16).padStart(12, '0')}`
const report = (number: number, ms = '12.34', rest = '') =>
  `REPORT RequestId: ${id(number)}\tDuration: ${ms} ms\tBilled Duration: 13 ms\tMemory Size: 128 MB\tMax Memory Used: 70 MB\t${rest}`
const read = (...lines: readonly string[]) => readBlocks(lambdaReport, lines.join('\n'))
const runOf = (...lines: readonly string[]) => {
  const runs = read(...lines).flatMap(({ runs }) => runs)
  expect(runs).toHaveLength(1)
  return runs[0]
}

describe('lambdaReport', () => {
  it('reads fields by name, in any order and with any separators', () => {
    const run = runOf(
      report(1, '1.5', 'Init Duration: 211.05 ms\t'),
      `REPORT RequestId: ${id(2)} Init Duration: 0.10 ms Duration: 92.44 ms Billed Duration: 100 ms  Memory Size: 128 MB Max Memory Used: 128 MB`,
      `out.log:12:${report(3, '2.00', 'Restore Duration: 398.97 ms\tBilled Restore Duration: 182 ms\tStatus: timeout')}`,
      '"message": "' +
        report(4, '3.00', 'Status: error\tError Type: Runtime.ExitError\t').replaceAll('\t', '\\t') +
        '\\n",',
    )
    expect(run).toMatchObject({
      requests: 4,
      successes: 2,
      errors: [
        { message: 'Status: timeout', count: 1 },
        { message: 'Runtime.ExitError', count: 1 },
      ],
      lambda: {
        coldStarts: 2,
        restoreMs: { count: 1, sum: 398.97 },
        billedRestoreMs: { sum: 182 },
        memorySizeMb: { 128: 4 },
        statuses: { success: 2, timeout: 1, error: 1 },
      },
    })
    expect(run?.latencies.map(({ of, count }) => [of, count])).toEqual([
      ['all', 4],
      ['success', 2],
      ['failure', 2],
    ])
  })

  it('reads what Serverless prints instead of a report, but no time in an unknown zone', () => {
    const time = '2026-11-21 02:00:04.354'
    const whole = report(1, '1.5', 'Init Duration: 211.05 ms\t').replace(/REPORT \S+ \S+\t/, 'END ')
    const run = runOf('START', `${time}\tINFO\tok`, 'END Duration: 7.25 ms (init: 20.5 ms) Memory Used: 71 MB', whole)
    expect(run).toMatchObject({
      requests: 2,
      startedAt: null,
      lambda: { initMs: { sum: 231.55 }, billedMs: { count: 1 }, maxMemoryUsedMb: { sum: 141 } },
    })
    expect(runOf(report(1), `${time} (+01:00)\t${id(2)}\tok`)?.startedAt).toBe('2026-11-21T01:00:04.354Z')
  })

  it('assembles a report that was printed in fields or wrapped by a terminal', () => {
    const whole = runOf(report(1, '31920.84', 'Init Duration: 811.55 ms\t'))
    const perField = report(1, '31920.84', 'Init Duration: 811.55 ms').split('\t')
    expect(runOf(...perField, '', 'Duration: 5 ms')).toEqual({ ...whole })
    const flat = report(1, '31920.84', 'Init Duration: 811.55 ms').replaceAll('\t', ' ')
    for (let width = 60; width <= 140; width++) {
      const torn = flat.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
      expect(runOf(...torn, 'END'), `torn at ${width}`).toEqual(whole)
    }
  })

  it('does not read digits that ran together as a duration, and reports the lost line', () => {
    const [block] = read(report(1), report(2, '105125128582112.5'), report(3))
    expect(block?.runs[0]).toMatchObject({ requests: 2, complete: false, latencies: [{ count: 2, maxMs: 12.34 }] })
    expect(block?.problems.map(({ line }) => line)).toContain(2)
  })
  it('counts repeated request ids once', () => {
    const run = runOf(report(1), report(1), report(2))
    expect(run?.requests).toBe(2)
    expect(run?.warnings.map(({ code }) => code)).toEqual(['repeated-request-ids'])
  })

  it('finds a timeout in an old log in its line, before or after the report', () => {
    const line = (number: number) => `2018-01-01T00:00:00.000Z ${id(number)} Task timed out after 3.00 seconds`
    const run = runOf(line(1), report(1), report(2), line(2), report(3))
    expect(run?.lambda?.statuses).toEqual({ timeout: 2, success: 1 })
  })

  it('finds a process that exited on its own in its line, before or after the report', () => {
    const ended = (number: number, how: string) => `    RequestId: ${id(number)} ${how}`
    const run = runOf(
      report(1),
      ended(1, 'Process exited before completing request'),
      ended(2, 'Error: Runtime exited with error: signal: killed'),
      report(2),
      ended(3, 'Error: Runtime exited without providing a reason'),
      report(3, '3.00', 'Status: timeout'),
      report(4),
      `The process of ${id(4)} exited before lunch`,
    )
    expect(run).toMatchObject({ requests: 4, successes: 1, lambda: { statuses: { error: 2, timeout: 1, success: 1 } } })
  })

  it('does not count lookalikes of a report', () => {
    const run = runOf(
      'INIT_REPORT Init Duration: 10007.33 ms\tPhase: init\tStatus: timeout',
      report(1),
      'Duration: 12 ms',
      'REPORT RequestId: is what to look for',
      'Our function: Memory Size: 512 MB  Max Memory Used: 80 MB',
      'It had Duration: 12 ms, Billed Duration: 13 ms.',
    )
    expect(run).toMatchObject({ requests: 1, complete: true })
    expect(read(`START RequestId: ${id(1)} Version: $LATEST`, `END RequestId: ${id(1)}`)).toEqual([])
  })

  it('says that the last line is truncated', () => {
    const [block] = read(report(1), report(2).slice(0, 80))
    expect(block?.runs).toMatchObject([{ requests: 1, complete: false }])
    expect(block?.problems).toMatchObject([{ code: 'truncated', line: 2 }])
    expect(() => read(report(1).slice(0, 70))).toThrow('truncated')
  })

  it('groups by function, if the log names it, and counts log streams', () => {
    const stream = (letter: string) => `2026/11/21/[$LATEST]${letter.repeat(32)}`
    const [block] = read(
      `2026-11-21T02:00:02.070000+02:00 ${stream('a')} ${report(1)}`,
      `2026-11-21T02:00:01.500000+02:00 ${stream('b')} ${report(2)}`,
      `2020-12-02T09:59:11.668+01:00[           orders] ${report(3)}`,
    )
    expect(block?.runs.map(({ name, requests, lines }) => [name, requests, lines])).toEqual([
      [null, 2, [1, 2]],
      ['orders', 1, [3, 3]],
    ])
    expect(block?.runs[0]?.lambda?.logStreams).toBe(2)
    const headed = read(report(1), '==> /aws/lambda/send <==', report(2), '$ aws logs tail /aws/lambda/get', report(3))
    expect(headed[0]?.runs.map(({ name }) => name)).toEqual([null, 'send', 'get'])
  })

  it('uses the earliest time as the start, in UTC', () => {
    const run = runOf(`2023-04-05T02:44:43.500000+02:00 ${report(1)}`, `2023-04-05T02:44:42.023000+02:00 ${report(2)}`)
    expect(run?.startedAt).toBe('2023-04-05T00:44:42.023Z')
    expect(run?.measures).toEqual([{ name: 'log-span', value: 1477, unit: 'ms', line: null }])
    expect(run?.durationMs).toBeNull()
  })
})

describe('lambdaTable', () => {
  const rows = (...lines: readonly string[]) => readBlocks(lambdaTable, lines.join('\n'))

  it('reads columns by name in any order, with units in header or cells', () => {
    const [block] = rows(
      'Max Memory Used | Billed Duration (ms) | **Function** | Init Duration | Duration',
      '--- | ---: | :---: | --- | ---',
      '44 MB | 1,100 | `get` | 0.1 s | 999.5ms',
      '44 MB | 1000 | `put` | - | 999.5 ms',
    )
    expect(block?.runs).toMatchObject([
      { name: 'get', requests: 1, lambda: { coldStarts: 1, billedMs: { mean: 1100 }, initMs: { mean: 100 } } },
      { name: 'put', requests: 1, lambda: { coldStarts: 0, initMs: null, maxMemoryUsedMb: { max: 44 } } },
    ])
    expect(block?.runs.map(({ lines }) => lines)).toEqual([
      [3, 3],
      [4, 4],
    ])
  })

  it('does not mistake a mean for one invocation', () => {
    const [block] = rows(
      '| Lambda | Duration [ms] | Billed Duration [ms] |',
      '| --- | --- | --- |',
      '| a | 12.4 | 15 |',
    )
    expect(block?.runs).toMatchObject([
      { requests: null, latencies: [{ count: null, meanMs: 12.4, minMs: null, maxMs: null }] },
    ])
    expect(block?.runs[0]?.warnings.map(({ code }) => code)).toEqual(['unknown-statistic'])
    const [named] = rows(
      '| Lambda | Avg Duration | p99 Duration | Max Memory Used | Invocations |',
      '|---|---|---|---|---|',
      '| a | 12 ms | 15 ms | 70 MB | 1,000 |',
    )
    expect(named?.runs).toMatchObject([
      { requests: 1000, latencies: [{ count: 1000, meanMs: 12, quantiles: [{ q: 0.99, ms: 15 }] }], warnings: [] },
    ])
  })

  it('leaves other tables to other importers', () => {
    expect(rows('| Benchmark | Duration | Memory |', '|---|---|---|', '| a | 1 | 2 |')).toEqual([])
    expect(rows('| Lambda | Duration | Billed Duration |', 'no table')).toEqual([])
    expect(rows('| Processor | Python | JSON encoding |', '|---|---|---|', '| ARM64 | 3.11 | 1.96 |')).toEqual([])
  })

  it('names cells that are not figures', () => {
    const [block] = rows(
      '| Lambda | Duration | Billed Duration |',
      '|---|---|---|',
      '| a | fast | 2 |',
      '| b | 1.5 | 2 |',
    )
    expect(block?.runs.map(({ name }) => name)).toEqual(['b'])
    expect(block?.problems).toMatchObject([{ code: 'malformed', line: 3 }])
  })
})

describe('NumberSamples', () => {
  it('computes quantiles by nearest rank', () => {
    const samples = new NumberSamples()
    for (let value = 100; value >= 1; value--) samples.add(value)
    expect(samples.summarise()?.quantiles.map(({ value }) => value)).toEqual([50, 75, 90, 95, 99, 100])
    expect(samples.toLatency('all')).toMatchObject({
      count: 100,
      minMs: 1,
      meanMs: 50.5,
      maxMs: 100,
      method: 'nearest-rank',
    })
    expect(samples.toLatency('all')?.stdDevMs).toBeCloseTo(Math.sqrt(101 / 12) * 10, 9)
  })

  it('switches to a histogram with three digits', () => {
    const samples = new NumberSamples()
    const count = 2 * maxExactSamples
    for (let value = 1; value <= count; value++) samples.add(value / 100)
    const latency = samples.toLatency('all')
    expect(latency).toMatchObject({ count, minMs: 0.01, maxMs: count / 100, meanMs: (count + 1) / 200, method: 'hdr' })
    for (const { q, ms } of latency?.quantiles ?? []) expect(Math.abs(ms / ((q * count) / 100) - 1)).toBeLessThan(0.001)
  })
})

describe('RequestIds', () => {
  const ids = () => {
    const seen = new RequestIds()
    const key = new RequestKey()
    return (text: string) => {
      key.readText(text)
      return seen.add(key.high, key.low)
    }
  }

  it('distinguishes known ids from new ones while it grows', () => {
    const add = ids()
    const refused = (from: number, to: number) => {
      let count = 0
      for (let number = from; number < to; number++) if (!add(id(number))) count++
      return count
    }
    for (const to of [1, 24, 25, 1_400, 2_000, 5_000, 200_000]) {
      refused(0, to)
      expect(refused(0, to)).toBe(to)
    }
    expect(refused(200_000, 210_000)).toBe(0)
    expect(add('00000000-0000-0000-0000-000000000000')).toBe(true)
    expect(add('00000000-0000-0000-0000-000000000000')).toBe(false)
    expect(add('local-1')).toBe(true)
    expect(add('local-2')).toBe(true)
    expect(add('local-1')).toBe(false)
  })

  it('treats a UUID in capitals as the same, and reads bytes as text', () => {
    const add = ids()
    const key = new RequestKey()
    expect(add(id(0xabc))).toBe(true)
    expect(add(id(0xabc).toUpperCase())).toBe(false)
    key.readText(id(0xabc))
    const { high, low } = key
    expect(key.readUuid(Buffer.from(` ${id(0xabc)} `), 1)).toBe(true)
    expect([key.high, key.low]).toEqual([high, low])
    for (const text of [
      id(1).replace('-', '0'),
      id(1).replace('b', 'g'),
      id(1).slice(1),
      `${id(1).slice(0, 35)}\u0131`,
    ])
      expect(key.readUuid(Buffer.from(text), 0)).toBe(false)
  })
})
