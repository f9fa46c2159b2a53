import type { Page } from '@playwright/test'
import { heyText } from '../server/feed-series'
import { expect, expectAccessible, makeProject, test } from './page'
import { lookAtPages } from './look-at-pages'

/** Created by the first test, used by all. */
let slug = ''
let api = ''

/** Uploads one run through the API and waits for its verdict: 200 passed or not judged, 422 worse. */
async function send(page: Page, value: number, commit: string): Promise<number> {
  const answer = await page.request.put(`${api}/uploads?scenario=GET+/checkout&gate=1&label=commit=${commit}`, {
    data: heyText(value),
    headers: { 'content-type': 'text/plain' },
  })
  return answer.status()
}

const inRail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

const steady = (at: number, level: number) => level * (1 + 0.01 * Math.sin(at * 2.4))

async function alertsOf(page: Page): Promise<readonly { id: string; state: string }[]> {
  return ((await (await page.request.get(`${api}/alerts`)).json()) as { alerts: { id: string; state: string }[] })
    .alerts
}

test.describe.configure({ mode: 'serial' })

test('slower runs raise one alert, which is acknowledged and expected; the new level then raises none', async ({
  page,
}) => {
  test.setTimeout(180_000)
  slug = await makeProject(page, 'alert-flow')
  api = `/api/v1/projects/${slug}`
  for (let at = 0; at < 10; at += 1) expect(await send(page, steady(at, 100), `before-${at}`)).toBe(200)
  await page.goto(`/p/${slug}/alerts`)
  await expect(page.getByText('No alerts yet.')).toBeVisible()
  await expect(inRail(page, 'Alerts')).toBeVisible()

  expect(await send(page, steady(0, 160), 'slow-0')).toBe(422)
  for (let at = 1; at < 4; at += 1) await send(page, steady(at, 160), `slow-${at}`)
  expect(await alertsOf(page)).toMatchObject([{ state: 'open' }])

  await page.reload()
  await inRail(page, 'Alerts 1 open').press('Enter')
  const row = page.getByRole('table', { name: 'Open alerts' }).getByRole('row').nth(1)
  await expect(row).toContainText('slow-0')
  await expect(row).toContainText(/higher since slow-0, and \d more/)
  await expect(row.getByRole('img', { name: /of the last \d+ runs/ })).toBeVisible()
  await row.getByRole('link', { name: 'GET /checkout', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/^Worse .+ higher since slow-0$/)
  await expect(page.getByRole('link', { name: 'GET /checkout', exact: true })).toBeVisible()
  await expect(page.getByRole('group', { name: /p99|mean/i }).first()).toBeVisible()
  await expect(page.getByRole('img', { name: /^Before and since, by percentile/ })).toBeVisible()
  const sizes = page.getByRole('region', { name: 'Size of each change' }).locator('tbody tr')
  await expect(sizes.first()).toContainText('worse')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Acknowledge' }).press('Enter')
  const state = page.locator('main').getByRole('status')
  await expect(state).toContainText('Acknowledged')
  const steps = page.getByRole('heading', { name: 'History' }).locator('~ ol').getByRole('listitem')
  await page.getByLabel('Comment').fill('Since the certificates were renewed')
  await page.getByRole('button', { name: 'Add comment' }).press('Enter')
  await expect(steps.nth(2)).toContainText('Since the certificates were renewed')
  await expect(state).toContainText('Acknowledged')
  await page.getByLabel('Note').fill('TLS at the origin')
  await page.getByRole('button', { name: 'Expected: use the new level' }).press('Enter')
  await expect(state).toContainText('Expected: new level in use')
  await expect(steps).toHaveCount(4)
  await expect(steps.nth(3)).toContainText('TLS at the origin')
  // A closed alert offers its comparison first; reopening it is in the menu.
  const actions = page.getByRole('group', { name: 'Change the state' })
  await expect(actions.locator('a, button').first()).toContainText('Compare before and since')
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeHidden()
  await expect(inRail(page, 'Alerts')).toBeVisible()

  await page.getByRole('link', { name: 'Trend', exact: true }).first().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Worse since .+: \+\d\d\.\d\s%/)
  await expect(page.locator('main').getByText('GET /checkout', { exact: true }).first()).toBeVisible()
  const change = page
    .getByRole('table', { name: /Changes of/ })
    .getByRole('row')
    .nth(1)
  await expect(change).toContainText('worse')

  for (let at = 4; at < 8; at += 1) expect(await send(page, steady(at, 160), `later-${at}`)).toBe(200)
  expect(await alertsOf(page)).toMatchObject([{ state: 'expected' }])
  await page.reload()
  await expect(page.getByRole('table', { name: /Changes of/ }).getByRole('row')).toHaveCount(2)
  await expect(inRail(page, 'Alerts')).toBeVisible()
})

