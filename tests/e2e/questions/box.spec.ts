import type { Page } from '@playwright/test'
import { z } from 'zod'
import { boxAnswer } from '@/app/_server/answers/why-answer'
import { boxedText, homogeneousRows } from '../../lib/explain/boxed-rows'
import { lookAtPages } from '../look-at-pages'
import { expect, makeProject, test } from '../page'

const saved = z.object({ runs: z.tuple([z.object({ id: z.string() })]) })
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** A run whose slow requests of 12–15 s are all of one target, in a project of its own. */
async function boxedRun(page: Page): Promise<{ readonly slug: string; readonly id: string }> {
  const slug = await makeProject(page, 'in-a-box')
  const answer = await page.request.put(`/api/v1/projects/${slug}/uploads/run.csv?scenario=shop`, {
    data: boxedText(homogeneousRows(31, 'target')),
    headers: { 'content-type': 'application/octet-stream', accept: 'application/json' },
  })
  return { slug, id: saved.parse(await answer.json()).runs[0].id }
}

/** What the API says of the box in the address of a page. */
async function apiSays(page: Page, slug: string, id: string) {
  const { search } = new URL(page.url())
  return boxAnswer.parse(await (await page.request.get(`/api/v1/projects/${slug}/runs/${id}/why${search}`)).json())
}

/** Drags over the heat map of the page of a box, from one place to another in shares of it. */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const area = page.locator('#heat [data-plot-area]')
  await area.scrollIntoViewIfNeeded()
  const box = await area.boundingBox()
  if (box === null) throw new Error('the heat map is drawn')
  const at = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.mouse.move(...at(from))
  await expect(page.locator('[data-box-layer]')).toBeAttached()
  await page.mouse.down()
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]))
  await page.mouse.move(...at(to))
  await page.mouse.up()
}

lookAtPages('what is in a box', async (page) => {
  const { slug, id } = await boxedRun(page)
  const at = `/p/${slug}/runs/${id}/why`
  return [`${at}?from=12&to=15&above=100`, at, `${at}?from=12&to=15`, `${at}?from=9&to=2`]
})

test('a box dragged over the heat map of a run says what is in it', async ({ page }) => {
  const { slug, id } = await boxedRun(page)
  await page.goto(`/p/${slug}/runs/${id}`)
  const over = page.locator('#over-time')
  await over.scrollIntoViewIfNeeded()
  const area = over.locator('[data-plot-area]').last()
  const box = await area.boundingBox()
  if (box === null) throw new Error('the heat map is drawn')
  // 30 bins of 1 s; the slow requests are in its upper half.
  await page.mouse.move(box.x + box.width * (12.2 / 30), box.y + box.height * 0.02)
  await expect(page.locator('[data-box-layer]')).toBeAttached()
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * (13 / 30), box.y + box.height * 0.2)
  await page.mouse.move(box.x + box.width * (14.8 / 30), box.y + box.height * 0.4)
  await page.mouse.up()
  await expect(page).toHaveURL(/\/why\?from=12&to=15&above=[\d.]+$/)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('are GET /search')
  const said = await apiSays(page, slug, id)
  expect(plain((await heading.textContent()) ?? '')).toBe(plain(said.sentence))
  expect(said.inside_requests).toBeGreaterThan(50)
  const values = page.getByRole('region', { name: 'Values' })
  await expect(values.getByRole('row').nth(1)).toContainText('GET /search')
  await expect(page.locator('[data-box]')).toBeVisible()

  // Another box from there, then none.
  await drag(page, [0.1, 0.5], [0.5, 0.98])
  await expect(page).not.toHaveURL(/from=12&to=15&above/)
  await expect(page).toHaveURL(/\/why\?from=/)
  await page.getByRole('link', { name: 'Clear box' }).click()
  await expect(page).toHaveURL(/\/why$/)
  await expect(heading).toHaveText('What is in a box of the heat map?')
})

test('a drag along the heat map still shows only that time', async ({ page }) => {
  const { slug, id } = await boxedRun(page)
  await page.goto(`/p/${slug}/runs/${id}`)
  const area = page.locator('#over-time [data-plot-area]').last()
  await area.scrollIntoViewIfNeeded()
  const box = await area.boundingBox()
  if (box === null) throw new Error('the heat map is drawn')
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5)
  await expect(page.locator('[data-box-layer]')).toBeAttached()
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.51)
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d+&to=\d+/)
  expect(page.url()).not.toContain('/why')
})

test('keys and fields ask the same', async ({ page }) => {
  const { slug, id } = await boxedRun(page)
  await page.goto(`/p/${slug}/runs/${id}/why`)
  const plot = page.getByRole('application')
  await plot.focus()
  await expect(page.locator('[data-box-layer]')).toBeAttached()
  for (let at = 0; at < 13; at++) await plot.press('ArrowRight')
  await plot.press('Shift+ArrowRight')
  await plot.press('Shift+ArrowRight')
  await plot.press('b')
  await expect(page).toHaveURL(/\/why\?from=12&to=15$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('stands with GET /search')
  await expect(page.getByRole('region', { name: 'Slow requests' })).toBeVisible()

  await page.getByText('Change the box').press('Enter')
  await page.getByLabel('Took from, ms').fill('100')
  await page.getByLabel('Took from, ms').press('Enter')
  await expect(page).toHaveURL(/from=12&to=15&above=100&below=$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('are GET /search')
})

test('without scripts, fields ask and the box is drawn', async ({ browser, page, baseURL }) => {
  const { slug, id } = await boxedRun(page)
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const bare = await context.newPage()
  await bare.goto(`/p/${slug}/runs/${id}`)
  await bare.getByText('What is in a box of the heat map?').click()
  await bare.getByLabel('Began from, s').fill('12')
  await bare.getByLabel('before, s').fill('15')
  await bare.getByLabel('Took from, ms').fill('100')
  await bare.getByRole('button', { name: 'Rank what is in it' }).click()
  await expect(bare.getByRole('heading', { level: 1 })).toContainText('are GET /search')
  await expect(bare.locator('[data-box]')).toBeVisible()
  await context.close()
})
