import { readFileSync } from 'node:fs'
import type { APIRequestContext } from '@playwright/test'
import { z } from 'zod'
import { expect, expectAccessible, test } from './page'

const pageOfRuns = z.object({ rows: z.array(z.object({ id: z.string(), indexInUpload: z.number() })) })

/** The sample project's runs, in the order of their document. */
async function sampleRuns(
  request: { get(url: string): Promise<{ json(): Promise<unknown> }> },
  project: string,
): Promise<readonly string[]> {
  const { rows } = pageOfRuns.parse(await (await request.get(`/api/v1/projects/${project}/runs`)).json())
  return rows.toSorted((a, b) => a.indexInUpload - b.indexInUpload).map((row) => row.id)
}

/** A project of raw results, uploaded as by curl; the address of its run. */
async function samplePage(request: APIRequestContext): Promise<string> {
  await request.post('/api/v1/projects', { data: { name: 'Raw results' } })
  const answer = await request.put('/api/v1/projects/raw-results/uploads', {
    data: readFileSync('tests/fixtures/vegeta-csv/three-targets-by-latency.csv'),
    headers: { 'content-type': 'application/octet-stream', accept: 'text/plain' },
  })
  const [address] = /\/p\/raw-results\/runs\/\w+/.exec(await answer.text()) ?? []
  if (address === undefined) throw new Error('a run expected')
  return address
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`every page, ${colorScheme}, ${width} px: no violation, no sideways scrolling`, async ({ page }) => {
      test.setTimeout(180_000)
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      const [hey, direct] = await sampleRuns(page.request, 'lambda-dispatcher')
      const [vegeta] = await sampleRuns(page.request, 'zlib-gzip')
      const [wrk] = await sampleRuns(page.request, 'smithy')
      const [lambda] = await sampleRuns(page.request, 'protobuf-json')
      const paths = [
        '/',
        '/p/lambda-dispatcher/runs',
        `/p/lambda-dispatcher/runs/${hey}`,
        `/p/zlib-gzip/runs/${vegeta}`,
        `/p/smithy/runs/${wrk}`,
        `/p/protobuf-json/runs/${lambda}`,
        await samplePage(page.request),
        '/p/lambda-dispatcher/compare',
        `/p/lambda-dispatcher/compare/${hey}...${direct}`,
        '/p/lambda-dispatcher/matrix',
        '/p/zlib-gzip/matrix?rows=label:content-encoding&columns=label:payload&metric=p99,success-ratio',
        '/p/zlib-gzip/matrix?view=sweep&metric=p99,success-ratio',
        '/p/cascade/matrix?view=sweep&metric=mean,p99',
        '/p/lambda-dispatcher/trends',
        '/p/lambda-dispatcher/alerts',
        '/p/lambda-dispatcher/upload',
        '/p/lambda-dispatcher/settings',
        '/learn',
        '/learn/coordinated-omission',
      ]
      for (const path of paths) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
        await expectAccessible(page)
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(sideways, path).toBeLessThanOrEqual(0)
      }
    })
  }
}

test('unknown pages say so', async ({ request }) => {
  for (const path of ['/p/nobody/runs', '/p/smithy/runs/nonsense', '/p/smithy/compare/a...b', '/nowhere']) {
    expect((await request.get(path)).status(), path).toBe(404)
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('charts, figures and tables are there', async ({ page }) => {
    const [first, second] = await sampleRuns(page.request, 'lambda-dispatcher')
    await page.goto(`/p/lambda-dispatcher/runs/${first}`)
    await expect(page.getByRole('img', { name: /Latency by percentile/ })).toBeVisible()
    await expect(page.getByRole('img', { name: /Requests by latency/ })).toBeVisible()
    await expect(page.getByText('99.9 ms').first()).toBeVisible()
    await page.goto(`/p/lambda-dispatcher/compare/${first}...${second}`)
    await expect(page.getByRole('img', { name: /Latency by percentile/ })).toBeVisible()
    await expect(page.getByRole('table').first()).toContainText('better')
  })
})

test('nothing shifts when the interactive charts take over', async ({ page }) => {
  const [run] = await sampleRuns(page.request, 'lambda-dispatcher')
  await page.goto(`/p/lambda-dispatcher/runs/${run}`, { waitUntil: 'commit' })
  const frame = page.locator('figure').first()
  await expect(frame).toBeVisible()
  await frame.hover()
  await expect(frame.locator('.recharts-wrapper')).toBeVisible()
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            sum += 'value' in entry && typeof entry.value === 'number' ? entry.value : 0
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 500)
      }),
  )
  expect(shift).toBeLessThan(0.01)
  await expect(page.locator('figure').first().locator('.recharts-tooltip-wrapper')).toBeAttached()
})

test('raw results: one cursor over time, requests to choose, files to save', async ({ page }) => {
  await page.goto(await samplePage(page.request))
  const cursor = page.getByRole('application', { name: /Over time/ })
  await cursor.focus()
  await page.keyboard.press('ArrowRight')
  await expect(cursor).toContainText('p99')
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Latency axis' }).getByRole('link', { name: 'Linear' }).click()
  await expect(page).toHaveURL(/axis=linear/)
  const chart = page.locator('figure').filter({ hasText: 'Over time' })
  await chart.getByText('Save', { exact: true }).click()
  const download = page.waitForEvent('download')
  await chart.getByRole('button', { name: 'Save as PNG' }).click()
  expect((await download).suggestedFilename()).toBe('over-time.png')
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'HDR .hgrm' }).click()
  expect((await file).suggestedFilename()).toMatch(/latency-ms\.hgrm$/)
})
