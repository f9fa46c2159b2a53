/**
 * `npm run bench:accuracy -- [rows …]`: percentiles of files with that many rows (1,000, 100,000 and 1,000,000), exact
 * (all samples sorted), ours, and vegeta's own estimate. TAILBOARD_VEGETA: path of vegeta; without it its column is empty.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { importFile } from '../../importers/index'
import { readInPlace } from './read-in-place'
import { writeResults } from './results-files'

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 100_000, 1_000_000]
const quantiles = [0.5, 0.9, 0.99, 0.999] as const
const keys = ['50th', '90th', '99th'] as const
const reportSchema = z.object({ latencies: z.object({ '50th': z.number(), '90th': z.number(), '99th': z.number() }) })

/** Latencies in a CSV of results, ns, sorted. */
function exactOf(file: string): Float64Array {
  const values = readFileSync(file, 'latin1')
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(',')[2]))
  return Float64Array.from(values).sort()
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-accuracy-'))
const given = process.env['TAILBOARD_VEGETA']
const peer = given !== undefined && existsSync(given) ? given : null
const print = (line: string) => process.stdout.write(`${line}\n`)
const ms = (ns: number) => (ns / 1e6).toFixed(3)
const off = (value: number, exact: number) =>
  `${value >= exact ? '+' : '−'}${(Math.abs(value / exact - 1) * 100).toFixed(3)} %`
try {
  print('| rows | percentile | exact, ms | ours, ms | off | vegeta, ms | off |')
  print('| --- | --- | --- | --- | --- | --- | --- |')
  for (const rows of sizes) {
    const file = writeResults(folder, 'lean', 'csv', rows)
    const exact = exactOf(file)
    const { runs } = await importFile(readInPlace(file))
    const theirs =
      peer === null
        ? null
        : reportSchema.parse(JSON.parse(execFileSync(peer, ['report', '-type=json', file], { encoding: 'utf8' })))
    quantiles.forEach((q, at) => {
      const rank = exact[Math.ceil(q * exact.length) - 1] ?? NaN
      const own = (runs[0]?.latencies[0]?.quantiles.find((one) => one.q === q)?.ms ?? NaN) * 1e6
      const key = keys[at]
      const peers = theirs !== null && key !== undefined ? theirs.latencies[key] : null
      const cells = [
        String(rows),
        `p${q * 100}`,
        ms(rank),
        ms(own),
        off(own, rank),
        peers === null ? '–' : ms(peers),
        peers === null ? '–' : off(peers, rank),
      ]
      print(`| ${cells.join(' | ')} |`)
    })
    rmSync(file)
  }
} finally {
  rmSync(folder, { recursive: true })
}
