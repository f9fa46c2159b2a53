import type { Page } from '@playwright/test'
import { heyText } from '../server/feed-series'
import { expect, expectAccessible, expectReadable, makeProject, test } from './page'

const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString()

/** Eight nights of two variants with p99 near the given value; the last one of node22 is far off. */
async function makeHistory(page: Page): Promise<string> {
  const slug = await makeProject(page, 'board')
  for (let at = 0; at < 9; at += 1) {
    for (const variant of ['node20', 'node22']) {
      const isOff = variant === 'node22' && at === 8
      const query = new URLSearchParams({ scenario: 'GET /orders', variant, startedAt: day(at), gate: '1', again: '1' })
      query.append('label', `commit=night${at}`)
      const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?${query}`, {
        data: heyText(isOff ? 140 : 100 + (at % 3)),
        headers: { 'content-type': 'text/plain' },
      })
      expect([201, 200, 422]).toContain(answer.status())
    }
  }
  return slug
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })

test('the board shows what is off, and the percentiles of a row by pointer and by keyboard', async ({ page }) => {
  const slug = await makeHistory(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(async () => {
    await page.goto(`/p/${slug}`)
    await expect(page.getByRole('rowheader').first()).toContainText('Unusual', { timeout: 1_000 })
  }).toPass()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Board')
  const news = page.getByRole('listitem').filter({ hasText: 'night8' })
  await expect(news).toContainText('node22 ran outside its expected range')
  await expect(rowOf(page, 'node22').getByRole('img').first()).toHaveAccessibleName(
    /^p99 of the last 9 runs; newest: unusual/,
  )
  // The fan is in the first row that leaves its band.
  const fan = (variant: string) => page.getByRole('region', { name: `Percentiles of GET /orders › ${variant}` }).last()
  await expect(fan('node22')).toContainText('all 8 runs of this level')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectReadable(page)

  await rowOf(page, 'node20').hover()
  await expect(fan('node20')).toBeVisible()
  await rowOf(page, 'node22')
    .getByRole('link', { name: /^Percentiles of/ })
    .focus()
  await expect(fan('node22')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(rowOf(page, 'node20').getByRole('link', { name: 'GET /orders' }).first()).toBeFocused()
  await expect(fan('node20')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/runs\/\w+$/)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a row links to the page with its percentiles, and a form filters the list', async ({ page }) => {
    await page.goto('/p/lambda-dispatcher')
    await expect(page.getByRole('heading', { name: 'No expected range yet' })).toBeVisible()
    await page.getByRole('link', { name: 'GET: Image/Jpeg' }).click()
    await expect(page).toHaveURL(/\?series=\w+$/)
    await expect(page.getByRole('region', { name: 'Percentiles of GET: Image/Jpeg' }).last()).toBeVisible()
  })
})

test('on a phone the percentiles open in their row, and nothing scrolls sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/p/lambda-dispatcher')
  await rowOf(page, 'POST: Image/Jpeg Echo').getByRole('link').first().click()
  await expect(
    page.getByRole('row').getByRole('region', { name: 'Percentiles of POST: Image/Jpeg Echo' }),
  ).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('an empty project says how to add its first run', async ({ page }) => {
  const slug = await makeProject(page, 'board-empty')
  await page.goto(`/p/${slug}`)
  await expect(page.getByText('No runs yet')).toBeVisible()
  await expectAccessible(page)
})
