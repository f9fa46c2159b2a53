import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { generatePair, writeRows, type GeneratedPair } from '../lib/explain/generated-pairs'
import { runCli } from './run-cli'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-why-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text)
  return file
}

/** The first pair of a kind that its tool wrote. */
function pairOf(kind: Parameters<typeof generatePair>[0], tool: string): GeneratedPair {
  for (let seed = 5_000; ; seed++) {
    const pair = generatePair(kind, seed)
    if (pair.tool === tool) return pair
  }
}

const filesOf = (pair: GeneratedPair, name: string): [string, string] => [
  write(`${name}-a.csv`, writeRows(pair, pair.base, 0)),
  write(`${name}-b.csv.gz`, writeRows(pair, pair.head, 1)),
]

it('names what a difference stands with, its parts, and its percentiles beside the rest', async () => {
  const pair = pairOf('target', 'vegeta')
  const { exit, out, err } = await runCli(['why', ...filesOf(pair, 'target')])
  expect([exit, err]).toEqual([0, ''])
  const target = pair.label.accept?.[0]?.value ?? ''
  expect(out.replaceAll('\n', ' ')).toMatch(
    new RegExp(`^\\d+ % of the difference stands with ${target} \\(\\d+ % of the traffic\\) `),
  )
  expect(out).toContain(`within ${target}`)
  expect(out).toMatch(/^all others +baseline +[\d.]+ ms/m)
  expect(out).not.toMatch(/because|caused/)
})

it('prints the same as JSON and as Markdown', async () => {
  const files = filesOf(pairOf('status', 'vegeta'), 'status')
  const document = JSON.parse((await runCli(['why', ...files, '--json'])).out) as Record<string, unknown>
  expect(document).toMatchObject({ kind: 'status', attribute: 'status', value: '503' })
  const { out } = await runCli(['why', ...files, '--md'])
  expect(out).toContain(`**${String(document['sentence'])}.**`)
  expect(out).toContain('| above | baseline | candidate | change |')
})

it('says when nothing stands out', async () => {
  const { exit, out } = await runCli(['why', ...filesOf(pairOf('nothing', 'jmeter'), 'nothing')])
  expect([exit, out.split('\n')[0]]).toEqual([0, 'No difference is shown: nothing stands out'])
})

it('of printed reports only the shape is known; other tools are refused', async () => {
  const reports = ['tests/fixtures/capacity/2-1.hey.txt', 'tests/fixtures/capacity/8-1.hey.txt']
  const { exit, out } = await runCli(['why', ...reports])
  expect(exit).toBe(3)
  expect(out).toMatch(/^Only the shape is known/)
  expect(out).toMatch(/^p99 +[\d.]+ ms +[\d.]+ ms$/m)
  const [vegeta] = filesOf(pairOf('nothing', 'vegeta'), 'other')
  const other = await runCli(['why', vegeta, reports[0] ?? ''])
  expect([other.exit, other.out.split(':')[0]]).toEqual([3, 'The runs are of different tools (vegeta, hey)'])
})

it('of one run it says how much of the latency is the server’s', async () => {
  const pair = pairOf('server-part', 'vegeta')
  const file = write('one.csv', writeRows(pair, pair.base, 0))
  const { exit, out } = await runCli(['why', file])
  expect(exit).toBe(0)
  expect(out).toMatch(
    /^\d[\d\s]* requests matched by Server-Timing, sum of its parts: at p99 the server's\npart is \d+/,
  )
  expect(out).toMatch(/^p50 +[\d.]+ ms +[\d.]+ ms +[\d.]+ ms +\d+$/m)
  const log = write(
    'server.log',
    '2026-11-21T00:33:11 REPORT RequestId: a9542f8a-f80d-4738-ae25-ce4e9ebf811c\tDuration: 5.53 ms\tBilled Duration: 6 ms\tMemory Size: 512 MB\tMax Memory Used: 93 MB\t\n',
  )
  expect((await runCli(['why', file, '--log', log])).exit).toBe(3)
})

it('refuses a command line that it cannot answer', async () => {
  const [file] = filesOf(pairOf('nothing', 'vegeta'), 'usage')
  expect(await runCli(['why'])).toMatchObject({ exit: 2 })
  expect((await runCli(['why', file, file, file])).err).toContain('why takes one file or two')
  expect((await runCli(['why', file, file, '--log', file])).err).toContain('has no REPORT line of Lambda')
  expect((await runCli(['why', 'tests/fixtures/capacity/2-1.hey.txt'])).err).toContain('has no rows')
})
