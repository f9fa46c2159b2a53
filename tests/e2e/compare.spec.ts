import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { expect, expectAccessible, makeProject, test } from './page'

const runs = z.object({ rows: z.array(z.object({ id: z.string() })) })

test('a comparison of raw results: shapes on one scale, one cursor over all timelines', async ({ page }) => {
  const slug = await makeProject(page, 'compared-results')
  const uploads = `/api/v1/projects/${slug}/uploads?again=1`
  const data = readFileSync('tests/fixtures/vegeta-csv/three-targets-by-latency.csv')
  for (let at = 0; at < 3; at += 1) expect((await page.request.put(uploads, { data })).ok()).toBe(true)
  const { rows } = runs.parse(await (await page.request.get(`/api/v1/projects/${slug}/runs`)).json())
  const [a, b, c] = rows.map(({ id }) => id)

  await page.goto(`/p/${slug}/compare/${a}...${b}?m=p99`)
  await page.waitForLoadState('networkidle')
  const shapes = page.getByRole('region', { name: 'Histogram' })
  await shapes.getByRole('link', { name: 'Cumulative' }).click()
  await expect(page).toHaveURL(/m=p99&shape=ecdf/)
  // Its title, too, is the name of the drawing.
  await expect(shapes.getByText('Share of requests at or below a latency').filter({ visible: true })).toHaveCount(1)
  await shapes.getByRole('link', { name: 'Log' }).click()
  await expect(page).toHaveURL(/shape=ecdf&axis=log/)

  const cursor = page.getByRole('application', { name: /Over time/ })
  await cursor.focus()
  await page.keyboard.press('Home')
  await expect(cursor.getByText(/^0\s*s: [^;]*\/s, p\d+ [^;]*$/)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(cursor.getByText(/\/s, p\d+ /)).toHaveCount(0)
  await expectAccessible(page)

  // Two repeats against one run: an entry a side in every legend.
  await page.goto(`/p/${slug}/compare/${a}+${b}...${c}?shape=ecdf`)
  await page.waitForLoadState('networkidle')
  await expect(shapes.getByRole('listitem').filter({ hasText: '(2 runs)' })).toHaveCount(1)
  await expect(page.getByRole('application', { name: /Over time/ }).getByText('(2 of 2 runs)')).toHaveCount(1)
})
