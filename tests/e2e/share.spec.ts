import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { documentFile } from './drop'
import { expect, expectAccessible, makeProject, test } from './page'

/** A project with the runs of a document. */
async function fill(page: Page, slug: string, document: string): Promise<readonly { id: string; scenario: string }[]> {
  await makeProject(page, slug)
  const url = `/api/v1/projects/${slug}`
  const data = readFileSync(documentFile(document))
  const sent = await page.request.put(`${url}/uploads?name=a.md`, { data, headers: { accept: 'application/json' } })
  expect(sent.ok()).toBe(true)
  return ((await (await page.request.get(`${url}/runs`)).json()) as { rows: { id: string; scenario: string }[] }).rows
}

test('a comparison is shared, opened by a stranger, and revoked', async ({ page, browser, baseURL }) => {
  const rows = await fill(page, 'share-flow', 'lambda-dispatcher-vs-direct')
  const pair = rows.filter((run) => run.scenario === 'GET: Text/Plain Ping').map((run) => run.id)
  expect(pair).toHaveLength(2)

  await page.goto(`/p/share-flow/compare/${pair.join('...')}`)
  const sentence = await page.getByRole('heading', { level: 1 }).innerText()
  await page.getByRole('button', { name: 'Share', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share this comparison' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('For the team')
  await page.keyboard.press('Tab')
  await page.keyboard.type('We keep the **dispatcher**')
  await dialog.getByLabel('Name').press('Enter')
  const url = await page.getByLabel('Link', { exact: true }).inputValue()
  expect(url).toMatch(/\/s\/[\w-]{43}$/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const context = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false })
  const stranger = await context.newPage()
  const response = await stranger.goto(url)
  expect(response?.status()).toBe(200)
  expect(response?.headers()).toMatchObject({ 'referrer-policy': 'no-referrer' })
  expect(response?.headers()['cache-control']).toContain('no-store')
  expect(response?.headers()['x-robots-tag']).toContain('noindex')
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(sentence)
  await expect(stranger.getByText('dispatcher', { exact: true })).toBeVisible()
  await expect(stranger.getByRole('region', { name: 'Changes by metric' }).getByRole('row')).not.toHaveCount(0)
  await expect(stranger.getByRole('img', { name: /Latency by percentile/ })).toBeVisible()
  const own = new URL(url).pathname
  const links = await stranger.locator('a[href]').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
  expect(links.length).toBeGreaterThan(5)
  for (const link of links) expect(link.startsWith('#') || link.startsWith(`${own}/`), link).toBe(true)
  for (const link of links.filter((one) => one.startsWith('/'))) {
    expect((await context.request.get(link)).status(), link).toBe(200)
  }
  const preview = await stranger.locator('meta[property="og:image"]').getAttribute('content')
  expect((await context.request.get(preview ?? '')).headers()['content-type']).toBe('image/png')
  expect(await stranger.content()).not.toContain('share-flow')

  await page.goto('/p/share-flow/shares')
  await expect(page.getByRole('row', { name: /For the team/ })).toContainText('a comparison of 2 runs')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revoke For the team' }).press('Enter')
  await expect(page.getByText(/^revoked \d/)).toBeVisible()

  // Gone, never there, and no token at all: one answer.
  const bodies = new Set<string>()
  const scripted = await browser.newContext({ baseURL: baseURL ?? '' })
  const reader = await scripted.newPage()
  for (const token of [own.slice(3), 'A'.repeat(43), ':token', '[token]', '%00', 'a,b']) {
    const gone = await context.request.get(`/s/${token}`)
    expect(gone.status(), token).toBe(404)
    await reader.goto(`/s/${token}`)
    bodies.add(await reader.locator('main').innerText())
    expect((await context.request.get(`/s/${token}/chart.svg`)).status(), token).toBe(404)
  }
  expect([...bodies]).toHaveLength(1)
  expect([...bodies][0]).toContain('This link shows nothing')
  await scripted.close()
  await context.close()
})

test('a shared page is accessible', async ({ page }) => {
  const rows = await fill(page, 'share-axe', 'smithy-wrk')
  const made = await page.request.post('/api/v1/projects/share-axe/shares', {
    data: { name: 'Axe', kind: 'run', sides: [[rows[0]?.id ?? '']], includeRaw: true, expiresInDays: null },
  })
  expect(made.status()).toBe(201)
  const { url } = (await made.json()) as { url: string }
  await page.goto(url)
  await expect(page.getByLabel('Raw output')).toBeVisible()
  await expectAccessible(page)
})
