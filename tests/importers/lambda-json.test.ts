import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importFile } from '@/importers/index'
import type { Bytes } from '@/importers/importer'
import type { ImportedFile } from '@/lib/run/run'

const id = (number: number) => `0b109d1b-94d0-469b-90f5-${number.toString(16).padStart(12, '0')}`
const report = (number: number, rest = '') =>
  `REPORT RequestId: ${id(number)}\tDuration: ${number}.50 ms\tBilled Duration: ${number + 1} ms\tMemory Size: 128 MB\tMax Memory Used: 70 MB\t${rest}\n`
const event = (number: number, message = report(number)) => ({
  logStreamName: 's',
  timestamp: 1_795_226_400_000 + number * 1_000,
  message,
})
const record = (number: number, more: object = {}) => ({
  time: '2026-11-21T02:00:04.064Z',
  type: 'platform.report',
  record: {
    requestId: id(number),
    metrics: { durationMs: number, billedDurationMs: number, memorySizeMB: 512, maxMemoryUsedMB: 100 },
    ...more,
  },
})

async function* inChunks(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const read = (text: string, size = 1_000): Promise<ImportedFile> => importFile(inChunks(Buffer.from(text), size))
const only = ({ runs }: ImportedFile) => {
  expect(runs).toHaveLength(1)
  return runs[0]
}

describe('lambdaJson', () => {
  it('reads any layout the same way', async () => {
    const list = [event(1), event(2), event(3, 'START RequestId: x\n')]
    const layouts = [
      JSON.stringify({ events: list }),
      JSON.stringify({ events: list, searchedLogStreams: [] }, null, 4),
      JSON.stringify([{ events: list.slice(0, 1) }, { events: list.slice(1) }]),
      list.map((one) => JSON.stringify({ events: [one] })).join('\n'),
    ]
    const [first, ...others] = await Promise.all(layouts.map((text) => read(text)))
    expect(first && only(first)).toMatchObject({
      requests: 2,
      complete: true,
      startedAt: '2026-11-21T02:00:01.000Z',
      lambda: { logStreams: 1 },
    })
    // The lines depend on the layout; everything else on the events.
    const placed = (file: ImportedFile) => ({ ...only(file), context: null })
    for (const other of others) expect(placed(other)).toEqual(first && placed(first))
  })

  it('counts a request id once, whatever contains it', async () => {
    const json = JSON.stringify(record(7))
    const pretty = JSON.stringify(record(7), null, 2)
    const inEvent = JSON.stringify({ events: [event(1, json), event(2)] })
    const run = only(await read(`${json}\n${pretty}\n${inEvent}\n`))
    expect(run).toMatchObject({ requests: 2, warnings: [{ code: 'repeated-request-ids' }] })
  })

  it('reads restores, statuses and error types', async () => {
    const lines = [
      record(1, { status: 'success' }),
      record(2, { status: 'error', errorType: 'Runtime.ExitError' }),
      record(3, { status: 'timeout', metrics: { durationMs: 3_000, restoreDurationMs: 398.97 } }),
      { ...record(4), type: 'platform.runtimeDone' },
    ]
    expect(only(await read(lines.map((line) => JSON.stringify(line)).join('\n')))).toMatchObject({
      requests: 3,
      successes: 1,
      lambda: {
        statuses: { success: 1, error: 1, timeout: 1 },
        errorTypes: { 'Runtime.ExitError': 1 },
        restoreMs: { count: 1, sum: 398.97 },
        coldMs: { count: 1, sum: 3_000 },
        warmMs: { count: 2, sum: 3 },
        billedMs: { count: 2, sum: 3 },
      },
    })
  })

  it('separates the log groups of several functions', async () => {
    const message = (name: string, number: number) =>
      JSON.stringify({ messageType: 'DATA_MESSAGE', logGroup: `/aws/lambda/${name}`, logEvents: [event(number)] })
    const { runs } = await read(`${message('a', 1)}${message('b', 2)}${message('a', 3)}`)
    expect(runs.map(({ requests, lambda }) => [lambda?.functionName, requests])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
  })

  it('continues after broken parts, and says so', async () => {
    const whole = [1, 2, 3, 4].map((number) => JSON.stringify(record(number)))
    const [a = '', b = '', c = '', d = ''] = whole
    for (const broken of [b.slice(0, 40), b.slice(0, 60), '{'.repeat(70), `${b.slice(0, -1)}]`]) {
      const { runs, problems } = await read([a, broken, c, 'a line of text', d, ''].join('\n'))
      expect(runs, broken).toMatchObject([{ requests: 3, complete: false }])
      expect(problems, broken).toMatchObject([{ code: 'malformed', severity: 'error' }])
    }
  })

  it('is never complete if it is truncated within a list', async () => {
    const bytes = readFileSync(join(import.meta.dirname, '../fixtures/lambda-json/filter-log-events.json'))
    const end = bytes.lastIndexOf('}')
    for (let cut = 5_000; cut < end; cut += 797) {
      const { runs, problems } = await importFile(inChunks(bytes.subarray(0, cut), 65_536))
      expect(runs.map(({ complete }) => complete)).toEqual([false])
      expect(problems.map(({ code }) => code)).toContain('truncated')
    }
  })

  it('refuses a payload that is a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 32)).toString('base64')
    await expect(read(JSON.stringify({ awslogs: { data: bomb } }), 65_536)).rejects.toMatchObject({ code: 'too-large' })
    await expect(read(JSON.stringify({ awslogs: { data: 'H4sIAAAA' } }))).rejects.toMatchObject({ code: 'malformed' })
  })

  it('omits memory that is not a whole number of megabytes', async () => {
    const row = (memory: string) => `@requestId,@duration,@memorySize\n${id(1)},1.5,${memory}\n${id(2)},2.5,${memory}\n`
    const sizes = async (memory: string) => only(await read(row(memory)))?.lambda?.memorySizeMb
    expect(await sizes('1.28E8')).toEqual({ 128: 2 })
    expect(await sizes('1.34217728E8')).toEqual({ 128: 2 })
    expect(await sizes('1.5')).toEqual({})
  })
})
