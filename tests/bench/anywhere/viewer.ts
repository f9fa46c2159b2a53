/**
 * `npm run bench:viewer`: what a browser reads of the page without a server before and after a file is dropped, when the
 * first chart of a 1 MB file is there, and how long the thread reads 100 MB of CSV. The shortest of several, because
 * other processes only add to it. Fails beyond the bounds.
 */
import { chromium } from '@playwright/test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { bundleCli } from '../../../scripts/bundle-commands'
import { bundleViewer } from '../../../scripts/bundle-viewer'
import { browserPath } from '../../browser'
import { writeResults } from '../results-files'

const times = Number(process.argv[2] ?? 5)
const bounds = { startKilobytes: 300, firstChartMs: 1_500, readMs: 1_000 }
const [smallRows, largeRows] = [11_600, 1_160_000]

const root = path.join(import.meta.dirname, '../../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-viewer-bench-'))
const megabytes = (file: string) => `${(statSync(file).size / 1e6).toFixed(1)} MB`

function row(what: string, measured: number, unit: string, bound: number | null = null): void {
  const isMet = bound === null || measured <= bound
  const aim = bound === null ? '' : `aim ${bound} ${unit}, ${isMet ? 'met' : 'MISSED'}`
  process.stdout.write(`${what.padEnd(52)}${measured.toFixed(0).padStart(7)} ${unit.padEnd(4)} ${aim}`.trimEnd() + '\n')
  if (!isMet) process.exitCode = 1
}

/** From the choice of a file to its first chart, and how long the page says that its thread read, ms. */
async function timesOf(page: Awaited<ReturnType<typeof openPage>>, file: string) {
  await page.reload()
  await page.getByRole('heading', { name: 'Drop results here' }).waitFor()
  const beganMs = performance.now()
  await page.getByLabel('Files to show').setInputFiles(file)
  await page.getByRole('figure').first().waitFor()
  const firstChartMs = performance.now() - beganMs
  const said = (await page.getByText(/read in /).textContent()) ?? ''
  const [, count = '', unit = ''] = /read in ([\d.]+)\s(ms|s)/.exec(said) ?? []
  return { firstChartMs, readMs: Number(count) * (unit === 's' ? 1_000 : 1) }
}

async function openPage(address: string) {
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const page = await browser.newPage()
  await page.goto(address)
  return page
}

async function shortestOf(page: Awaited<ReturnType<typeof openPage>>, file: string) {
  const all: Awaited<ReturnType<typeof timesOf>>[] = []
  for (let time = 0; time < times; time += 1) all.push(await timesOf(page, file))
  const least = (of: (one: (typeof all)[number]) => number) => Math.min(...all.map(of))
  return { firstChartMs: least((one) => one.firstChartMs), readMs: least((one) => one.readMs) }
}

try {
  const viewer = await bundleViewer(root, folder)
  const html = readFileSync(viewer, 'utf8')
  const scripts = [...html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, text = '']) => text)
  const [rest = 0, start = 0] = scripts.map((text) => brotliCompressSync(text).length / 1_000)
  row('script before a file is dropped, brotli', start, 'kB', bounds.startKilobytes)
  row('script after it, brotli', rest, 'kB')
  row('the page with its letters', Buffer.byteLength(html) / 1_000, 'kB')
  await bundleCli(root, folder)
  row('dist/cli.mjs', statSync(path.join(folder, 'cli.mjs')).size / 1_000, 'kB')
  const [small, large] = [smallRows, largeRows].map((rows) => writeResults(folder, 'lean', 'csv', rows)) as [
    string,
    string,
  ]
  const page = await openPage(pathToFileURL(viewer).href)
  row(
    `first chart of ${megabytes(small)} of CSV`,
    (await shortestOf(page, small)).firstChartMs,
    'ms',
    bounds.firstChartMs,
  )
  const { firstChartMs, readMs } = await shortestOf(page, large)
  row(`${megabytes(large)} of CSV, read by the thread`, readMs, 'ms', bounds.readMs)
  row(`${megabytes(large)} of CSV, first chart`, firstChartMs, 'ms')
  await page.context().browser()?.close()
} finally {
  rmSync(folder, { recursive: true })
}
