import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lambdaReport } from '@/importers/lambda/lambda-report'
import { readBlocks } from './read-block'

const id = (number: number) => `0b109d1b-94d0-469b-90f5-${number.toString(16).padStart(12, '0')}`
const record = (number: number) => ({
  time: '2026-11-21T02:00:04.064Z',
  type: 'platform.report',
  record: {
    requestId: id(number),
    metrics: { durationMs: number, billedDurationMs: number, memorySizeMB: 512, maxMemoryUsedMB: 100 },
    status: 'success',
  },
})
const runOf = (...lines: readonly string[]) => {
  const runs = readBlocks(lambdaReport, lines.join('\n')).flatMap((block) => block.runs)
  expect(runs).toHaveLength(1)
  return runs[0]
}

describe('JSON inside a text', () => {
  it('is read with prefixes, pretty-printed and twice, each id once', () => {
    const run = runOf(
      `2026-11-21T02:00:04.064000+00:00 2026/11/21/[$LATEST]f8e76873c42e1ca094cf6aba9eabcba1 ${JSON.stringify(record(1))}`,
      `2026/11/21/[$LATEST]f8e7 2026-11-21T02:00:05.064000 ${JSON.stringify(record(2))}`,
      '2026-11-21T02:00:06.064Z',
      JSON.stringify(record(3), null, 2),
      JSON.stringify(record(3)),
      `REPORT RequestId: ${id(1)}\tDuration: 1.00 ms\tBilled Duration: 1 ms\tMemory Size: 512 MB\tMax Memory Used: 100 MB\t`,
    )
    expect(run).toMatchObject({
      requests: 3,
      warnings: [{ code: 'repeated-request-ids' }],
      lambda: { memorySizeMb: { 512: 3 }, billedMs: { sum: 6 } },
    })
  })

  it('is a LogResult, in JSON or bare', () => {
    const json = readFileSync(join(import.meta.dirname, '../fixtures/lambda-json/invoke-tail.json'), 'utf8')
    const expected = { requests: 1, lambda: { coldStarts: 1, billedMs: { sum: 268 }, initMs: { sum: 245.53 } } }
    expect(runOf('$ aws lambda invoke --function-name orders --log-type Tail out.json', json)).toMatchObject(expected)
    const base64 = /"LogResult": "([^"]+)"/.exec(json)?.[1] ?? ''
    expect(runOf(base64)).toMatchObject(expected)
    // The log's last 4 KiB may start anywhere.
    const text = Buffer.from(base64, 'base64').toString()
    for (const skip of [1, 2, 3, 40])
      expect(runOf(Buffer.from(text.slice(skip)).toString('base64'))).toMatchObject(expected)
  })

  it('is incomplete if it is truncated', () => {
    const pretty = JSON.stringify(record(2), null, 2)
    const text = `${JSON.stringify(record(1))}\n${pretty.slice(0, pretty.length - 40)}`
    expect(runOf(text)).toMatchObject({ requests: 1, complete: false })
  })
})
