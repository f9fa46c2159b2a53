import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, makeProject, test, wordsInSight } from './page'

const namedRuns = z.object({
  rows: z.array(z.object({ id: z.string(), scenario: z.string(), variant: z.string().nullable() })),
})
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
  // Its title is also the name of the drawing.
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

  // Two repeats against one run: one entry per side in every legend.
  await page.goto(`/p/${slug}/compare/${a}+${b}...${c}?shape=ecdf`)
  await page.waitForLoadState('networkidle')
  await expect(shapes.getByRole('listitem').filter({ hasText: '(2 runs)' })).toHaveCount(1)
  await expect(page.getByRole('application', { name: /Over time/ }).getByText('(2 of 2 runs)')).toHaveCount(1)
})

/** Ids of the runs in the sample with this slug, in the order of its document. */
async function pingPair(page: Page): Promise<readonly [string, string]> {
  const { rows } = namedRuns.parse(await (await page.request.get('/api/v1/projects/lambda-dispatcher/runs')).json())
  const of = (variant: string) => rows.find((row) => /Ping/.test(row.scenario) && row.variant === variant)?.id ?? ''
  return [of('Lambda Dispatcher'), of('Direct Lambda')]
}

test('a comparison shows the size of each change, and answers on its first screen', async ({ page }) => {
  const [base, direct] = await pingPair(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/p/lambda-dispatcher/compare/${base}...${direct}`)
  await page.waitForLoadState('networkidle')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('Req/s')
  expect((await heading.boundingBox())?.y).toBeLessThan(300)
  const figures = page.getByRole('region', { name: 'Size of each change' })
  const row = (name: string) =>
    figures.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  await expect(row('Requests per second')).toContainText(/\+103.*n = 1/)
  await expect(row('Req/s per instance')).toContainText(/137.*55\.5.*n = 1/)
  await expect(row('Success')).toContainText('nothing failed')
  await expect(row('p99, ms')).toContainText('may be noise')
  await expect(heading).toContainText('with ×5 the instances')
  // Clicking a legend entry isolates that side in every plot, clicking again shows all; with Shift it hides one.
  const percentiles = page.getByRole('region', { name: 'Percentiles' })
  const entry = (name: string) => percentiles.getByRole('button', { name, exact: true })
  const isShown = (name: string) => entry(name).getAttribute('aria-pressed')
  await entry('Direct Lambda').click()
  expect([await isShown('Lambda Dispatcher'), await isShown('Direct Lambda')]).toEqual(['false', 'true'])
  await entry('Direct Lambda').click()
  expect([await isShown('Lambda Dispatcher'), await isShown('Direct Lambda')]).toEqual(['true', 'true'])
  await entry('Direct Lambda').click({ modifiers: ['Shift'] })
  expect([await isShown('Lambda Dispatcher'), await isShown('Direct Lambda')]).toEqual(['true', 'false'])
  // The view is in the address: a link shows the same, and later choices keep it.
  await expect(page).toHaveURL(/[?&]hide=/)
  await page.reload()
  expect([await isShown('Lambda Dispatcher'), await isShown('Direct Lambda')]).toEqual(['true', 'false'])
  await page.getByRole('region', { name: 'Histogram' }).getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page).toHaveURL(/axis=log.*[?&]hide=/)
  await entry('Direct Lambda').click({ modifiers: ['Shift'] })
  await page.evaluate(() => window.scrollTo(0, 0))
  // Words on the first screen, as a reader sees them.
  expect(await wordsInSight(page)).toBeLessThanOrEqual(180)

  await page.getByRole('link', { name: 'Swap sides' }).click()
  await expect(page).toHaveURL(new RegExp(`/compare/${direct}\\.\\.\\.${base}`))
  await expect(row('Requests per second')).toContainText(/−50.6.*n = 1/)
  await page.locator('summary').filter({ hasText: 'Options of Lambda Dispatcher' }).click()
  await page.getByRole('link', { name: 'Make base: Lambda Dispatcher' }).click()
  await expect(page).toHaveURL(new RegExp(`/compare/${base}\\.\\.\\.${direct}`))
})

test('runs are picked by name, commit and figures, by search and without scripts', async ({
  page,
  browser,
  baseURL,
}) => {
  const [base, direct] = await pingPair(page)
  await page.goto('/p/lambda-dispatcher/compare')
  await page.waitForLoadState('networkidle')
  const box = (name: RegExp) => page.getByRole('checkbox', { name })
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('ping')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('row').nth(1)).toContainText(/\d\s?ms.*\/s/)
  await page.waitForLoadState('networkidle')
  await box(/Ping › Lambda Dispatcher/).check()
  await expect(page.getByRole('radio', { name: /Ping › Lambda Dispatcher/ })).toBeChecked()
  await box(/Ping › Direct Lambda/).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Compare 2 runs' }).click()
  await expect(page).toHaveURL(new RegExp(`/compare/${base}\\.\\.\\.${direct}`))

  await page.getByRole('link', { name: 'Add run' }).click()
  await box(/Image\/Jpeg › Direct Lambda/).check()
  await page.getByRole('button', { name: 'Compare 3 sides' }).click()
  await expect(page).toHaveURL(new RegExp(`/compare/${base}\\.\\.\\.${direct}\\.\\.\\.`))
  await expectAccessible(page)
  // One row per side: nothing scrolls sideways.
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

  const plain = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const still = await plain.newPage()
  await still.goto('/p/lambda-dispatcher/compare?q=ping&find=1')
  for (const name of [/Direct Lambda/, /Lambda Dispatcher/]) await still.getByRole('checkbox', { name }).check()
  await still.getByRole('radio', { name: /Lambda Dispatcher/ }).check()
  await still.getByRole('button', { name: 'Compare' }).click()
  await expect(still).toHaveURL(new RegExp(`/compare/${base}\\.\\.\\.${direct}`))
  await plain.close()
})
