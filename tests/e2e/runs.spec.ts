import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { heyText } from '../server/feed-series'
import { vegetaReport } from '../server/planted-history'
import { expect, expectAccessible, makeProject, test } from './page'

/** Uploads of three commits, two scenarios each, newest last. */
async function fill(page: Page, slug: string): Promise<void> {
  for (const [day, commit] of ['f3a91c0', '64c1e7a', '9741016'].entries()) {
    for (const scenario of ['GET /cart', 'GET /search']) {
      const query = new URLSearchParams({ scenario, startedAt: `2026-11-0${day + 1}T02:00:00Z`, again: '1' })
      query.append('label', `commit=${commit}`)
      query.append('label', 'branch=main')
      query.append('label', `report=https://ci.test/${commit}`)
      const sent = await page.request.put(`/api/v1/projects/${slug}/uploads?${query.toString()}`, {
        data: heyText(100 + day),
        headers: { accept: 'application/json' },
      })
      expect(sent.ok()).toBe(true)
    }
  }
}

const lines = (page: Page) => page.getByRole('table', { name: 'Runs' }).locator('tr:has(input[name=run])')
const boxes = (page: Page) => page.locator('input[name=run]')

test('runs are grouped by commit, show shared labels once, and link from labels', async ({ page }) => {
  const slug = await makeProject(page, 'groups')
  await fill(page, slug)
  await page.goto(`/p/${slug}/runs`)
  const table = page.getByRole('table', { name: 'Runs' })
  await expect(table.getByRole('rowheader', { name: /9741016.*2 runs/ })).toBeVisible()
  await expect(lines(page)).toHaveCount(6)
  await expect(page.getByText('Shared by all:').locator('..')).toContainText('branch=main')
  await expectAccessible(page)
  await page.locator('input[data-group]').nth(1).check()
  await expect(page.getByRole('region', { name: 'Selected runs' })).toContainText('2 selected of 6')

  await page.locator('main summary', { hasText: 'Group: commit' }).click()
  await page.getByRole('link', { name: 'none', exact: true }).click()
  await expect(page).toHaveURL(/group=none/)
  await expect(table.locator('tbody tr')).toHaveCount(6)
  const link = lines(page).first().getByRole('link', { name: 'report' })
  await expect(link).toHaveAttribute('href', 'https://ci.test/9741016')
  await expect(link).toHaveAttribute('rel', 'noreferrer')
})

test('rows are navigated, selected, compared and opened by keys', async ({ page }) => {
  const slug = await makeProject(page, 'walk')
  await fill(page, slug)
  await page.goto(`/p/${slug}/runs?group=none`)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('j')
  await expect(lines(page).first().getByRole('link').first()).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(boxes(page).nth(1)).toBeChecked()
  for (const key of ['j', 'j', 'Shift+X']) await page.keyboard.press(key)
  for (const at of [1, 2, 3]) await expect(boxes(page).nth(at)).toBeChecked()
  await expect(boxes(page).nth(0)).not.toBeChecked()
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await expect(boxes(page).nth(2)).not.toBeChecked()
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/compare\/\w+\.\.\.\w+$/)
  await page.goBack()
  await boxes(page).nth(0).uncheck()
  await boxes(page).nth(0).check()
  await boxes(page)
    .nth(4)
    .click({ modifiers: ['Shift'] })
  await expect(page.getByRole('region', { name: 'Selected runs' })).toContainText('5 selected')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect(page.getByRole('region', { name: 'Selected runs' })).toBeHidden()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/runs\/\w+$/)
})

