import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { makeFolderForBrowser } from '../sampled-folder'
import { startApp, type RunningApp } from '../server/app'
import { halfRateAt, outlierAt, plantedCandidates, plantedHistory, type PlantedRun } from '../server/planted-history'
import { expect, expectAccessible, makeProject, test } from './page'

const metricSchema = z.looseObject({
  metricId: z.string(),
  state: z.string(),
  level: z.number().nullable(),
  expectedLow: z.number().nullable(),
  expectedHigh: z.number().nullable(),
  effectRatio: z.number().nullable(),
  effectLowRatio: z.number().nullable(),
  effectHighRatio: z.number().nullable(),
  change: z
    .looseObject({ afterRunId: z.string(), cause: z.string().nullable(), alertId: z.string().nullable() })
    .nullable(),
})
const judgementSchema = z.looseObject({ state: z.string(), sentence: z.string(), metrics: z.array(metricSchema) })
const runSchema = z.looseObject({
  id: z.string(),
  seriesId: z.string(),
  variant: z.string(),
  labels: z.record(z.string(), z.string()),
  judged: z.object({ state: z.string(), sentence: z.string() }).nullable(),
})
const gateSchema = z.looseObject({
  result: z.string(),
  sentence: z.string(),
  rows: z.array(
    z.looseObject({
      metric: z.string(),
      verdict: z.string(),
      excuse: z.string().nullable(),
      reason: z.string().nullable().optional(),
    }),
  ),
})
const findingSchema = z.looseObject({
  metricId: z.string(),
  before: z.number(),
  effectRatio: z.number(),
  effectLowRatio: z.number(),
  effectHighRatio: z.number(),
  afterRunId: z.string(),
})
const alertSchema = z.looseObject({
  id: z.string(),
  state: z.string(),
  cause: z.string(),
  findings: z.array(findingSchema),
})

/**
 * The history without most of its gates, which tests/server/judgement-walk.test.ts reads: on every tenth night the
 * judgement of all runs so far is waited for.
 */
async function sendHistory(page: Page, api: string): Promise<void> {
  for (const [at, { query, body }] of plantedHistory().entries()) {
    if (Math.floor(at / 2) % 10 < 9) query.delete('gate')
    const answer = await page.request.put(`${api}/uploads?${query}`, {
      data: body,
      headers: { 'content-type': 'text/plain' },
    })
    expect([200, 201, 422]).toContain(answer.status())
  }
}

async function send(page: Page, api: string, { query, body }: PlantedRun) {
  const asked = new URLSearchParams([...query, ['format', 'json']])
  const answer = await page.request.put(`${api}/uploads?${asked}`, {
    data: body,
    headers: { 'content-type': 'text/plain' },
  })
  return { status: answer.status(), verdict: gateSchema.parse(await answer.json()) }
}

// Home ranks all projects, including those that other specs create meanwhile, so this history has its own server.
const port = Number(process.env.TAILBOARD_E2E_PORT ?? 3177) + 2
test.use({ baseURL: `http://127.0.0.1:${port}` })

