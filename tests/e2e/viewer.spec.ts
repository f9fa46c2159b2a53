import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { runCli } from '../cli/run-cli'
import { wrkReport } from '../cli/wrk-report'
import { dropFiles } from './drop'
import { expect, expectAccessible, test } from './page'

/** Script that a browser reads before a file is dropped: no more than it was, in kB. */
const maxScriptKilobytes = 365

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-viewer-'))
const fileOf = (name: string, text: string): string => {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}
const before = fileOf('before.txt', wrkReport(1))
const after = fileOf('after.txt', wrkReport(1.2))

/** What the page requests from now on. */
function requestsOf(page: Page): readonly string[] {
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  return urls
}

/** Drops two files, and sees what the command line says of them; nothing is requested for it. */
async function compareTwo(page: Page): Promise<void> {
  const { out } = await runCli(['compare', before, after, '--json'])
  const { sentence } = JSON.parse(out) as { readonly sentence: string }
  await expect(page.getByRole('heading', { name: 'Drop results here' })).toBeVisible()
  await expect(page.getByText('Nothing left this computer.')).toBeVisible()
  const requests = requestsOf(page)
  await dropFiles(page, [before, after])
  await expect(page.getByRole('heading', { level: 1, name: sentence })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Figures' }).first()).toBeVisible()
  // The thread that reads is of the page's own script.
  expect(requests.filter((url) => !url.startsWith('blob:'))).toEqual([])
}

test('a page from a server compares files that never leave the browser, and travels as a link', async ({ page }) => {
  const response = await page.goto('/viewer')
  expect(response?.headers()['content-security-policy']).toContain("connect-src 'none'")
  await compareTwo(page)
  await expectAccessible(page)
  const name = page.getByRole('textbox', { name: 'Name of side 2' })
  await name.fill('patched')
  await name.press('Enter')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('patched')
  const sentence = (await heading.textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/viewer#v1\.[\w-]+$/)
  const other = await page.context().newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(sentence)
  await other.goto('about:blank')
  await other.goto(`${link.slice(0, -20)}AAAA`)
  await expect(other.getByRole('alert')).toContainText('This link is damaged')
})

test('the same file works from a folder', async ({ page, request }) => {
  const html = await (await request.get('/viewer')).text()
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? ''
  expect(brotliCompressSync(script).length / 1_000).toBeLessThan(maxScriptKilobytes)
  await page.goto(pathToFileURL(fileOf('viewer.html', html)).href)
  await compareTwo(page)
  await page.getByRole('link', { name: 'Show as table' }).first().click()
  await expect(page.getByRole('link', { name: 'Show as chart' })).toBeVisible()
})

test('what cannot be read is said beside what can', async ({ page }) => {
  await page.goto('/viewer')
  const notes = fileOf('notes.md', 'nothing of a tool\n')
  const { err } = await runCli(['parse', notes])
  await dropFiles(page, [before, notes])
  await expect(page.getByRole('listitem').filter({ hasText: 'notes.md' })).toContainText(
    err.trim().replace(/^.*?notes\.md: /, ''),
  )
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a file that is gone before it is read ends the reader, and the page reads on', async ({ page }) => {
  await page.goto('/viewer')
  const gone = fileOf('gone.txt', wrkReport(1))
  const input = page.getByLabel('Files to show')
  // Chosen, but not taken until the file is gone.
  await page.evaluate(() => {
    window.addEventListener('change', (event) => event.isTrusted && event.stopImmediatePropagation(), true)
  })
  await input.setInputFiles(gone)
  rmSync(gone)
  await input.evaluate((element) => element.dispatchEvent(new Event('change', { bubbles: true })))
  await expect(page.getByRole('listitem').filter({ hasText: 'gone.txt' })).toContainText('The reader ended')
  await dropFiles(page, [before])
  await expect(page.getByRole('region', { name: 'Figures' }).first()).toBeVisible()
})
