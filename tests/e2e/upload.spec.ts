import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { documentFile, dropFile } from './drop'
import { expect, makeProject, test } from './page'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-upload-e2e-'))
// Not after all tests: where each runs in parallel, that is after each one of a worker.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Results as vegeta 12 encodes them, one each ms: `count` rows, of which every tenth is a 503. */
function writeResults(name: string, count: number): { file: string; sizeBytes: number } {
  const body = Buffer.from('{"answer":42,"words":"some of a response that is as long as small ones are"}').toString(
    'base64',
  )
  const rows = Array.from({ length: count }, (_, at) => {
    const startedNs = 1_700_000_000_000_000_000n + BigInt(at) * 1_000_000n
    const code = at % 10 === 9 ? 503 : 200
    const error = code === 503 ? '503 Service Unavailable' : ''
    return `${startedNs},${code},${1_000_000 + (at % 1_000) * 10_000},0,77,${error},${body},big,${at},GET,http://127.0.0.1/items,\n`
  })
  const text = rows.join('')
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return { file, sizeBytes: Buffer.byteLength(text) }
}

const draftSchema = z.object({ upload: z.object({ id: z.string() }) })

/** A line that is slow enough to watch: 4 MB/s. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 4_000_000,
  })
}

test('11 MB arrive whole through the page: sent, read, previewed, saved', async ({ page }) => {
  const count = 65_000
  const { file, sizeBytes } = writeResults('big.csv', count)
  expect(sizeBytes).toBeGreaterThan(11_000_000)
  const slug = await makeProject(page, 'big')
  await page.goto(`/p/${slug}/upload`)
  await slowDown(page)
  await page.getByLabel('Load test output').setInputFiles(file)
  await expect(page.getByText(/^Uploading big\.csv: \d+\s%\sof\s1\d\.\d\sMB, \d.* read$/)).toBeVisible()
  await page.waitForURL(/\/upload\/[a-z0-9]+$/)
  await expect(page.getByText('1 run found')).toBeVisible()
  await page.getByRole('button', { name: 'Save 1 run' }).click()
  await page.waitForURL(/\/runs\/[a-z0-9]+$/)
  const id = page.url().split('/').at(-1) ?? ''
  const run: unknown = await (await page.request.get(`/api/v1/projects/${slug}/runs/${id}`)).json()
  expect(run).toMatchObject({
    upload: { sizeBytes },
    imported: { requests: count, statusCodes: { 200: (count / 10) * 9, 503: count / 10 } },
  })
  await expect(
    page
      .getByText(/\b65[\s,]000\b/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
})

test('cancel while the server has it leaves nothing', async ({ page }) => {
  const slug = await makeProject(page, 'cancel')
  await page.goto(`/p/${slug}/upload`)
  // The server reads the file and makes its draft; the page does not hear of it.
  let tell: (uploadId: string) => void = () => undefined
  const made = new Promise<string>((resolve) => (tell = resolve))
  await page.route(/uploads\?draft=1/, async (route) => {
    tell(draftSchema.parse(await (await route.fetch()).json()).upload.id)
  })
  await dropFile(page, documentFile('smithy-wrk'))
  const draft = `/api/v1/projects/${slug}/uploads/${await made}`
  expect((await page.request.get(draft)).status()).toBe(200)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('smithy-wrk.md was not uploaded')).toBeVisible()
  expect((await page.request.get(draft)).status()).toBe(404)
})

test('files dropped while others are sent wait their turn; a drop does not take an edit away', async ({ page }) => {
  const { file } = writeResults('first.csv', 30_000)
  const slug = await makeProject(page, 'queue')
  await page.goto(`/p/${slug}/upload`)
  await slowDown(page)
  await page.getByLabel('Load test output').setInputFiles(file)
  await expect(page.getByText(/^Uploading first\.csv:/)).toBeVisible()
  await dropFile(page, documentFile('smithy-wrk'))
  await expect(page.getByText('smithy-wrk.md queued')).toBeVisible()
  await page.waitForURL(/\/upload\/[a-z0-9]+$/)
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await expect(uploads.getByRole('link', { name: 'smithy-wrk.md' })).toBeVisible()
  await expect(uploads.getByText('holds 2 runs, not saved yet')).toBeVisible()

  const previewed = page.url()
  await page.getByRole('article').getByLabel('Scenario').fill('Edited by hand')
  await dropFile(page, documentFile('cascade-load-test'))
  await expect(uploads.getByRole('link', { name: 'cascade-load-test.md' })).toBeVisible()
  expect(page.url()).toBe(previewed)
  await expect(page.getByRole('article').getByLabel('Scenario')).toHaveValue('Edited by hand')
})

test('after a cancel, what is dropped next is sent', async ({ page }) => {
  const { file } = writeResults('stopped.csv', 65_000)
  const slug = await makeProject(page, 'again')
  await page.goto(`/p/${slug}/upload`)
  await slowDown(page)
  await page.getByLabel('Load test output').setInputFiles(file)
  await expect(page.getByText(/^Uploading stopped\.csv:/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dropFile(page, documentFile('smithy-wrk'))
  await page.waitForURL(/\/upload\/[a-z0-9]+$/)
  await expect(page.getByText('2 runs found')).toBeVisible()
})
