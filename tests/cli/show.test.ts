import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runCli } from './run-cli'
import { wrkReport } from './wrk-report'

it('prints the figures of every run, and what to know of them', async () => {
  const { exit, out, err } = await runCli(['show', 'tests/fixtures/hey-text/beyond-a-million.txt'])
  expect([exit, err]).toEqual([0, ''])
  expect(out).toMatch(/^beyond-a-million\nhey · closed loop · 48\.0 s · /)
  expect(out).toMatch(/^p99 +12\.8 ms$/m)
  expect(out.replaceAll('\n', ' ')).toContain('hey recorded the first 1 000 000 of 1 200 000 responses')
})

it('masks secrets, as the server does', async () => {
  const report = wrkReport(1).replace('127.0.0.1:8080/', '127.0.0.1:8080/?api_key=abcdefabcdefabcdef')
  const { out } = await runCli(['show', '-'], { input: Buffer.from(report) })
  expect(out).not.toContain('abcdefabcdef')
})

it('reports what cannot be read in one line, and still prints the others', async () => {
  const { exit, out, err } = await runCli(['show', 'tests/fixtures/foreign/gatling-stats.txt', 'public/sample-data'])
  expect(exit).toBe(2)
  expect(err).toMatch(/^tests\/fixtures\/foreign\/gatling-stats\.txt: This is the output of Gatling[^\n]*\n$/)
  expect(out).toContain('Load Test Results')
})

it('shows progress after half a second, and removes it', async () => {
  async function* slow() {
    for (const part of [wrkReport(1), ...Array.from({ length: 6 }, () => 'remark\n')]) {
      yield Buffer.from(part)
      await sleep(150)
    }
  }
  const { err } = await runCli(['show', '-'], { stdin: Readable.from(slow()), showsProgress: true })
  expect(err).toMatch(/^(?:\r\u001b\[KReading -: \d+ B)+\r\u001b\[K$/)
})

it('reads what PowerShell and cmd write: UTF-16 or UTF-8, with the line ends of Windows', async () => {
  const text = wrkReport(1).replaceAll('\n', '\r\n')
  const plain = await runCli(['show', '-'], { input: Buffer.from(wrkReport(1)) })
  for (const input of [Buffer.from(text), Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le')])
    expect(await runCli(['show', '-'], { input })).toEqual(plain)
})

it.each([20, 40, 60, 80])('fits in %i columns, but does not break a path, which can be copied', async (columns) => {
  const { out } = await runCli(['show', 'public/sample-data', 'tests/fixtures/hey-text'], { columns })
  expect(out.split('\n').length).toBeGreaterThan(100)
  for (const line of out.split('\n').filter((one) => !/^\S+$/.test(one)))
    expect([...line].length, line).toBeLessThanOrEqual(columns)
})
