import { readFileSync } from 'node:fs'
import { importFile } from '@/importers/index'
import { runsOf } from '../read-fixture'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { maskUpload } from '@/app/_server/uploads/mask-upload'

const point = (metric: string, seconds: number, value: number, tags: object) =>
  JSON.stringify({
    metric,
    type: 'Point',
    data: { time: `2026-11-22T02:10:${String(seconds).padStart(2, '0')}Z`, value, tags },
  })

it('a request without a method, after one with a method, is a target by its name alone', async () => {
  const [first] = readFileSync('tests/fixtures/k6-ndjson/durations-only.ndjson', 'utf8').split('\n')
  const named = { expected_response: 'true', method: 'GET', name: 'http://127.0.0.1/a-long-address', status: '200' }
  const unnamed = { expected_response: 'true', name: 'b', status: '200' }
  const lines = [first, point('http_req_duration', 1, 3, named), point('http_req_duration', 2, 4, unnamed), '']
  const [run] = await runsOf({ text: lines.join('\n') })
  expect(run?.latencies[0]?.count).toBe(2)
  expect(run?.targets?.map(({ method, url }) => [method, url])).toEqual(
    expect.arrayContaining([
      ['GET', 'http://127.0.0.1/a-long-address'],
      [null, 'b'],
    ]),
  )
})

it('a negative time makes the summary incomplete, and is not a figure', async () => {
  const whole = readFileSync('tests/fixtures/k6-text/version-0-57.txt', 'utf8')
  const text = whole.replace('avg=243.34µs min=2.29µs', 'avg=243.34µs min=-1µs')
  expect(text).not.toBe(whole)
  const { runs, problems } = await importFile(
    (async function* () {
      yield new TextEncoder().encode(text)
    })(),
  )
  expect(runs[0]?.complete).toBe(false)
  expect(runs[0]?.phases.map(({ name }) => name)).not.toContain('sending')
  expect(problems.map(({ message }) => message).join()).toContain('http_req_sending')
})

const folder = join(import.meta.dirname, '../fixtures/k6-summary')

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function storedText(bytes: Uint8Array, size: number): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of (await maskUpload(inChunks(bytes, size), [])).bytes) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

describe('what is stored from a k6 summary', () => {
  it.each([1, 7, 65_536])(
    'contains neither script nor setup data, but all figures, in chunks of %i bytes',
    async (size) => {
      const bytes = readFileSync(join(folder, 'secret-in-script.json'))
      expect(bytes.toString('utf8')).toContain('EXAMPLE-TOKEN-not-real')
      const text = await storedText(bytes, size)
      expect(text).not.toMatch(/EXAMPLE-/)
      const { config, ...rest } = JSON.parse(bytes.toString('utf8'))
      expect(JSON.parse(text)).toEqual({ ...rest, config: { ...config, script: '[masked]' } })
    },
  )

  it('omits a setup of any shape', async () => {
    const member = (value: string) => `{"setup_data":${value},"metrics":{"http_reqs":{"count":1}},"root_group":{}}`
    for (const value of ['{"a":[{"b":"}\\""}],"script":"x"}', '"t\\\\"', '12', 'null', '[1,{"c":2}]'])
      expect(await storedText(Buffer.from(member(value)), 3)).toBe(member('"[masked]"'))
  })

  it('is text with the other members unchanged', async () => {
    const bytes = readFileSync(join(folder, 'export.json'))
    expect(await storedText(bytes, 10)).toBe(bytes.toString('utf8'))
  })
})
