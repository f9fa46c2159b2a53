import { documentFile, dropFile } from './drop'
import { expect, makeProject, test } from './page'

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

  await page.goto(`/p/${slug}/runs`)
  const boxes = page.locator('input[name=run]')
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await page.getByRole('link', { name: 'Compare 2 runs' }).click()
  await page.waitForURL(/\/compare\//)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
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
