import { readFileSync } from 'node:fs'
import type { Page, Response } from '@playwright/test'
import { z } from 'zod'
import { lookAtPages } from './look-at-pages'
import { expect, makeProject, test } from './page'

const pageOfRuns = z.object({ rows: z.array(z.object({ id: z.string(), indexInUpload: z.number() })) })

/** The sample project's runs, in the order of their document. */
async function sampleRuns(
  request: { get(url: string): Promise<{ json(): Promise<unknown> }> },
  project: string,
): Promise<readonly string[]> {
  const { rows } = pageOfRuns.parse(await (await request.get(`/api/v1/projects/${project}/runs`)).json())
  return rows.toSorted((a, b) => a.indexInUpload - b.indexInUpload).map((row) => row.id)
}

/** An environment that runs of the sample project about wrk name. */
async function sampleEnvironment(request: {
  get(url: string): Promise<{ json(): Promise<unknown> }>
}): Promise<string> {
  const runs = z.object({ rows: z.array(z.object({ environment: z.string().nullable() })) })
  const { rows } = runs.parse(await (await request.get('/api/v1/projects/smithy/runs')).json())
  const [name] = rows.flatMap(({ environment }) => environment ?? [])
  return encodeURIComponent(name ?? '')
}

/** A project with raw results, uploaded as with curl; the address of its run. */
async function samplePage(page: Page): Promise<string> {
  const slug = await makeProject(page, 'raw-results')
  const answer = await page.request.put(`/api/v1/projects/${slug}/uploads`, {
    data: readFileSync('tests/fixtures/vegeta-csv/three-targets-by-latency.csv'),
    headers: { 'content-type': 'application/octet-stream', accept: 'text/plain' },
  })
  const [address] = /\/p\/[\w-]+\/runs\/\w+/.exec(await answer.text()) ?? []
  if (address === undefined) throw new Error('a run expected')
  return address
}

lookAtPages('home, history and runs', async (page) => {
  const [hey] = await sampleRuns(page.request, 'lambda-dispatcher')
  const [vegeta] = await sampleRuns(page.request, 'zlib-gzip')
  const [wrk] = await sampleRuns(page.request, 'smithy')
  const [lambda] = await sampleRuns(page.request, 'protobuf-json')
  return [
    '/',
    '/p/lambda-dispatcher',
    '/p/protobuf-json',
    '/p/lambda-dispatcher/runs',
    `/p/lambda-dispatcher/runs/${hey}`,
    `/p/zlib-gzip/runs/${vegeta}`,
    `/p/smithy/runs/${wrk}`,
    `/p/protobuf-json/runs/${lambda}`,
    await samplePage(page),
  ]
})

lookAtPages('comparisons, settings and all others', async (page) => {
  const [hey, direct] = await sampleRuns(page.request, 'lambda-dispatcher')
  return [
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
    `/p/smithy/environments/${await sampleEnvironment(page.request)}`,
    '/learn',
    '/learn/api',
    '/learn/coordinated-omission',
  ]
})

