import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { importFile } from '@/importers/index'
import { runsOf } from '../read-fixture'

const point = (metric: string, seconds: number, value: number, tags: object) =>
  JSON.stringify({
    metric,
    type: 'Point',
    data: { time: `2026-11-22T02:10:${String(seconds).padStart(2, '0')}Z`, value, tags },
  })

it('a request without a method, after one that has it, is a target by its name alone', async () => {
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

it('a time below zero makes the summary incomplete, and is no figure', async () => {
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
