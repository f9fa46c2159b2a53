import { documentFile, dropFile } from './drop'
import { expect, expectAccessible, makeProject, test } from './page'

test('drop → edit → save → find → open → compare → the same view in a fresh browser', async ({
  page,
  browser,
  baseURL,
}) => {
  const slug = await makeProject(page, 'flow')
  await page.goto(`/p/${slug}/upload`)
  await dropFile(page, documentFile('smithy-wrk'))
  const first = page.getByRole('article').first()
  await first.getByLabel('Scenario').fill('Hollow call')
  await page.getByLabel('label for all runs').fill('commit=d823f61')
  await page.getByLabel('label for all runs').press('Enter')
  await page.getByRole('button', { name: 'Save 2 runs' }).click()
  await page.waitForURL(/\/matrix\?/)

  await page.goto(`/p/${slug}/runs`)
  await page.getByRole('searchbox').fill('hollow call')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByRole('link', { name: /Hollow call/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Smithy Rust Server/ })).toBeHidden()
  await page.getByRole('link', { name: /Hollow call/ }).click()
  await page.waitForURL(/\/runs\/[a-z0-9]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hollow call')
  await expect(page.getByText('9.74 ms').first()).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/p/${slug}/runs`)
  const boxes = page.locator('input[name=run]')
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Compare 2 runs' }).click()
  await page.waitForURL(/\/compare\//)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  await expectAccessible(page)
  const seen = [await heading.innerText(), await page.getByRole('table').first().innerText()]

  await page.locator('summary').filter({ hasText: 'More actions' }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const url = await page.evaluate(() => navigator.clipboard.readText())
  expect(url.startsWith(baseURL ?? '')).toBe(true)
  const fresh = await browser.newContext()
  const other = await fresh.newPage()
  await other.goto(url)
  expect(await other.getByRole('heading', { level: 1 }).innerText()).toBe(seen[0])
  expect(await other.getByRole('table').first().innerText()).toBe(seen[1])
  expect(new URL(other.url()).pathname).toBe(new URL(page.url()).pathname)
  await fresh.close()
})

test('paste text, without a mouse', async ({ page }) => {
  const slug = await makeProject(page, 'paste')
  await page.goto(`/p/${slug}/upload`)
  await page.getByRole('textbox').first().focus()
  await page.keyboard.insertText(
    'Requests      [total, rate, throughput]  10, 10.00, 10.00\nDuration      [total, attack, wait]      1s, 1s, 1ms\nLatencies     [mean, 50, 95, 99, max]    2ms, 2ms, 3ms, 3ms, 4ms\nBytes In      [total, mean]              0, 0.00\nBytes Out     [total, mean]              0, 0.00\nSuccess       [ratio]                    100.00%\nStatus Codes  [code:count]               200:10\nError Set:\n',
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Save 1 run' })).toBeVisible()
  await page.getByRole('article').getByLabel('Scenario').fill('GET /pasted')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/runs\/[a-z0-9]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('GET /pasted')
})

test('a file of another tool is refused by name, with its text shown', async ({ page }) => {
  const slug = await makeProject(page, 'foreign')
  await page.goto(`/p/${slug}/upload`)
  await dropFile(page, 'tests/fixtures/foreign/gatling-stats.txt')
  await expect(page.getByText(/the output of Gatling/).first()).toBeVisible()
  await expect(page.getByText('All Requests').first()).toBeVisible()
})

test('delete a run and undo', async ({ page }) => {
  const slug = await makeProject(page, 'undo')
  await page.goto(`/p/${slug}/upload`)
  await dropFile(page, documentFile('smithy-wrk'))
  await page.getByRole('button', { name: 'Save 2 runs' }).click()
  await page.waitForURL(/\/matrix\?/)
  await page.goto(`/p/${slug}/runs`)
  await page.locator('input[name=run]').first().check()
  await page.locator('summary', { hasText: 'More with the selected runs' }).click()
  await page.getByRole('button', { name: 'Delete 1 run' }).click()
  await expect(page.locator('input[name=run]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.locator('input[name=run]')).toHaveCount(2)
})