test('no page sends more than 150 kB of script before it is touched', async ({ page, request, browser, baseURL }) => {
  const [run, other] = await sampleRuns(request, 'lambda-dispatcher')
  const project = '/p/lambda-dispatcher'
  const sent: Record<string, number> = {}
  for (const path of [
    '/',
    project,
    `${project}/runs`,
    `${project}/runs/${run}`,
    `${project}/compare/${run}...${other}`,
    `${project}/matrix`,
    '/p/cascade/matrix?view=sweep&metric=mean,p99',
    `${project}/trends`,
    await samplePage(page),
    `${project}/upload`,
    `${project}/settings`,
    '/learn',
  ]) {
    const context = await browser.newContext()
    const fresh = await context.newPage()
    const bytes: Promise<number>[] = []
    fresh.on('requestfinished', (one) => {
      if (one.resourceType() === 'script') bytes.push(one.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await fresh.goto(`${baseURL}${path}`, { waitUntil: 'networkidle' })
    sent[path] = (await Promise.all(bytes)).reduce((sum, one) => sum + one, 0)
    await context.close()
  }
  // React and Next are 118 kB of it.
  expect(Object.entries(sent).filter(([, bytes]) => bytes > 150_500 || bytes < 100_000)).toEqual([])
})

test('unknown pages say so', async ({ request }) => {
  for (const path of ['/p/nobody/runs', '/p/smithy/runs/nonsense', '/p/smithy/compare/a...b', '/nowhere']) {
    expect((await request.get(path)).status(), path).toBe(404)
  }
})

test('an unknown page leads to its project, and to none if there is no such project', async ({ browser, baseURL }) => {
  // Not the page of the other tests: the browser logs every 404.
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  const links = page.getByRole('main').getByRole('link')
  await page.goto('/p/smithy/runs/nonsense')
  await expect(links.filter({ hasText: 'Runs of the project' })).toHaveAttribute('href', '/p/smithy/runs')
  await page.goto('/p/nobody/runs')
  await expect(page.getByText('There is no project at this address')).toBeVisible()
  await expect(links).toHaveText(['All projects'])
  await page.close()
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

  test("a table built from its chart's numbers is a link away", async ({ page }) => {
    const [first, second] = await sampleRuns(page.request, 'lambda-dispatcher')
    const pages = [
      [await samplePage(page), page.locator('figure').filter({ hasText: 'Over time' })],
      [`/p/lambda-dispatcher/compare/${first}...${second}`, page.getByRole('region', { name: 'Shift by percentile' })],
    ] as const
    for (const [path, chart] of pages) {
      await page.goto(path)
      await expect(chart.getByRole('table')).toHaveCount(0)
      await expect(chart.getByRole('link', { name: 'Show as table' })).toHaveCount(1)
      await chart.getByRole('link', { name: 'Show as table' }).click()
      await expect(page).toHaveURL(/[?&]table=[a-z-]+#[a-z-]+$/)
      await expect(chart.getByRole('row').nth(3)).toBeVisible()
    }
  })
})

test('tables have one address; old ones redirect to it', async ({ page }) => {
  const [first, second] = await sampleRuns(page.request, 'lambda-dispatcher')
  const compared = `/p/lambda-dispatcher/compare/${first}...${second}`
  await page.goto(`${compared}?m=p99&tables=1`)
  await expect(page).toHaveURL(/[?&]table=shift\.over-time/)
  await expect(page).toHaveURL(/[?&]m=p99/)
  const shift = page.getByRole('region', { name: 'Shift by percentile' })
  await expect(shift.getByRole('row').nth(3)).toBeVisible()
  await shift.getByRole('link', { name: 'Show as chart' }).click()
  await expect(page).toHaveURL(/[?&]table=over-time(?!.*tables=1)/)
  await expect(shift.getByRole('img', { name: /^Shift from/ })).toBeVisible()
  const percentiles = page.getByRole('region', { name: 'Percentiles' })
  await percentiles.getByRole('link', { name: 'Show as table' }).click()
  await expect(percentiles.getByRole('cell', { name: 'p99', exact: true })).toBeVisible()
})

test('one cursor spans the percentiles and their shift', async ({ page }) => {
  const [first, second] = await sampleRuns(page.request, 'lambda-dispatcher')
  await page.goto(`/p/lambda-dispatcher/compare/${first}...${second}`)
  await page.waitForLoadState('networkidle')
  const cursors = page.getByRole('application', { name: /percentile/ })
  await expect(cursors).toHaveCount(2)
  await cursors.first().focus()
  const read = async (place: RegExp) => {
    for (const cursor of await cursors.all()) await expect(cursor).toContainText(place)
  }
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowRight')
  await read(/p25: 75\s%\sof requests are slower/)
  await page.keyboard.press('ArrowRight')
  await read(/p50: 1 in 2 requests is slower/)
  await page.keyboard.press('Escape')
  for (const cursor of await cursors.all()) await expect(cursor).not.toContainText(/slower/)
  // Shift with the arrow keys and Enter shows a part, which the address holds; Escape shows all.
  await page.keyboard.press('Home')
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/[?&]zoom=0-50$/)
  await expect(page.getByRole('button', { name: 'Shown: min–p50. Show all' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/zoom=/)
})

test('a drag and two fingers zoom percentiles in both directions, and the address holds the part', async ({ page }) => {
  const [first, second] = await sampleRuns(page.request, 'lambda-dispatcher')
  await page.goto(`/p/lambda-dispatcher/compare/${first}...${second}`)
  await page.waitForLoadState('networkidle')
  const plot = page.getByRole('application', { name: /^Latency by percentile/ })
  await plot.scrollIntoViewIfNeeded()
  const box = await plot.boundingBox()
  if (box === null) throw new Error('a plot expected')
  const at = (x: number, y: number) => ({ x: box.x + x * box.width, y: box.y + y * box.height })
  const [from, to] = [at(0.3, 0.2), at(0.6, 0.8)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
  const chip = page.getByRole('button', { name: /^Shown: / })
  // Percentiles, then latencies.
  await expect(page).toHaveURL(/[?&]zoom=[\d.]+-[\d.]+&zoom=[\d.]+-[\d.]+/)
  await expect(chip).toHaveCount(2)
  await page.reload()
  await expect(chip).toHaveCount(2)
  await page.waitForLoadState('networkidle')
  await plot.dblclick()
  await expect(page).not.toHaveURL(/zoom=/)

  const touch = await page.context().newCDPSession(page)
  const fingers = (type: 'touchStart' | 'touchMove', ...points: readonly (readonly [number, number])[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ ...at(x, y), id })) })
  await fingers('touchStart', [0.4, 0.4])
  await fingers('touchStart', [0.4, 0.4], [0.6, 0.6])
  await fingers('touchMove', [0.2, 0.2], [0.8, 0.8])
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(page).toHaveURL(/[?&]zoom=/)
  await expect(chip.first()).toBeVisible()
})

test('nothing shifts when the interactive charts take over', async ({ page }) => {
  const [run] = await sampleRuns(page.request, 'lambda-dispatcher')
  await page.goto(`/p/lambda-dispatcher/runs/${run}`, { waitUntil: 'commit' })
  const frame = page.locator('figure').first()
  await expect(frame).toBeVisible()
  // The plot moves while the page is still loading, so the pointer may end next to it.
  await expect(async () => {
    await frame.hover()
    await expect(frame.locator('.recharts-wrapper')).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 10_000 })
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
  await frame.getByRole('application').hover()
  await expect(frame.getByRole('application')).toContainText(/slower|min/)
})

test('raw results: one cursor over time, selectable requests, files to save', async ({ page }) => {
  await page.goto(await samplePage(page))
  const cursor = page.getByRole('application', { name: /Over time/ })
  await cursor.focus()
  await page.keyboard.press('ArrowRight')
  await expect(cursor).toContainText('p99')
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Latency axis' }).getByRole('link', { name: 'Linear' }).click()
  await expect(page).toHaveURL(/axis=linear/)
  const chart = page.locator('figure').filter({ hasText: 'Over time' })
  await chart.locator('summary').filter({ hasText: 'Chart menu' }).click()
  const download = page.waitForEvent('download')
  await chart.getByRole('button', { name: 'Save as PNG' }).click()
  expect((await download).suggestedFilename()).toBe('over-time.png')
  const file = page.waitForEvent('download')
  await page.locator('summary').filter({ hasText: 'More actions' }).click()
  await page.getByRole('link', { name: 'Export HDR histogram (.hgrm)' }).click()
  expect((await file).suggestedFilename()).toMatch(/latency-ms\.hgrm$/)
})

test('a page that did not change is not sent again', async ({ page }) => {
  const address = await samplePage(page)
  /** Bytes of the page itself, as they were sent. */
  const bytes = async (response: Response | null) => (await response?.request().sizes())?.responseBodySize
  expect(await bytes(await page.goto(address))).toBeGreaterThan(5_000)
  await expect.poll(async () => bytes(await page.reload())).toBe(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const changed = await page.request.patch(`/api/v1${address.replace('/p/', '/projects/')}`, {
    data: { notes: 'edited' },
  })
  expect(changed.ok()).toBe(true)
  expect(await bytes(await page.reload())).toBeGreaterThan(5_000)
})
