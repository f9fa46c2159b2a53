import { chromium } from '@playwright/test'
import { browserPath } from '../browser'

/** What one page costs: bytes on the wire (compressed as sent) until it is idle, and when it first painted. */
export interface PageWeight {
  readonly path: string
  readonly scriptBytes: number
  readonly totalBytes: number
  readonly firstContentfulPaintMs: number
}

/** Loads each page in a fresh context of a real browser, without a cache. */
export async function weighPages(origin: string, paths: readonly string[]): Promise<readonly PageWeight[]> {
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const weights: PageWeight[] = []
    for (const path of paths) {
      const context = await browser.newContext()
      const page = await context.newPage()
      let scriptBytes = 0
      let totalBytes = 0
      const pending: Promise<void>[] = []
      page.on('requestfinished', (request) => {
        pending.push(
          request.sizes().then(({ responseBodySize }) => {
            totalBytes += responseBodySize
            if (request.resourceType() === 'script') scriptBytes += responseBodySize
          }),
        )
      })
      await page.goto(origin + path, { waitUntil: 'networkidle' })
      await Promise.all(pending)
      const firstContentfulPaintMs = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      )
      weights.push({ path, scriptBytes, totalBytes, firstContentfulPaintMs })
      await context.close()
    }
    return weights
  } finally {
    await browser.close()
  }
}
