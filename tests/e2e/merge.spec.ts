import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { tarOf } from '../tar'
import { steadyRows, vegetaCsv } from '../vegeta-csv'
import { expect, expectAccessible, makeProject, tabTo, test } from './page'

/** Results from two generators of one test. */
async function fill(page: Page, slug: string): Promise<void> {
  for (const at of [1, 2]) {
    const rows = steadyRows(500 * at, 10_000, at * 100, at * 4_000_000)
    const query = new URLSearchParams({ scenario: 'GET /ping', name: `generator-${at}.csv` })
    const sent = await page.request.put(`/api/v1/projects/${slug}/uploads?${query.toString()}`, {
      data: vegetaCsv(rows),
      headers: { accept: 'application/json' },
    })
    expect(sent.ok()).toBe(true)
  }
}

const boxes = (page: Page) => page.locator('input[name=run]')

test('selected runs of two generators are merged and split again by keys', async ({ page }) => {
  const slug = await makeProject(page, 'generators')
  await fill(page, slug)
  await page.goto(`/p/${slug}/runs?group=none`)
  await page.waitForLoadState('networkidle')
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  const more = page.getByRole('region', { name: 'Selected runs' }).locator('summary')
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Merge into one run …' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Merge into one run' })
  await expect(dialog.getByText('1 500', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'the parts began within' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).focus()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Made of 2 runs' })).toBeVisible()
  await expect(page.getByText('2 runs merged into one')).toBeVisible()
  await expect(page.getByRole('link', { name: 'generator-2.csv' })).toBeVisible()
  await expectAccessible(page)
  const merged = page.url()
  await page.locator('main summary, header summary').filter({ hasText: 'More actions' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Split again' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/p/${slug}/runs$`))
  await expect(boxes(page)).toHaveCount(2)

  // Undo merges them again.
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(boxes(page)).toHaveCount(1)
  expect((await page.request.get(merged)).status()).toBe(404)
})

const draftSchema = z.object({ url: z.string() })

/** The preview of an archive. */
async function previewOf(page: Page, slug: string, files: Readonly<Record<string, string>>): Promise<string> {
  const sent = await page.request.put(`/api/v1/projects/${slug}/uploads?draft=1&name=test.tar`, {
    data: await tarOf(files),
    headers: { accept: 'application/json' },
  })
  expect(sent.status()).toBe(201)
  return draftSchema.parse(await sent.json()).url
}

const generators = {
  'machine-1.csv': vegetaCsv(steadyRows(1_000, 10_000, 100, 4_000_000)),
  'machine-2.csv': vegetaCsv(steadyRows(2_000, 10_000, 200, 8_000_000)),
  'machine-3.csv': vegetaCsv(steadyRows(3_000, 10_000, 300, 12_000_000)),
}

test('runs in a preview are saved as one and split again, by keys, on a phone too', async ({ page }) => {
  const slug = await makeProject(page, 'preview-merge')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(await previewOf(page, slug, generators))
  const merge = page.getByRole('checkbox', { name: 'Merge into one run' })
  await expect(merge).toHaveAccessibleDescription(/runs 1, 2 and 3 may be such\.$/)
  await tabTo(page, merge)
  await page.keyboard.press('Space')
  const asked = page.getByRole('group', { name: 'Runs of several generators' })
  await expect(asked.getByText('6 000', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save 1 run' })).toBeEnabled()
  await expectAccessible(page)
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await sideways()).toBeLessThanOrEqual(0)

  // One of them stays separate; a run that is not saved is not a part.
  await tabTo(page, asked.getByRole('checkbox', { name: /^Run 3/ }))
  await page.keyboard.press('Space')
  await expect(asked.getByText('3 000', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save 2 runs' })).toBeEnabled()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: 'Save run 1' }).focus()
  await page.keyboard.press('Space')
  await expect(asked.getByRole('checkbox', { name: /^Run 1/ })).toHaveCount(0)
  await expect(asked.getByText('5 000', { exact: true })).toBeVisible()
  await page.keyboard.press('Space')
  await expect(asked.getByText('6 000', { exact: true })).toBeVisible()

  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Made of 3 runs' })).toBeVisible()
  await expect(page.getByText('3 runs merged into one')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/p/${slug}/runs$`))
  await expect(boxes(page)).toHaveCount(3)
})

test('a preview says why runs cannot be merged, and saves them as they are', async ({ page }) => {
  const slug = await makeProject(page, 'preview-refusal')
  const wrk = readFileSync('tests/fixtures/wrk-text/latency.txt', 'utf8')
  const files = { 'machine-1.txt': wrk, 'machine-2.txt': wrk.replace(/(\d+) requests in/, '1234 requests in') }
  await page.goto(await previewOf(page, slug, files))
  await page.getByRole('checkbox', { name: 'Merge into one run' }).check()
  const refusal = page.getByRole('group', { name: 'Runs of several generators' }).getByRole('alert')
  await expect(refusal).toContainText('They cannot be one run. machine-1.txt has percentiles only')
  await expect(refusal).toContainText('Percentiles of several runs cannot be averaged')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save 2 runs' }).click()
  await page.waitForURL(/\/(runs|matrix)\?upload=/)
})
