/**
 * `npm run bench`: one table of import speed, the weight of the pages as a browser receives them, the comparison of ten
 * runs, and (if TAILBOARD_VEGETA names its executable) imports and uploads against `vegeta report`. Needs a build.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { measureComparePage } from '../tests/bench/pages/compare-page'
import { measureParseSpeed } from '../tests/bench/parse-speed'
import { timePage } from '../tests/bench/pages/page-times'
import { weighPages } from '../tests/bench/pages/page-weight'
import { startApp } from '../tests/server/app'

const print = (line: string) => process.stdout.write(`${line}\n`)
const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`
const milliseconds = (ms: number) => `${ms.toFixed(0)} ms`

/** A row of the table. `isMet` null: it has no target. */
function row(what: string, measured: string, aim = '', isMet: boolean | null = null): void {
  const verdict = isMet === null ? '' : isMet ? 'met' : 'MISSED'
  print(`${what.padEnd(44)} ${measured.padEnd(58)} ${aim.padEnd(12)} ${verdict}`.trimEnd())
}

async function pagesOf(origin: string): Promise<readonly (readonly [name: string, path: string])[]> {
  const rows = z.object({ rows: z.array(z.object({ id: z.string() })).min(2) })
  const projects = z.object({ projects: z.array(z.object({ slug: z.string() })).min(1) })
  const { projects: all } = projects.parse(await (await fetch(`${origin}/api/v1/projects`)).json())
  const slug = all[0]?.slug ?? ''
  const { rows: runs } = rows.parse(await (await fetch(`${origin}/api/v1/projects/${slug}/runs`)).json())
  const [first, second] = runs
  return [
    ['home', '/'],
    ['board', `/p/${slug}`],
    ['runs', `/p/${slug}/runs`],
    ['run', `/p/${slug}/runs/${first?.id}`],
    ['comparison of two', `/p/${slug}/compare/${first?.id}...${second?.id}`],
    ['matrix', `/p/${slug}/matrix`],
    ['trends', `/p/${slug}/trends`],
    ['alerts', `/p/${slug}/alerts`],
  ]
}

/** A bench with a program of its own: its results, one per row. */
function child(what: string, file: string, rows: number): void {
  const peer = process.env['TAILBOARD_VEGETA']
  if (peer === undefined || !existsSync(peer)) return row(what, 'skipped: TAILBOARD_VEGETA does not name vegeta')
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', file, String(rows)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for (const line of stdout.split('\n').filter((text) => text.startsWith('  '))) row(what, line.trim())
  if (status !== 0) throw new Error(`${file} ended with ${status}`)
}

row('what', 'measured', 'aim')
const speed = await measureParseSpeed()
row(
  `import of a Lambda log, ${speed.megabytes.toFixed(1)} MB`,
  `${speed.megabytesPerSecond.toFixed(0)} MB/s, ${speed.ratioToSha256.toFixed(1)} × hashing the same bytes`,
)
const startedAt = performance.now()
const app = await startApp({ dataFolder: mkdtempSync(path.join(os.tmpdir(), 'tailboard-bench-')) })
try {
  row('first start with sample data', `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  const pages = await pagesOf(app.url)
  const weights = await weighPages(
    app.url,
    pages.map(([, address]) => address),
  )
  for (const [at, { scriptBytes, totalBytes, touchedScriptBytes, paintMs, barePaintMs }] of weights.entries()) {
    const [name, address] = pages[at] ?? ['', '']
    const { serverMs, requests, htmlBytes } = await timePage(app.url + address)
    row(
      `page: ${name}`,
      `script ${kilobytes(scriptBytes)} of ${kilobytes(totalBytes)}`,
      '≤ 150 kB',
      scriptBytes <= 150_000,
    )
    if (touchedScriptBytes !== null) {
      const isMet = touchedScriptBytes <= 260_000
      row(`page: ${name}, a chart touched`, `script ${kilobytes(touchedScriptBytes)}`, '≤ 260 kB', isMet)
    }
    const ratio = paintMs / barePaintMs
    const painted = `${milliseconds(paintMs)}, without scripts ${milliseconds(barePaintMs)}: × ${ratio.toFixed(2)}`
    row(`page: ${name}, first paint`, painted, '≤ × 1.5', ratio <= 1.5)
    const time = `${serverMs.toFixed(1)} ms (p50 of ${requests}), HTML ${kilobytes(htmlBytes)} unpacked`
    row(`page: ${name}, server`, time, '< 60 ms', serverMs < 60)
  }
  const ten = await measureComparePage(app.url)
  row(
    'comparison of ten, server',
    `${ten.serverMs.toFixed(1)} ms (p50 of ${ten.requests})`,
    '< 40 ms',
    ten.serverMs < 40,
  )
  const weight = `script ${kilobytes(ten.scriptBytes)} of ${kilobytes(ten.totalBytes)}, HTML ${kilobytes(ten.htmlBytes)} unpacked`
  row('comparison of ten, on the wire', weight, '≤ 150 kB', ten.scriptBytes <= 150_000)
  const ratio = ten.paintMs / ten.barePaintMs
  const painted = `${milliseconds(ten.paintMs)}, without scripts ${milliseconds(ten.barePaintMs)}: × ${ratio.toFixed(2)}`
  row('comparison of ten, first paint', painted, '≤ × 1.5', ratio <= 1.5)
} finally {
  await app.stop()
}
child('import against vegeta report', 'tests/bench/import-speed.ts', 1_000_000)
child('upload against vegeta report', 'tests/bench/upload-speed.ts', 1_000_000)