let app: RunningApp
let dataFolder = ''
test.beforeAll(async () => {
  test.setTimeout(180_000)
  dataFolder = makeFolderForBrowser('judgement')
  app = await startApp({ dataFolder, env: { PORT: String(port) } })
})
test.afterAll(async () => {
  await app.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('a planted history: one judgement of each run, the same on every page and in every file', async ({ page }) => {
  test.setTimeout(180_000)
  const slug = await makeProject(page, 'planted')
  const api = `/api/v1/projects/${slug}`
  await sendHistory(page, api)

  const get = async <T>(schema: z.ZodType<T>, path: string): Promise<T> =>
    schema.parse(await (await page.request.get(`${api}${path}`)).json())
  const { rows } = await get(z.looseObject({ rows: z.array(runSchema) }), '/runs?limit=200')
  const runOf = (commit: string) => {
    const found = rows.find((row) => row.labels['commit'] === commit)
    if (found === undefined) throw new Error(`no run ${commit}`)
    return found
  }
  const judgementOf = async (id: string) =>
    (await get(z.looseObject({ judgement: judgementSchema }), `/runs/${id}`)).judgement

  // One regression is one alert, at the commit that introduced it.
  const { alerts } = await get(z.looseObject({ alerts: z.array(alertSchema) }), '/alerts')
  expect(alerts).toMatchObject([{ state: 'open', cause: 'commit node22-40' }])
  const [alert] = alerts
  if (alert === undefined) throw new Error('no alert')

  const newest = runOf('node22-59')
  const said = await judgementOf(newest.id)
  expect(said.state).toBe('worse')
  expect(newest.judged).toEqual({ state: said.state, sentence: said.sentence })
  for (const finding of alert.findings) {
    const metric = said.metrics.find((one) => one.metricId === finding.metricId)
    const { effectRatio, effectLowRatio, effectHighRatio, afterRunId } = finding
    expect(metric).toMatchObject({
      state: 'worse',
      level: finding.before,
      effectRatio,
      effectLowRatio,
      effectHighRatio,
    })
    expect(metric?.change).toMatchObject({ afterRunId, alertId: alert.id, cause: alert.cause })
  }
  const sentence = plain(said.sentence)
  expect(sentence).toMatch(/^p9[59] 2\d(\.\d)? % higher since commit node22-40 \(95 % interval \+\d/)
  const size = /\d+(\.\d)? % higher/.exec(sentence)?.[0] ?? ''

  // Pages: home, board, runs and its filter, run, trend, alert.
  const hasText = (text: string) => page.getByText(text, { exact: false }).first()
  await page.goto('/')
  const urgent = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
  const regressed = urgent.filter({ has: page.locator(`a[href$="/alerts/${alert.id}"]`) })
  await expect(regressed).toHaveCount(1)
  await expect(regressed).toContainText('Worse')
  await expect(regressed).toContainText(sentence)
  // Is last night worse? Home answers on its first screen.
  const answer = await regressed.boundingBox()
  expect((answer?.y ?? Infinity) + (answer?.height ?? 0)).toBeLessThanOrEqual(720)
  await page.goto(`/p/${slug}`)
  const line = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /node22/ }) })
  await expect(line).toContainText('Worse')
  await expect(line).toContainText(said.sentence)
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: size.replace('higher', 'slower') })
      .locator(`a[href$="/alerts/${alert.id}"]`),
  ).toBeVisible()
  await page.goto(`/p/${slug}/runs?state=unusual`)
  await expect(page.getByRole('table', { name: 'Runs' }).locator('tbody tr')).toHaveCount(2)
  await page.goto(`/p/${slug}/runs/${newest.id}`)
  const card = page.getByRole('region', { name: 'Judgement' })
  await expect(card).toContainText(said.sentence)
  const figures = page.getByRole('table', { name: 'Figures, and what was expected of them' })
  await expect(figures.getByRole('row', { name: /^p99/ })).toContainText('worse')
  await expect(page.locator('figure#fan')).toContainText('since node22-40')
  await expectAccessible(page)
  await card.getByRole('link', { name: 'Alert' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(size)
  await expect(hasText('node22-40')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('since node22-40')
  // The alert's link cannot contradict it.
  await page
    .getByRole('link', { name: /before and since/i })
    .first()
    .press('Enter')
  await expect(page).toHaveURL(/\/compare\/.+\.\.\./)
  const leading = alert.findings[0]
  const verdict = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${leading?.metricId}\\b`) }) })
  await expect(verdict.first()).toContainText('worse')
  await page.goto(`/p/${slug}/trends/${newest.seriesId}`)
  await expect(page.getByText(said.sentence)).toBeVisible()

  // A build at the same level passes, since the alert reports it; the gate says what the judgement says.
  const gate = await get(
    gateSchema,
    `/uploads/${z.looseObject({ uploadId: z.string() }).parse(newest).uploadId}/gate?format=json`,
  )
  expect(gate.result).toBe('passed')
  for (const row of gate.rows) expect(row.verdict).toBe(said.metrics.find((one) => one.metricId === row.metric)?.state)
  expect(gate.rows.filter(({ verdict }) => verdict === 'worse').map(({ excuse }) => excuse)).toEqual(
    alert.findings.map(() => 'reported'),
  )

  const uploadId = z.looseObject({ uploadId: z.string() }).parse(newest).uploadId
  const markdown = await (await page.request.get(`${api}/uploads/${uploadId}/gate?format=md`)).text()
  const reported = markdown
    .split('\n')
    .filter((line) => /\| level worse since \S+, but reported by an open alert \|$/.test(line))
  expect(reported).toHaveLength(alert.findings.length)

  // Link preview and badge.
  const share = await page.request.post(`${api}/shares`, {
    data: { name: 'Newest', kind: 'run', sides: [[newest.id]] },
  })
  const shared = z.looseObject({ url: z.string() }).parse(await share.json())
  const preview = await (await page.request.get(new URL(shared.url).pathname)).text()
  expect(preview).toContain(`<meta property="og:description" content="Worse: ${said.sentence.replace(/\.$/, '')}. `)
  const badge = await page.request.post(`${api}/series/${newest.seriesId}/badges`, {
    data: { metric: alert.findings[0]?.metricId, label: 'tail' },
  })
  const { url } = z.looseObject({ url: z.string() }).parse(await badge.json())
  expect(await (await page.request.get(new URL(url).pathname)).text()).toMatch(/ · worse</)

  // One run outside is unusual, and nothing more.
  const outlier = await judgementOf(runOf(`node20-${outlierAt}`).id)
  expect(outlier.state).toBe('unusual')
  expect(plain(outlier.sentence)).toMatch(/^(Mean|p\d+) .* ms, expected .* ms to .* ms: repeat the run\.$/)
  const half = await judgementOf(runOf(`node20-${halfRateAt}`).id)
  expect(half.state).toBe('unusual')
  expect(plain(half.sentence)).toMatch(/^Rate missed: /)
  expect(half.metrics.find(({ metricId }) => metricId === 'p99')?.state).toBe('barred')

  // Candidates are judged and never join the series.
  const { slower, failing } = plantedCandidates()
  const bad = await send(page, api, slower)
  expect(bad).toMatchObject({ status: 422, verdict: { result: 'failed' } })
  expect(bad.verdict.rows.filter(({ verdict }) => verdict === 'unusual').map(({ metric }) => metric)).toContain('p99')
  const broken = await send(page, api, failing)
  expect(broken.status).toBe(422)
  expect(plain(broken.verdict.sentence)).toMatch(/^Failed: 5 % of requests failed \(1 000\)/)
  await page.goto(`/p/${slug}/runs?state=failing`)
  await expect(page.getByRole('table', { name: 'Runs' }).locator('tbody tr')).toContainText(['candidate'])
  await page.goto(`/p/${slug}/trends/${runOf('node20-59').seriesId}`)
  await expect(page.getByText('No change in 60 runs.')).toBeVisible()
  expect(await judgementOf(runOf('node20-59').id)).toMatchObject({ state: 'as-expected' })
})
