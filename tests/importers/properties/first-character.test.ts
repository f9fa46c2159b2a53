import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importFile } from '../../../importers'

const fixtures = path.join(import.meta.dirname, '../../fixtures')

async function* bytesOf(bytes: Uint8Array) {
  yield await Promise.resolve(bytes)
}

const beginnings =
  /^(?:response-time,|request-start,|metric_name,|duration \(ms\),|timeStamp,|@timestamp,|@requestId,|Type,Name,|Timestamp,User|Percentage served,|starttime\t|\{"latencies":\{|\{"attack":)/

const files = (await readdir(fixtures, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(?:csv|jtl|tsv|json|ndjson|txt)$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))

test('a file that lost its first character in copying is read like the whole one', async () => {
  const tools = new Set<string>()
  for (const file of files) {
    const bytes = await readFile(file)
    if (bytes.length > 3_000_000 || !beginnings.test(bytes.subarray(0, 60).toString())) continue
    const whole = await importFile(bytesOf(bytes)).catch(() => null)
    if (whole === null) continue
    const copied = await importFile(bytesOf(bytes.subarray(1)))
    expect([file, copied.runs]).toEqual([file, whole.runs])
    expect([file, copied.problems.slice(1)]).toEqual([file, whole.problems])
    expect(copied.problems[0]?.message).toMatch(/^the first character is missing: .* began with “[\w@{]”$/)
    for (const { form } of whole.runs) tools.add(form)
  }
  expect([...tools].sort()).toEqual([
    'ab-percentiles-csv',
    'ab-times-tsv',
    'hey-csv',
    'jmeter-csv',
    'k6-csv',
    'lambda-insights-csv',
    'locust-csv',
    'locust-history',
    'oha-csv',
    'vegeta-json',
    'vegeta-results-json',
  ])
})

test('an unrelated heading with a similar beginning is left alone', async () => {
  const own = new TextEncoder().encode('timestamp,latency_ms,status\n1795311079661,36,200\n')
  await expect(importFile(bytesOf(own))).rejects.toMatchObject({ code: 'unknown-format' })
})
