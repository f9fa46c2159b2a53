/**
 * `npm run bench:interaction -- [rounds]`: how soon a page answers a hand, in a browser without a cache, of the sample
 * data: from the pointer's first move over a chart to the interactive chart, from a key to the painted list, from a
 * click on a run to its painted page. Prints the median of each. Needs a build.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { browserPath } from '../../browser'
import { startApp } from '../../server/app'
import { median } from './page-times'
import { emptyProgramMs } from '../process-cpu'
import samples from '@/public/sample-data/index.json'

/** After the network is quiet, scripts still run. */
const settledMs = 500
const rounds = Number(process.argv[2] ?? 9)
const project = `/p/${samples[0]?.project}`

interface Timed {
  answered?: Promise<number>
}

/** In the page: times the next event until what it leads to was painted, in milliseconds. */
const time = ({ event, shown }: { readonly event: string; readonly shown: string }) => {
  ;(globalThis as Timed).answered = new Promise<number>((resolve) => {
    addEventListener(
      event,
      () => {
        const startedAt = performance.now()
        const look = () => {
          if (document.querySelector(shown) === null) requestAnimationFrame(look)
          // The frame with what was found is painted before the one after it begins.
          else requestAnimationFrame(() => resolve(performance.now() - startedAt))
        }
        look()
      },
      { capture: true, once: true },
    )
  })
}

interface Hand {
  readonly name: string
  readonly aimMs: number
  readonly path: string
  readonly event: string
  /** Selector of what the hand leads to. */
  readonly shown: string
  readonly act: (page: Page) => Promise<void>
}

const hands: readonly Hand[] = [
  {
    ...{ name: 'first move over a chart → interactive chart', aimMs: 150, path: '', event: 'pointermove' },
    shown: 'figure .recharts-wrapper',
    act: (page) => page.locator('figure[data-drawn]').first().hover(),
  },
  {
    ...{ name: 'key → the row in focus', aimMs: 50, path: `${project}/runs?group=none`, event: 'keydown' },
    shown: 'tr:focus-within',
    act: (page) => page.keyboard.press('j'),
  },
  {
    ...{ name: 'click on a run → its page', aimMs: 200, path: `${project}/runs?group=none`, event: 'click' },
    shown: 'figure[data-drawn]',
    act: (page) => runLink(page).click(),
  },
]

const runLink = (page: Page) => page.locator(`a[href^="${project}/runs/"]`).first()

/** One hand in a fresh context, after the page is idle. */
async function measure(browser: Browser, origin: string, { path: address, event, shown, act }: Hand): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.goto(origin + address, { waitUntil: 'networkidle' })
  await page.waitForTimeout(settledMs)
  await page.evaluate(time, { event, shown })
  await act(page)
  const ms = await page.evaluate(() => (globalThis as Timed).answered ?? Number.NaN)
  await context.close()
  return ms
}

/** The address of the newest run, once the sample data is loaded. */
async function firstRun(origin: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const listed = await (await fetch(`${origin}${project}/runs?group=none`)).text()
    const run = new RegExp(`${project}/runs/[0-9a-v]{26}`).exec(listed)?.[0]
    if (run !== undefined) return run
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The sample data has no runs.')
}

const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-interaction-'))
const app = await startApp({ dataFolder })
const browser = await chromium.launch({ executablePath: await browserPath(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  const run = await firstRun(app.url)
  process.stdout.write(`node -e 0: ${emptyProgramMs().toFixed(0)} ms of CPU; load ${os.loadavg()[0]?.toFixed(1)}\n`)
  process.stdout.write('| hand | median, ms | shortest | aim |\n| --- | --- | --- | --- |\n')
  for (const hand of hands) {
    const own = hand.path === '' ? { ...hand, path: run } : hand
    const times: number[] = []
    for (let round = -1; round < rounds; round += 1) {
      const ms = await measure(browser, app.url, own)
      if (round >= 0) times.push(ms)
    }
    const row = [hand.name, median(times).toFixed(0), Math.min(...times).toFixed(0), hand.aimMs]
    process.stdout.write(`| ${row.join(' | ')} |\n`)
  }
} finally {
  await browser.close()
  await app.stop()
  rmSync(dataFolder, { recursive: true, force: true })
}
