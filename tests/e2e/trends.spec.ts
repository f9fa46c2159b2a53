import { heyText } from '../server/feed-series'
import { expect, expectAccessible, makeProject, test } from './page'

test('trends of many scenarios are shown as far as they are judged, and whole soon after', async ({ page }) => {
  const slug = await makeProject(page, 'many-trends')
  for (let at = 0; at < 28; at += 1) {
    const scenario = `GET /${String(at % 14).padStart(2, '0')}`
    const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?scenario=${encodeURIComponent(scenario)}`, {
      data: heyText(100 + at),
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status()).toBe(201)
  }
  let letGo = () => {}
  const looked = new Promise<void>((resolve) => {
    letGo = resolve
  })
  // The page asks again after a second: not before it was looked at.
  await page.route(/\/trends\?.*_rsc=/, async (route) => {
    await looked
    await route.continue()
  })
  await page.goto(`/p/${slug}/trends`)
  const status = page.getByRole('status').filter({ hasText: 'being evaluated' })
  await expect(status).toHaveText(
    '2 scenarios have new runs that are being evaluated; then they are sorted by size of change.',
  )
  await expect(page.getByText('Evaluating.')).toHaveCount(2)
  await expectAccessible(page)
  letGo()
  await expect(status).toHaveCount(0, { timeout: 15_000 })
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('img') })).toHaveCount(14)
})
