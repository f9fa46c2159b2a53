import type { Page } from '@playwright/test'
import { heyText } from '../server/feed-series'
import { expect, expectAccessible, makeProject, test } from './page'

let seconds = 0
/** Uploads a run that began after those before it; its id. */
async function upload(page: Page, slug: string, scenario = 'GET /cart'): Promise<string> {
  seconds += 1
  const startedAt = new Date(Date.UTC(2026, 10, 1, 2, 0, seconds)).toISOString()
  const query = new URLSearchParams({ scenario, startedAt, again: '1' })
  const sent = await page.request.put(`/api/v1/projects/${slug}/uploads?${query.toString()}`, {
    data: heyText(100 + seconds),
    headers: { accept: 'application/json' },
  })
  expect(sent.ok()).toBe(true)
  const { runs } = (await sent.json()) as { runs: [{ id: string }] }
  return runs[0].id
}

const lines = (page: Page) => page.getByRole('table', { name: 'Runs' }).locator('tr:has(input[name=run])')
/** The page follows its project a second after it was opened. */
const following = (page: Page, slug: string) =>
  page.waitForResponse((response) => response.url().endsWith(`/projects/${slug}/changes`))

test('a list says how many runs came, moves nothing, and shows them when asked', async ({ page }) => {
  const slug = await makeProject(page, 'live')
  await upload(page, slug)
  const opened = following(page, slug)
  await page.goto(`/p/${slug}/runs?group=none`)
  await opened
  // Until it is judged, the page may still load the list again, with what came meanwhile.
  await expect(lines(page).first()).toContainText('No history')
  const place = await lines(page).first().boundingBox()
  await upload(page, slug)
  const newest = await upload(page, slug)
  const show = page.getByRole('status').getByRole('button', { name: '2 new runs · show' })
  await expect(show).toBeVisible()
  expect(await lines(page).first().boundingBox()).toEqual(place)
  await expect(lines(page)).toHaveCount(1)
  await expectAccessible(page)
  await show.click()
  await expect(lines(page)).toHaveCount(3)
  await expect(lines(page).locator(`input[value="${newest}"]`)).toBeVisible()
  await expect(show).toBeHidden()
  // Judged in place, without being asked.
  await expect(page.getByTitle('Not judged yet')).toHaveCount(0, { timeout: 30_000 })
})

test('a list with filters counts what it would show, and a key shows it', async ({ page }) => {
  const slug = await makeProject(page, 'live-filter')
  await upload(page, slug)
  const opened = following(page, slug)
  await page.goto(`/p/${slug}/runs?scenario=GET+%2Fcart&group=none`)
  await opened
  await upload(page, slug, 'GET /other')
  await upload(page, slug)
  await expect(page.getByRole('button', { name: '1 new run · show' })).toBeVisible()
  await page.keyboard.press('.')
  await expect(lines(page)).toHaveCount(2)
})

test('a board says that runs came', async ({ page }) => {
  const slug = await makeProject(page, 'live-board')
  await upload(page, slug)
  const opened = following(page, slug)
  await page.goto(`/p/${slug}`)
  await opened
  await upload(page, slug)
  await page.getByRole('button', { name: '1 new run · show' }).click()
  await expect(page.getByRole('button', { name: 'new run' })).toBeHidden()
})

test('a run that is not judged yet says so, and then how it is', async ({ page }) => {
  const slug = await makeProject(page, 'live-run')
  // A judgement takes a moment, but the page may still be later: it then shows one at once.
  const id = await upload(page, slug)
  await page.goto(`/p/${slug}/runs/${id}`)
  const judgement = page.getByRole('region', { name: 'Judgement' })
  await expect(judgement).not.toContainText('Not judged yet', { timeout: 30_000 })
  await expect(judgement).not.toBeEmpty()
})
