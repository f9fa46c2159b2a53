import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { z } from 'zod'
import { browserPath } from './browser'
import { plantedHistory } from './server/planted-history'
import { startApp } from './server/app'

/** `npm run screenshots` takes the pictures of the README: of the samples, and of sixty nights with a planted change. */

const folder = path.resolve(import.meta.dirname, '../public/screenshots')
const data = mkdtempSync(path.join(os.tmpdir(), 'tailboard-screenshots-'))
const pageOfRuns = z.object({
  rows: z.array(
    z.object({ id: z.string(), variant: z.string().nullable(), orderedAt: z.string(), judged: z.unknown() }),
  ),
})

const app = await startApp({ dataFolder: data })
const browser = await chromium.launch({ executablePath: await browserPath(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage({ colorScheme: 'light' })
  await take(page, 'board', 'lambda-dispatcher', 600)
  await take(page, 'matrix', 'lambda-dispatcher/matrix', 820)
  await take(page, 'run', `checkout/runs/${await worseRun(`${app.url}/api/v1/projects`)}`, 780)
} finally {
  await browser.close()
  await app.stop()
  rmSync(data, { recursive: true })
}

async function take(page: Page, name: string, address: string, height: number): Promise<void> {
  await page.setViewportSize({ width: 1280, height })
  await page.goto(`${app.url}/p/${address}`, { waitUntil: 'networkidle' })
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  process.stdout.write(`${name}.png: ${await page.title()}\n`)
}

/** Uploads the nights; the newest run of the variant that became slower. */
async function worseRun(projects: string): Promise<string> {
  await fetch(projects, { method: 'POST', body: JSON.stringify({ name: 'Checkout API', slug: 'checkout' }) })
  for (const { query, body } of plantedHistory()) {
    query.delete('gate')
    const sent = await fetch(`${projects}/checkout/uploads/out.txt?${query.toString()}`, { method: 'PUT', body })
    if (!sent.ok) throw new Error(await sent.text())
  }
  for (let waited = 0; waited < 600; waited += 1) {
    const { rows } = pageOfRuns.parse(await (await fetch(`${projects}/checkout/runs?state=worse`)).json())
    const newest = rows.find(({ variant, judged }) => variant === 'node22' && judged !== null)
    if (newest?.orderedAt.startsWith('2026-11-18')) return newest.id
    await setTimeout(100)
  }
  throw new Error('The newest run is not judged worse')
}
