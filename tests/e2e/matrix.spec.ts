import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { documentFile } from './drop'
import { heyText } from '../server/feed-series'
import { expect, makeProject, test, wordsInSight } from './page'

async function upload(page: Page, slug: string, document: string, name: string) {
  const url = `/api/v1/projects/${slug}/uploads?name=${name}`
  const sent = await page.request.put(url, {
    data: readFileSync(documentFile(document)),
    headers: { accept: 'application/json' },
  })
  expect(sent.ok()).toBe(true)
}

test('a matrix shows the newest document and names it; another is one choice away', async ({ page }) => {
  const slug = await makeProject(page, 'matrix-newest')
  // Its runs are dated by their text; the other's by their upload.
  await upload(page, slug, 'zlib-gzip', 'old.md')
  await upload(page, slug, 'lambda-dispatcher-vs-direct', 'new.md')
  await page.goto(`/p/${slug}/matrix`)
  const runs = page.locator('summary', { hasText: /^Runs/ })
  await expect(runs).toContainText(/new\.md, .*20\d\d, 7 runs/)
  // What holds for all changes of one run each is said once, above the table.
  await expect(page.getByText('One run per cell: a difference below ×1.5 may be noise.')).toBeVisible()
  await expect(page.locator('td', { hasText: '×0.745' })).toContainText('may be noise')
  // The whole matrix: four scenarios, three rows of facts and a sentence a column.
  expect(await wordsInSight(page)).toBeLessThanOrEqual(220)
  await runs.click()
  await page.getByRole('link', { name: 'Newest of each cell' }).click()
  await expect(runs).toContainText('newest of each cell')
  await expect(runs).toContainText('11 runs')
})

test('rows, columns, figure and base are chosen by links, without scripts', async ({ page, browser, baseURL }) => {
  const slug = await makeProject(page, 'matrix-links')
  await upload(page, slug, 'zlib-gzip', 'a.md')
  const context = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false })
  const reader = await context.newPage()
  await reader.goto(`/p/${slug}/matrix`)
  await expect(reader.getByRole('heading', { level: 1 })).toContainText('300kb payload fails 14.33 % of requests')
  await reader.getByRole('link', { name: 'Lay out by payload and content-encoding' }).click()
  await expect(reader.getByRole('rowheader', { name: '300kb' })).toBeVisible()
  await expect(reader.getByRole('heading', { level: 1 })).toContainText('fails 14.33 % of requests on 300kb')
  await reader.locator('summary', { hasText: /^Figure/ }).click()
  await reader.getByRole('link', { name: 'p99', exact: true }).first().click()
  await expect(reader).toHaveURL(/metric=p99/)
  await expect(reader.locator('summary', { hasText: /^Figure/ })).toContainText('p99')
  await reader.getByRole('link', { name: /^Sweep over payload, kb/ }).click()
  await expect(reader.getByRole('heading', { level: 1 })).toContainText('breaks between 250 kb and 300 kb')
  await context.close()
})

test('a matrix fits a phone: rows are stacked, nothing scrolls sideways', async ({ page }) => {
  const slug = await makeProject(page, 'matrix-phone')
  await upload(page, slug, 'lambda-dispatcher-vs-direct', 'a.md')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/p/${slug}/matrix`)
  await expect(page.getByText('Lambda Dispatcher serves a third more on').first()).toBeVisible()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await page.locator('summary', { hasText: /^Base/ }).click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('link', { name: 'Direct Lambda', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Direct Lambda base' })).toBeVisible()
})

test('a long matrix is shown in parts, and one chip names its commit', async ({ page }) => {
  const slug = await makeProject(page, 'matrix-long')
  for (let at = 1; at <= 32; at += 1) {
    const query = new URLSearchParams({ scenario: `GET /${at}`, variant: 'a', label: 'commit=abc1234' })
    await page.request.put(`/api/v1/projects/${slug}/uploads?${query}`, {
      data: heyText(100 + at),
      headers: { 'content-type': 'text/plain' },
    })
  }
  await page.goto(`/p/${slug}/matrix`)
  await expect(page.locator('summary', { hasText: /^Runs/ })).toContainText('abc1234')
  await expect(page.getByRole('link', { name: /^Remove the filter/ })).toHaveCount(0)
  const rows = page.getByRole('rowheader', { name: /^GET / })
  await expect(rows).toHaveCount(30)
  await page.getByRole('link', { name: 'Next 2' }).click()
  await expect(page.getByText('Rows 31 to 32 of 32')).toBeVisible()
  await expect(rows).toHaveCount(2)
  await page.getByRole('link', { name: 'Previous 30' }).click()
  await expect(rows).toHaveCount(30)
})

test('files of a matrix are in its menu', async ({ page }) => {
  const slug = await makeProject(page, 'matrix-files')
  await upload(page, slug, 'smithy-wrk', 'a.md')
  await page.goto(`/p/${slug}/matrix`)
  await page.locator('summary', { hasText: 'More actions' }).click()
  for (const [name, type] of [
    ['Picture (PNG)', 'image/png'],
    ['CSV', 'text/csv'],
    ['JSON', 'application/json'],
    ['Table (Markdown)', 'text/markdown'],
    ['Markdown page', 'text/markdown'],
  ] as const) {
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
    const answer = await page.request.get(href ?? '')
    expect([answer.status(), answer.headers()['content-type']?.split(';')[0]], name).toEqual([200, type])
  }
})
