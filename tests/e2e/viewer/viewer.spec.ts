import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { runCli } from '../../cli/run-cli'
import { wrkReport } from '../../cli/wrk-report'
import { documentFile, dropFile, dropFiles } from '../drop'
import { expect, expectAccessible, test } from '../page'

/** Script that a browser reads before a file is dropped, and all of it, in kB: no more than it was, the capacity of a sweep, and the cube of rows. */
const [maxStartKilobytes, maxScriptKilobytes] = [70, 415]

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
  const scripts = [...html.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)]
  const [rest = 0, start = 0] = scripts.map(([, , text = '']) => brotliCompressSync(text).length / 1_000)
  // Of a type that no browser runs: until it is needed, it is text.
  expect(scripts.map(([, attributes]) => attributes?.trim())).toEqual(['type="text/plain" id="rest"', 'id="start"'])
  expect(start).toBeLessThan(maxStartKilobytes)
  expect(start + rest).toBeLessThan(maxScriptKilobytes)
  await page.goto(pathToFileURL(fileOf('viewer.html', html)).href)
  await compareTwo(page)
  await page.getByRole('link', { name: 'Show as table' }).first().click()
  await expect(page.getByRole('link', { name: 'Show as chart' })).toBeVisible()
})

test('a document fills a matrix, whose cells lead to their comparison, or a sweep: as on the server', async ({
  page,
}) => {
  await page.goto('/p/lambda-dispatcher/matrix')
  const verdict = (await page.getByRole('heading', { level: 1 }).textContent())?.trim() ?? ''
  await page.goto('/p/zlib-gzip/matrix?view=sweep')
  const swept = (await page.getByRole('heading', { level: 1 }).textContent())?.trim() ?? ''

  await page.goto('/viewer')
  await expect(page.getByRole('heading', { name: 'Drop results here' })).toBeVisible()
  const requests = requestsOf(page)
  await dropFile(page, documentFile('lambda-dispatcher-vs-direct'))
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(verdict)
  await expect(page.getByRole('cell', { name: /6 MB/ })).toBeVisible()
  await expectAccessible(page)
  await page.locator('summary[title="More"]').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('matrix.csv')
  await page
    .getByRole('table', { name: 'Matrix' })
    .getByRole('link', { name: /5\s553/ })
    .click()
  await expect(page.getByRole('region', { name: 'Figures' }).first()).toContainText('n = 1')
  await page.getByRole('link', { name: 'Back to the matrix' }).click()
  await expect(heading).toHaveText(verdict)
  expect(requests.filter((url) => !url.startsWith('blob:'))).toEqual([])

  await page.reload()
  await dropFile(page, documentFile('zlib-gzip'))
  await page.getByRole('link', { name: 'Sweep', exact: true }).click()
  await expect(heading).toHaveText(swept)
  await expect(page.getByRole('figure').first()).toBeVisible()
  await expectAccessible(page)
})

test('a dropped folder is read whole, and what holds no results in it is no news', async ({ page }) => {
  const dropped = path.join(folder, 'runs')
  for (const [side, factor] of [
    ['base', 1],
    ['head', 1.2],
  ] as const) {
    mkdirSync(path.join(dropped, side), { recursive: true })
    for (const run of [1, 2, 3])
      writeFileSync(path.join(dropped, side, `${run}.txt`), wrkReport(factor * (1 + run / 100)))
  }
  writeFileSync(path.join(dropped, 'README.md'), 'How these were made.\n')
  await page.goto('/viewer')
  await page.getByLabel('Folder to show').setInputFiles(dropped)
  await expect(page.getByRole('list', { name: 'Sides' }).getByText('3 runs')).toHaveCount(2)
  await expect(page.getByText('README.md')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Drop results here' })).toBeVisible()
  const client = await page.context().newCDPSession(page)
  const data = { items: [], files: [dropped], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  await expect(page.getByRole('list', { name: 'Sides' }).getByText('3 runs')).toHaveCount(2)
})

test('files go to a server in a window of its own, which asks for the project', async ({ page }) => {
  await page.goto('/viewer')
  await dropFiles(page, [before, after])
  const requests = requestsOf(page)
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Send to a server' }).click(),
  ])
  await opened.getByRole('dialog').getByLabel('New project').fill('From the viewer')
  await opened.getByRole('button', { name: 'Create' }).click()
  await expect(opened).toHaveURL(/\/p\/from-the-viewer\/upload/)
  await expect(opened.getByText('before.txt').first()).toBeVisible()
  await expect(opened.getByText('after.txt').first()).toBeVisible()
  expect(requests.filter((url) => !url.startsWith('blob:'))).toEqual([])
})

test('a copy elsewhere hands its files to the viewer of the server that it names', async ({
  page,
  request,
  baseURL,
}) => {
  const html = await (await request.get('/viewer')).text()
  const copy = html.replace('name="tailboard-server" content="/"', `name="tailboard-server" content="${baseURL ?? ''}"`)
  await page.goto(pathToFileURL(fileOf('copy.html', copy)).href)
  await dropFiles(page, [before, after])
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Send to a server' }).click(),
  ])
  await expect(opened).toHaveURL(/\/viewer$/)
  await expect(opened.getByRole('list', { name: 'Sides' })).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Send to a server' })).toBeVisible()
})

test('two files of one name are two sides, and one file given twice is said', async ({ page }) => {
  await page.goto('/viewer')
  for (const [place, factor] of [
    ['one', 1],
    ['two', 1.2],
  ] as const) {
    mkdirSync(path.join(folder, place), { recursive: true })
    await dropFile(page, fileOf(`${place}/out.txt`, wrkReport(factor)))
  }
  const names = page.getByRole('list', { name: 'Sides' }).getByRole('textbox')
  await expect(names).toHaveCount(2)
  await expect(names.nth(0)).toHaveValue('out')
  await expect(names.nth(1)).toHaveValue('out (2)')
  await expect(page.getByText('Two sides are the same file.')).toBeHidden()
  await page.reload()
  const file = path.join(folder, 'one/out.txt')
  await page.getByLabel('Files to show').setInputFiles(file)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByLabel('Files to show').setInputFiles(file)
  await expect(page.getByText('Two sides are the same file.')).toBeVisible()
})

test('words at the ends of lines stay in their plot, however narrow its column', async ({ page }) => {
  const files = ['before-the-change', 'after-the-change'].map((name, at) => fileOf(`${name}.txt`, wrkReport(900 + at)))
  await page.goto('/viewer')
  await dropFiles(page, files)
  for (const width of [390, 800, 1_280, 1_920]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('figure').first()).toBeVisible()
    const cut = await page.getByRole('figure').evaluateAll((figures) =>
      figures.flatMap((figure) => {
        const { left, right } = figure.getBoundingClientRect()
        return [...figure.querySelectorAll('svg text')].flatMap((text) => {
          const own = text.getBoundingClientRect()
          return own.width > 0 && (own.left < left - 1 || own.right > right + 1) ? [text.textContent] : []
        })
      }),
    )
    expect(cut, String(width)).toEqual([])
  }
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