test('alerts are filtered, and several are moved at once', async ({ page }) => {
  await page.goto(`/p/${slug}/alerts`)
  await expect(page.getByRole('table', { name: 'Closed alerts' }).getByRole('row')).toHaveCount(2)
  await page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: /^Open/ }).click()
  await expect(page).toHaveURL(/state=open/)
  await expect(page.getByText('No alert fits this filter.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Series, commit or metric' }).fill('checkout')
  await page.getByRole('searchbox', { name: 'Series, commit or metric' }).press('Enter')
  await expect(page).toHaveURL(/state=open&q=checkout/)

  const [alert] = await alertsOf(page)
  await page.request.post(`${api}/alerts/${alert?.id}/move`, { data: { to: 'open' } })
  await page.reload()
  await page.getByRole('checkbox', { name: /^Select GET \/checkout/ }).check()
  const bar = page.getByRole('region', { name: 'Selected alerts' })
  await expect(bar).toContainText('1 alert selected')
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Expected: use the new level' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('1 alert expected')
  await expect(page.getByText('No alert fits this filter.')).toBeVisible()
  expect(await alertsOf(page)).toMatchObject([{ state: 'expected' }])
})

test('part of a trend is selected by keys and by dragging, and reset', async ({ page }) => {
  await page.goto(`/p/${slug}/trends`)
  await page.getByRole('link', { name: 'GET /checkout', exact: true }).click()
  const chart = page.getByRole('application')
  await chart.focus()
  await page.keyboard.press('ArrowRight')
  await expect(chart).toContainText('before-0')
  for (let at = 0; at < 4; at += 1) await page.keyboard.press('Shift+ArrowRight')
  await expect(chart).toContainText('before-4')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=.+&to=.+/)
  const rows = page.locator('figure').first().getByRole('row')
  await page.locator('figure').first().getByText(/table/i).click()
  await expect(rows).toHaveCount(6)
  await page.getByRole('link', { name: 'Whole history' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await expect(rows).toHaveCount(19)
  await page.getByRole('link', { name: 'Show as chart' }).click()
  await expect(chart).toBeVisible()

  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.95, box.y + 60, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=.+&to=.+/)
})

test('a badge is created and revoked on the page of its series', async ({ page }) => {
  await page.goto(`/p/${slug}/trends`)
  await page.getByRole('link', { name: 'GET /checkout', exact: true }).click()
  await page.getByText('Badge for a README').click()
  await page.getByRole('button', { name: 'Create badge' }).press('Enter')
  const markdown = await page.getByLabel('Markdown of the badge').innerText()
  const address = /\((http\S+)\)$/.exec(markdown.trim())?.[1] ?? ''
  const badge = await page.request.get(address)
  expect(badge.headers()['content-type']).toContain('image/svg+xml')
  expect(await badge.text()).toMatch(/GET \/checkout p99: [\d.]+\ss · (as expected|better)/)
  await expect(page.getByAltText('The badge now')).toHaveJSProperty('complete', true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revoke: the badge GET /checkout p99' }).press('Enter')
  await page.getByRole('button', { name: 'Confirm: revoke the badge GET /checkout p99' }).press('Enter')
  await expect(page.getByText(/ revoked: /)).toBeVisible()
  expect((await page.request.get(address)).status()).toBe(404)
})

lookAtPages('trends and alerts', async (page) => {
  const [alert] = await alertsOf(page)
  await page.goto(`/p/${slug}/trends`)
  const series = (await page.getByRole('link', { name: 'GET /checkout', exact: true }).getAttribute('href')) ?? ''
  return [`/p/${slug}/trends`, series, `/p/${slug}/alerts`, `/p/${slug}/alerts/${alert?.id}`]
})
