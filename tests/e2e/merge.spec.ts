import type { Page } from '@playwright/test'
import { steadyRows, vegetaCsv } from '../vegeta-csv'
import { expect, expectAccessible, makeProject, test } from './page'

/** Results of two generators of one test. */
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

  // What was split is merged again by undo.
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(boxes(page)).toHaveCount(1)
  expect((await page.request.get(merged)).status()).toBe(404)
})
