import type { Page } from '@playwright/test'
import { z } from 'zod'
import { generatePair, writeRows } from '../../lib/explain/generated-pairs'
import { lookAtPages } from '../look-at-pages'
import { expect, makeProject, test } from '../page'

const saved = z.object({ runs: z.tuple([z.object({ id: z.string() })]) })

/** Two runs whose difference stands with a target, in a project of their own. */
async function comparePair(page: Page): Promise<{ readonly address: string; readonly target: string }> {
  const slug = await makeProject(page, 'what-differs')
  const pair = generatePair('target', 5_001)
  const put = async (name: string, data: string) => {
    const answer = await page.request.put(`/api/v1/projects/${slug}/uploads/${name}?scenario=shop&variant=${name}`, {
      data,
      headers: { 'content-type': 'application/octet-stream', accept: 'application/json' },
    })
    return saved.parse(await answer.json()).runs[0].id
  }
  const base = await put('before.csv', writeRows(pair, pair.base, 0))
  const head = await put('after.csv', writeRows(pair, pair.head, 1))
  return { address: `/p/${slug}/compare/${base}...${head}`, target: pair.label.accept?.[0]?.value ?? '' }
}

lookAtPages('what a difference stands with', async (page) => [`${(await comparePair(page)).address}/why`])

test('a comparison leads to what its difference stands with', async ({ page }) => {
  const { address, target } = await comparePair(page)
  await page.goto(address)
  await page.getByRole('link', { name: 'What the difference stands with' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`stands with ${target}`)
  await expect(page).toHaveTitle(new RegExp(target))
  await expect(page.getByRole('heading', { name: /slow requests$/ })).toBeVisible()
  const values = page.getByRole('region', { name: 'Values' })
  await expect(values.getByRole('row').nth(1)).toContainText(target)
  await page.getByRole('navigation', { name: 'Slow begins at' }).getByRole('link', { name: 'p99', exact: true }).click()
  await expect(page).toHaveURL(/[?&]at=p99$/)
  await expect(page.getByText('the p99 of the baseline')).toBeVisible()
  await page.getByRole('link', { name: 'Swap sides' }).click()
  await expect(page).toHaveURL(/\/why$/)
})

test('of printed reports, what can be said is said', async ({ page }) => {
  await page.goto('/p/lambda-dispatcher/compare')
  const runs = z.object({ rows: z.array(z.object({ id: z.string() })) })
  const { rows } = runs.parse(await (await page.request.get('/api/v1/projects/lambda-dispatcher/runs')).json())
  await page.goto(`/p/lambda-dispatcher/compare/${rows[0]?.id ?? ''}...${rows[1]?.id ?? ''}/why`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Only the shape is known')
  await expect(page.getByRole('table')).toContainText('p95')
})

test('a link to a comparison explains it, if that is chosen', async ({ page, browser, baseURL }) => {
  const { address, target } = await comparePair(page)
  await page.goto(address)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this comparison' })
  await dialog.getByLabel('Include what the difference stands with').check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = new URL(await page.getByLabel('Link', { exact: true }).inputValue())
  const context = await browser.newContext({ ...(baseURL && { baseURL }) })
  const outside = await context.newPage()
  await outside.goto(link.pathname)
  await outside.getByRole('link', { name: 'What the difference stands with' }).click()
  await expect(outside).toHaveURL(/\/why$/)
  await expect(outside.getByRole('heading', { level: 1 })).toContainText(`stands with ${target}`)
  await outside
    .getByRole('navigation', { name: 'Slow begins at' })
    .getByRole('link', { name: 'p99', exact: true })
    .click()
  await expect(outside).toHaveURL(/\/s\/[\w-]{43}\/why\?at=p99$/)
  await outside.getByRole('link', { name: /^Back to/ }).click()
  await expect(outside).toHaveURL(/\/s\/[\w-]{43}$/)
  await context.close()
})

lookAtPages('what the difference of a shared comparison stands with', async (page) => {
  const { address } = await comparePair(page)
  const [, slug = '', refs = ''] = /^\/p\/([^/]+)\/compare\/(.+)$/.exec(address) ?? []
  const data = { name: 'Pair', kind: 'comparison', sides: refs.split('...').map((id) => [id]), includeWhy: true }
  const made = await page.request.post(`/api/v1/projects/${slug}/shares`, { data })
  const { url } = z.object({ url: z.string() }).parse(await made.json())
  return [`${new URL(url).pathname}/why`]
})
