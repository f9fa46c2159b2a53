import type { Locator, Page } from '@playwright/test'
import { expect, test } from './page'

/** What a reader sees without scrolling. */
const screenful = { width: 1440, height: 900 }
test.use({ viewport: screenful })

/** The element is completely inside the first screen. */
async function expectInSight(element: Locator): Promise<void> {
  const box = await element.boundingBox()
  expect(box).not.toBeNull()
  expect((box?.y ?? screenful.height) + (box?.height ?? 0)).toBeLessThanOrEqual(screenful.height)
}

const openProject = async (page: Page, name: string): Promise<void> => {
  await page.goto('/')
  // With the projects of other tests, the list has pages.
  const find = page.getByRole('searchbox', { name: 'Find a project by name' })
  if (await find.isVisible()) {
    await find.fill(name)
    await find.press('Enter')
    await page.waitForURL(/text=/)
  }
  await page.getByRole('table', { name: 'Projects' }).getByRole('link', { name }).click()
  await expect(page).toHaveURL(/\/p\/[a-z-]+$/)
}

test("which is better, and by how much? The document's board says it", async ({ page }) => {
  await openProject(page, 'Lambda Dispatcher')
  const answer = page.getByText(/Direct Lambda serves ×2\.03 the requests on GET: Text\/Plain Ping/)
  await expectInSight(answer)
})

test('what did gzip change? The board says what fails, its comparison how each side did', async ({ page }) => {
  await openProject(page, 'zlib and gzip')
  await expectInSight(page.getByText(/300kb payload fails 14\.33\s%\sof requests/).first())
  await page.getByRole('link', { name: 'Compare', exact: true }).last().click()
  await expect(page).toHaveURL(/\/compare\//)
  const answer = page
    .getByRole('heading', { level: 1 })
    .or(page.getByRole('heading', { level: 2 }))
    .first()
  await expect(answer).toContainText(/14\.33\s%\sof 21\s000 requests failed on 300kb payload/)
  await expect(answer).toContainText(/p99 ranges from 17\.7\sms \(gzipped 300kb payload/)
  await expectInSight(answer)
})
