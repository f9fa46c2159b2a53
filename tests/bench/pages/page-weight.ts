import { chromium, type Browser, type Page } from '@playwright/test'
import { browserPath } from '../../browser'
import { median } from './page-times'

/** The cost of one page for a browser without a cache; bytes on the wire, compressed as sent. */
export interface PageWeight {
  readonly path: string
  /** Until the page is idle, with no chart touched. */
  readonly scriptBytes: number
  readonly totalBytes: number
  /** After the pointer moved over its first chart; null: the page has no chart that loads more then. */
  readonly touchedScriptBytes: number | null
  /** First contentful paint, median. */
  readonly paintMs: number
  /** For the same HTML and style sheets without any script, in the same browser, alternating. */
  readonly barePaintMs: number
}

const rounds = 7

/** Loads each page in fresh contexts of a real browser, with and without its scripts. */
export async function weighPages(origin: string, paths: readonly string[]): Promise<readonly PageWeight[]> {
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const weights: PageWeight[] = []
    for (const path of paths) {
      const paints: { whole: number; bare: number }[] = []
      for (let round = 0; round < rounds; round += 1) {
        paints.push({
          whole: await paintOf(browser, origin + path, false),
          bare: await paintOf(browser, origin + path, true),
        })
      }
      weights.push({
        path,
        ...(await bytesOf(browser, origin + path)),
        paintMs: median(paints.map(({ whole }) => whole)),
        barePaintMs: median(paints.map(({ bare }) => bare)),
      })
    }
    return weights
  } finally {
    await browser.close()
  }
}

async function bytesOf(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  let [scriptBytes, totalBytes] = [0, 0]
  const pending: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    pending.push(
      request.sizes().then(({ responseBodySize }) => {
        totalBytes += responseBodySize
        if (request.resourceType() === 'script') scriptBytes += responseBodySize
      }),
    )
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  await Promise.all(pending)
  const untouched = { scriptBytes, totalBytes }
  const chart = page.locator('figure[data-drawn]').first()
  const isRich = (await chart.count()) > 0
  if (isRich) {
    await chart.hover()
    await chart.locator('.recharts-wrapper').waitFor()
    await Promise.all(pending)
  }
  await context.close()
  return { ...untouched, touchedScriptBytes: isRich ? scriptBytes : null }
}

/** First contentful paint of a page in a context without a cache; `isBare`: scripts are removed from the HTML. */
async function paintOf(browser: Browser, url: string, isBare: boolean): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  if (isBare) await withoutScripts(page, url)
  await page.goto(url, { waitUntil: 'networkidle' })
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  await context.close()
  return paint ?? Number.NaN
}

const scripts = /<script\b[^>]*>[^]*?<\/script>|<link\b[^>]*as="script"[^>]*>/g

async function withoutScripts(page: Page, url: string): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch()
    const headers = response.headers()
    // The header preloads scripts, too.
    delete headers['link']
    await route.fulfill({ response, headers, body: (await response.text()).replaceAll(scripts, '') })
  })
}
