import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { documentFile, dropFile, dropFiles } from './drop'
import { heyText } from '../server/feed-series'
import { choose, expect, expectAccessible, makeProject, test } from './page'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-upload-e2e-'))
// Not `afterAll`: with parallel tests it runs after each test of a worker.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Results as vegeta 12 encodes them, one per ms: `count` rows, every tenth a 503. */
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

/** A connection that is slow enough to watch: 4 MB/s. */
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
  await expect(page.getByText('1 run of vegeta')).toBeVisible()
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

test('cancelling while the server reads leaves nothing', async ({ page }) => {
  const slug = await makeProject(page, 'cancel')
  await page.goto(`/p/${slug}/upload`)
  // The server reads the file and creates its draft; the page does not learn of it.
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

test('files dropped during an upload wait their turn; a drop does not discard an edit', async ({ page }) => {
  const { file } = writeResults('first.csv', 30_000)
  const slug = await makeProject(page, 'queue')
  await page.goto(`/p/${slug}/upload`)
  await slowDown(page)
  await page.getByLabel('Load test output').setInputFiles(file)
  await expect(page.getByText(/^Uploading first\.csv:/)).toBeVisible()
  await dropFile(page, documentFile('smithy-wrk'))
  await expect(page.getByText('smithy-wrk.md queued')).toBeVisible()
  await page.waitForURL(/\/upload\/many\?of=/)
  await expect(page.getByRole('heading', { name: '2 files, 3 runs' })).toBeVisible()

  const previewed = page.url()
  await page.getByLabel('Scenario of run 1').fill('Edited by hand')
  await dropFile(page, documentFile('cascade-load-test'))
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await expect(uploads.getByRole('link', { name: 'cascade-load-test.md' })).toBeVisible()
  await expect(uploads.getByText('holds 4 runs, not saved yet')).toBeVisible()
  expect(page.url()).toBe(previewed)
  await expect(page.getByLabel('Scenario of run 1')).toHaveValue('Edited by hand')
})

/** Uploads a document as curl does. */
async function saveDocument(page: Page, slug: string, text: string): Promise<void> {
  const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?name=a.md`, {
    data: text,
    headers: { accept: 'application/json' },
  })
  expect(answer.status()).toBe(201)
}

test('many runs are a table, whose names can be changed to known ones', async ({ page }) => {
  const slug = await makeProject(page, 'table')
  const text = readFileSync(documentFile('lambda-dispatcher-vs-direct'), 'utf8')
  await saveDocument(page, slug, text.replaceAll('Direct Lambda', 'Direct Lambda v2'))
  await page.goto(`/p/${slug}/upload`)
  await dropFile(page, documentFile('lambda-dispatcher-vs-direct'))
  const table = page.getByRole('table', { name: 'Runs found, in the order of the file' })
  const fourth = table.getByRole('row').filter({ has: page.getByLabel('Save run 4') })
  for (const said of ['heading, line 130', 'heading, line 206', '406', '480', '0\u00a0%'])
    await expect(fourth).toContainText(said)
  await expect(page.getByText('Same in all runs:')).toBeVisible()
  await expectAccessible(page)

  // Known names come first, with their number of runs, new ones last.
  const variant = table.getByLabel('Variant of run 4')
  await variant.click()
  await variant.fill('Direct')
  const offered = page.getByRole('listbox', { name: 'Known names' }).getByRole('option')
  await expect(offered).toHaveText([
    'Direct Lambda v2 3 runs',
    'Direct Lambda from the document',
    'New variant “Direct”',
  ])
  await expectAccessible(page)
  await variant.press('ArrowDown')
  await expect(offered.first()).toHaveAttribute('aria-selected', 'true')
  await variant.press('Enter')
  await expect(variant).toHaveValue('Direct Lambda v2')
  await expect(offered).toHaveCount(0)
  await expect(fourth).toContainText('by you')

  // Its lines scroll the document, not the page.
  await fourth.getByRole('link', { name: '211–252' }).click()
  await expect(page.locator('#L211')).toBeInViewport()
  await expect(variant).toBeInViewport()

  await page.getByLabel('environment for all runs').fill('ci')
  await page.getByLabel('environment for all runs').press('Enter')
  await table.getByLabel('Save run 7').uncheck()
  await table.getByRole('button', { name: 'Details of run 1' }).click()
  await expect(table.getByLabel('Value of label instances of run 1')).toHaveValue('20')

  // The other view has the same edits.
  await page.getByRole('link', { name: 'Cards' }).click()
  await expect(page).toHaveURL(/view=cards/)
  const card = page.getByRole('article').nth(3)
  await expect(card.getByLabel('Variant')).toHaveValue('Direct Lambda v2')
  await expect(card.getByLabel('Environment')).toHaveValue('ci')
  await page.getByRole('button', { name: 'Save 6 runs' }).click()
  await page.waitForURL(/\/matrix\?/)
  await expect(page.getByRole('columnheader', { name: /Direct Lambda v2/ }).first()).toBeVisible()
})

test('files dropped together, and one before their page appears, are one table, saved at once', async ({ page }) => {
  const slug = await makeProject(page, 'together')
  await page.goto(`/p/${slug}/upload`)
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  await page.route(/\/upload\/many\?.*_rsc/, async (route) => {
    await opened
    await route.continue()
  })
  const refused = 'tests/fixtures/foreign/gatling-stats.txt'
  await dropFiles(page, [documentFile('smithy-wrk'), documentFile('zlib-gzip'), refused])
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await expect(uploads).toBeHidden()
  await dropFile(page, documentFile('cascade-load-test'))
  await expect(uploads).toBeVisible()
  await expect(uploads).toBeHidden()
  open()
  await expect(page.getByRole('heading', { name: '4 files, 10 runs' })).toBeVisible()
  await page.getByLabel('Scenario of run 1', { exact: true }).fill('Hollow call')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save 10 runs' }).click()
  await expect(page.getByRole('heading', { name: '10 runs saved' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Hollow call/ })).toBeVisible()

  // A file of another tool has no run; its own page says why.
  await page.getByRole('link', { name: 'gatling-stats.txt' }).click()
  await expect(page.getByText(/the output of Gatling/).first()).toBeVisible()
  await expect(page.getByText('All Requests').first()).toBeVisible()
})

test('names of many files are split by keys and by dragging; states follow once they are saved', async ({ page }) => {
  const slug = await makeProject(page, 'names')
  const before = await page.request.put(`/api/v1/projects/${slug}/uploads?scenario=GET+/checkout`, {
    data: heyText(50),
  })
  expect(before.status()).toBeLessThan(300)
  await page.goto(`/p/${slug}/upload`)
  await page.waitForLoadState('networkidle')
  const named = (name: string, ms: number) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(heyText(ms)) })
  await page
    .getByLabel('Load test output')
    .setInputFiles([
      named('checkout-node20_2026-11-20.txt', 101),
      named('checkout-node22_2026-11-20.txt', 102),
      named('search-node20_2026-11-21.txt', 103),
      named('search-rerun.txt', 104),
    ])
  await page.waitForURL(/\/upload\/many\?of=/)
  const pattern = page.getByRole('textbox', { name: 'Pattern' })
  const names = page.getByRole('region', { name: 'Names from file names' })
  await expect(pattern).toHaveValue('{scenario}-{variant}_{date}.txt')
  await expect(names.getByRole('status')).toHaveText('fits 3 of 4')
  // The project's own name for a word, and the date.
  await expect(page.getByLabel('Scenario of run 1')).toHaveValue('GET /checkout')
  await expect(page.getByLabel('Variant of run 2')).toHaveValue('node22')
  await expect(page.getByRole('cell', { name: '21 Nov 2026', exact: true })).toBeVisible()
  await expectAccessible(page)

  // By keys: a letter on a part, Shift and an arrow for more of it, or the text.
  await names.getByRole('button', { name: 'checkout, scenario' }).focus()
  await page.keyboard.press('0')
  await expect(pattern).toHaveValue('checkout-{variant}_{date}.txt')
  await names.getByRole('button', { name: 'checkout, nothing' }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('v')
  await expect(pattern).toHaveValue('{variant}_{date}.txt')
  await expect(page.getByLabel('Variant of run 1')).toHaveValue('checkout-node20')
  await pattern.fill('{scenario}-{variant}')
  await expect(names.getByRole('status')).toHaveText('fits 4 of 4')
  await pattern.fill('{scenario}{variant}')
  await expect(names.getByRole('alert')).toBeVisible()
  await pattern.fill('x-{scenario}.txt')

  // By dragging over two words of a name.
  const [first, last] = ['checkout, nothing', 'node20, nothing'].map((name) => names.getByRole('button', { name }))
  await first?.hover()
  await page.mouse.down()
  await last?.hover()
  await page.mouse.up()
  await names.getByRole('button', { name: 'Scenario' }).click()
  await expect(pattern).toHaveValue('{scenario}_2026-11-20.txt')
  await pattern.fill('{scenario}-{variant}_{date}.txt')

  await page.getByLabel('environment for all runs').fill('staging')
  await page.keyboard.press('Enter')
  await page.getByLabel('Variant of run 4').fill('node22')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save 4 runs' }).click()
  await expect(page.getByRole('heading', { name: '4 runs saved' })).toBeVisible()
  await expect(page.getByText('4 judged.')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  const { rows } = z
    .object({ rows: z.array(z.looseObject({ scenario: z.string(), environment: z.string().nullable() })) })
    .parse(await (await page.request.get(`/api/v1/projects/${slug}/runs`)).json())
  expect(rows.filter(({ environment }) => environment === 'staging')).toHaveLength(4)
})

test('reloading asks for confirmation during an upload; after a cancellation, the next drop is sent', async ({
  page,
}) => {
  const { file } = writeResults('asked.csv', 65_000)
  const slug = await makeProject(page, 'reload')
  await page.goto(`/p/${slug}/upload`)
  await page.getByRole('heading', { level: 1 }).click() // a page without interaction does not ask
  await slowDown(page)
  await page.getByLabel('Load test output').setInputFiles(file)
  await expect(page.getByText(/^Uploading asked\.csv:/)).toBeVisible()
  const asked = page.waitForEvent('dialog')
  const leaving = page.evaluate(() => setTimeout(() => location.reload()))
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await leaving
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('asked.csv was not uploaded')).toBeVisible()
  await dropFile(page, documentFile('smithy-wrk'))
  await page.waitForURL(/\/upload\/[a-z0-9]+$/)
  await expect(page.getByText('2 runs of wrk')).toBeVisible()
  // Nothing is being sent, so nothing is asked.
  await page.reload()
  await expect(page.getByText('asked.csv was not uploaded')).toHaveCount(0)
})

test('a draft saved in another tab shows its runs, on return and when saved again', async ({ page, context }) => {
  const slug = await makeProject(page, 'tabs')
  await page.goto(`/p/${slug}/upload`)
  await dropFile(page, documentFile('smithy-wrk'))
  const save = page.getByRole('button', { name: 'Save 2 runs' })
  await expect(save).toBeVisible()
  const stale = await context.newPage()
  await stale.goto(page.url())
  await expect(stale.getByRole('button', { name: 'Save 2 runs' })).toBeVisible()
  const draft = page.url()
  await save.click()
  await page.waitForURL(/\/matrix\?/)
  await stale.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(stale.getByRole('heading', { name: 'Saved: 2 runs' })).toBeVisible()
  await expect(stale.getByRole('button', { name: /^Save/ })).toHaveCount(0)
  await expect(stale.locator('#runs').getByRole('link', { name: /c6i\.8xlarge/ })).toBeVisible()
  // Back to a saved preview: its runs, not its form.
  await page.goBack()
  expect(page.url()).toBe(draft)
  await expect(page.getByRole('heading', { name: 'Saved: 2 runs' })).toBeVisible()
})

test('on a phone the runs come first, the document is in a tab, and nothing scrolls sideways', async ({ page }) => {
  const slug = await makeProject(page, 'phone')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/p/${slug}/upload`)
  await dropFile(page, documentFile('lambda-dispatcher-vs-direct'))
  const first = page.getByRole('link', { name: 'lines 37–78' })
  await expect(first).toBeInViewport()
  await expect(page.getByText('99.9')).toBeInViewport()
  await expect(page.locator('#L37')).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
  await first.click()
  await expect(page.locator('#L37')).toBeInViewport()
  await expect(first).toBeHidden()
  await page.getByRole('link', { name: '7 runs' }).click()
  await expect(first).toBeVisible()
  await page.getByRole('link', { name: 'Document', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Document' })).toBeInViewport()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the page of an upload and a preview say what works', async ({ page }) => {
    const slug = await makeProject(page, 'plain')
    await page.goto(`/p/${slug}/upload`)
    // Controls that need scripts are hidden; a form saves a file, or a text with its names.
    await expect(page.getByRole('button', { name: 'Choose file' })).toBeHidden()
    await page.getByLabel('File', { exact: true }).setInputFiles(documentFile('cascade-load-test'))
    await page.getByRole('button', { name: 'Save runs' }).click()
    await expect(page).toHaveURL(/\/runs\?upload=\w+$/)
    // The beginning of the document, and its four runs.
    await expect(page.getByRole('table', { name: 'Runs' }).locator('tbody').getByRole('row')).toHaveCount(5)
    await page.goto(`/p/${slug}/upload`)
    await page.getByLabel('Or text').fill(readFileSync('tests/fixtures/hey-text/v011.txt', 'utf8'))
    await page.getByLabel(/^Scenario/).fill('GET /pasted')
    await page.getByRole('button', { name: 'Save runs' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('GET /pasted')
    await page.goto(`/p/${slug}/upload`)
    await page.getByLabel('Or text').fill('no results')
    await page.getByRole('button', { name: 'Save runs' }).click()
    // The text is kept, with the reason.
    await expect(page).toHaveURL(/\/upload\/\w+$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const made = await page.request.put(`/api/v1/projects/${slug}/uploads?draft=1&name=a.md`, {
      data: readFileSync(documentFile('zlib-gzip')),
      headers: { accept: 'application/json' },
    })
    const { id } = draftSchema.parse(await made.json()).upload
    await page.goto(`/p/${slug}/upload/${id}`)
    const notice = page.locator('noscript .notice')
    await expect(notice).toBeVisible()
    await expect(notice).toContainText(`uploads/${id}/save`)
    const saved = await page.request.post(`/api/v1/projects/${slug}/uploads/${id}/save`, { data: { edits: [] } })
    expect(saved.status()).toBe(201)
  })
})

test('a drop on home asks for a project, offering a new one first', async ({ page }) => {
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  await dropFile(page, documentFile('smithy-wrk'))
  const dialog = page.getByRole('dialog', { name: 'Which project is this file for?' })
  const name = dialog.getByLabel('New project')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('smithy-wrk')
  await expect(dialog.getByRole('combobox')).toHaveCount(0)
  await expect(dialog.getByRole('list').getByRole('button').first()).toBeVisible()
  await expectAccessible(page)
  await name.fill(`dropped-${Date.now()}`)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/p\/dropped-\d+\/upload\/[a-z0-9]+$/)
  await expect(page.getByRole('button', { name: 'Save 2 runs' })).toBeVisible()
})

test('a table from an unknown tool becomes a run once its columns are mapped', async ({ page }) => {
  const rows = Array.from({ length: 400 }, (_, at) => {
    const began = new Date(Date.UTC(2026, 4, 1) + at * 50).toISOString()
    return `${began};/items;${(10 + (at % 20) / 2).toFixed(1)};${at % 100 === 99 ? 503 : 200}`
  })
  const file = path.join(folder, 'Orders 2026.csv')
  writeFileSync(file, `when;endpoint;took;code\n${rows.join('\n')}\n`)
  const slug = await makeProject(page, 'mapped')
  await page.goto(`/p/${slug}/upload`)
  await page.getByLabel('Load test output').setInputFiles(file)
  await expect(page.getByRole('heading', { name: 'No known tool printed this' })).toBeVisible()
  await expectAccessible(page)
  const form = page.getByRole('form', { name: 'Map columns' })
  await expect(form.getByLabel('Column took holds')).toHaveText('Latency')
  await expect(form.getByLabel('Column when holds')).toHaveText('Time')
  // No name says the unit: it is asked for, by the keyboard alone here.
  await form.getByRole('button', { name: 'Read by this mapping' }).focus()
  await page.keyboard.press('Enter')
  await expect(form.getByRole('alert')).toHaveText(/^Choose the unit of the latency/)
  // Typed letters find an option; the shortcuts of the page (U uploads) are not theirs.
  const unit = form.getByLabel('Latency is in')
  await unit.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'choose a unit' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('m')
  await page.keyboard.press('m')
  await page.keyboard.press('Escape')
  await expect(unit).toHaveText('choose a unit')
  await page.keyboard.type('mil')
  await page.keyboard.press('Space')
  await expect(unit).toHaveText('milliseconds')
  await expect(unit).toBeFocused()
  await expect(page).toHaveURL(/\/upload\//)
  await form.getByRole('button', { name: 'Read by this mapping' }).click()
  await expect(page.getByText('1 run of Own samples')).toBeVisible()
  const draft = page.url().split('/').at(-1) ?? ''
  const details = page.locator('details', { hasText: 'Read by the mapping orders-2026' })
  await details.locator('summary').click()
  await expect(details.getByLabel('Begin with')).toHaveText('orders-2026')
  // The endpoint is no target of its own after all.
  await choose(details.getByLabel('Column endpoint holds'), 'not read')
  await details.getByRole('button', { name: 'Read by this mapping' }).click()
  await expect(details.locator('summary')).not.toContainText('label')
  await page.getByRole('button', { name: 'Save 1 run' }).click()
  await page.waitForURL(/\/runs\/[a-z0-9]+$/)
  const id = page.url().split('/').at(-1) ?? ''
  const api = `/api/v1/projects/${slug}`
  const run: unknown = await (await page.request.get(`${api}/runs/${id}`)).json()
  expect(run).toMatchObject({
    imported: { tool: 'mapped', requests: 400, successes: 396, startedAt: '2026-05-01T00:00:00.000Z' },
  })
  const upload: unknown = await (await page.request.get(`${api}/uploads/${draft}`)).json()
  expect(upload).toMatchObject({ mapping: { name: 'orders-2026', mapping: { label: null } } })
})

test('saving several files is undone, and dates are there on a phone', async ({ page }) => {
  const slug = await makeProject(page, 'undone')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/p/${slug}/upload`)
  await page.waitForLoadState('networkidle')
  const named = (name: string, ms: number) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(heyText(ms)) })
  await page
    .getByLabel('Load test output')
    .setInputFiles([named('checkout-a_2026-11-20.txt', 101), named('checkout-a_2026-11-21.txt', 102)])
  await page.waitForURL(/\/upload\/many\?of=/)
  await page.getByRole('textbox', { name: 'Pattern' }).fill('{scenario}-{variant}_{date}.txt')
  await expect(page.getByText('21 Nov 2026', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save 2 runs' }).click()
  await expect(page.getByRole('heading', { name: '2 runs saved' })).toBeVisible()
  // The second run of a series has a strip.
  await expect(page.getByRole('table').locator('svg[data-reads]')).toHaveCount(1)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(`**/p/${slug}/upload`)
  const { rows } = (await (await page.request.get(`/api/v1/projects/${slug}/runs`)).json()) as { rows: unknown[] }
  expect(rows).toEqual([])
})