test('columns are chosen, stored and exported; a view has a name', async ({ page }) => {
  const slug = await makeProject(page, 'columns')
  await fill(page, slug)
  await page.goto(`/p/${slug}/runs`)
  await page.waitForLoadState('networkidle')
  const head = (name: string | RegExp) => page.getByRole('columnheader', { name })
  await expect(head('Max')).toBeVisible()
  await page.locator('main summary', { hasText: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Max', exact: true }).uncheck()
  await expect(head('Max')).toBeHidden()
  await page.getByRole('checkbox', { name: 'p95', exact: true }).check()
  await expect(head('p95')).toBeVisible()
  await expect(page).toHaveURL(/columns=/)
  await expectAccessible(page)

  await page.keyboard.press('Escape')
  await page.locator('main summary', { hasText: 'More of this list' }).click()
  await page.getByRole('textbox', { name: 'Name of this view' }).fill('Nightly tail')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText('View “Nightly tail” saved')).toBeVisible()
  await page.locator('main summary', { hasText: 'More of this list' }).click()
  await expect(page.getByRole('link', { name: 'Nightly tail' })).toBeVisible()
  const waiting = page.waitForEvent('download')
  await page.getByRole('link', { name: /Download CSV/ }).click()
  const [header = '', first = ''] = readFileSync(await (await waiting).path(), 'utf8').split('\r\n')
  expect(header).toContain(',p95_ms,p99_ms')
  expect(header).not.toContain('max_ms')
  expect(first).toContain('2026-11-03T02:00:00.000Z,GET /')

  // The next visit has them too, and the defaults can be restored.
  await page.goto(`/p/${slug}/runs`)
  await expect(page).toHaveURL(/columns=/)
  await expect(head('p95')).toBeVisible()
  await page.locator('main summary', { hasText: 'Columns' }).click()
  await page.getByRole('button', { name: 'Default columns' }).click()
  await expect(head('Max')).toBeVisible()
  await expect(page).not.toHaveURL(/columns=/)
})

test('a filter applies at once and becomes a chip', async ({ page }) => {
  const slug = await makeProject(page, 'chips')
  await fill(page, slug)
  await page.goto(`/p/${slug}/runs`)
  await page.waitForLoadState('networkidle')
  await page.getByText('Filter', { exact: true }).first().click()
  await page.getByRole('combobox', { name: 'Scenario' }).click()
  await page.getByRole('option', { name: 'GET /cart', exact: true }).click()
  await expect(lines(page)).toHaveCount(3)
  await page.getByRole('link', { name: 'Remove the filter Scenario GET /cart' }).click()
  await expect(lines(page)).toHaveCount(6)
})

test('on a phone each run shows its figures on the first screen', async ({ page }) => {
  const slug = await makeProject(page, 'phone')
  await fill(page, slug)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/p/${slug}/runs`)
  await expectAccessible(page)
  for (const at of [0, 1, 2, 3, 4, 5]) {
    const line = lines(page).nth(at)
    await expect(line).toContainText(/\d m?s\s*p99/)
    await expect(line).toContainText(/\/s/)
    expect((await line.boundingBox())?.y).toBeLessThan(700)
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(390)
})

test('a changed level is one head with its runs folded, and a strip is read under the mouse', async ({ page }) => {
  const slug = await makeProject(page, 'folded')
  for (let at = 0; at < 34; at += 1) {
    const startedAt = new Date(Date.UTC(2026, 9, 1 + at)).toISOString()
    const query = new URLSearchParams({ scenario: 'GET /cart', startedAt, again: '1' })
    query.append('label', `commit=c${at}`)
    const by = (at < 14 ? 1 : 1.3) * (1 + 0.01 * Math.sin(at * 2.4))
    // A verdict on the last one is there when all of them are judged.
    const isLast = at === 33
    if (isLast) query.set('gate', '1')
    const sent = await page.request.put(`/api/v1/projects/${slug}/uploads?${query.toString()}`, {
      data: vegetaReport({ meanMs: 40 * by, p50Ms: 36 * by, p95Ms: 80 * by, p99Ms: 120 * by, maxMs: 200 * by }),
      headers: { accept: 'application/json' },
    })
    expect(sent.ok() || (isLast && sent.status() === 422)).toBe(true)
  }
  const list = `/p/${slug}/runs?scenario=GET+%2Fcart`
  await expect(async () => {
    await page.goto(list)
    await expect(page.getByRole('rowheader', { name: /Worse since c14/ })).toBeVisible({ timeout: 500 })
    await expect(page.getByText('being judged')).toHaveCount(0)
  }).toPass({ timeout: 30_000 })
  const shown = await lines(page).count()
  expect(shown).toBeLessThan(34)
  await expect(page.getByRole('row', { name: /c14.*first run with it/ })).toBeVisible()
  const fold = page.getByRole('link', { name: /more runs of this level/ })
  await expect(fold).toHaveCount(2)
  await expectAccessible(page)
  await expect(fold.first()).toHaveAttribute('aria-expanded', 'false')
  await boxes(page).first().check()
  await fold.first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/[?&]open=since/)
  await expect(page.getByRole('link', { name: /^Fold \d+ runs/ })).toHaveAttribute('aria-expanded', 'true')
  expect(await lines(page).count()).toBeGreaterThan(shown)
  await expect(boxes(page).first()).toBeChecked()
  await page.reload()
  await page.getByRole('link', { name: /^Fold \d+ runs/ }).click()
  await expect(lines(page)).toHaveCount(shown)

  const strip = (await page.locator('svg[data-reads]').first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(strip.x + strip.width - 5, strip.y + strip.height / 2)
  const tip = page.locator('[aria-hidden=true]', { hasText: /ms p99/ }).last()
  await expect(tip).toContainText(/3 Nov 2026, 00:00 · c33.*expected/)
  await page.mouse.move(strip.x + 5, strip.y + strip.height / 2)
  await expect(tip).toContainText(/15 Oct 2026, 00:00 · c14/)
  await expect(tip).not.toContainText('expected')

  await page.setViewportSize({ width: 390, height: 844 })
  const row = lines(page).first()
  await expect(row.getByRole('link', { name: 'c33', exact: true })).toBeVisible()
  await expect(row.getByRole('link', { name: 'GET /cart' })).toBeHidden()
  await expectAccessible(page)
})
