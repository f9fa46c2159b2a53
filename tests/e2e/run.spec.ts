import { z } from 'zod'
import { expect, expectAccessible, makeProject, test, wordsInSight } from './page'

/** What vegeta prints for an attack, as far as a run needs it. */
function report(p99Ms: number, failed = 0): string {
  const ms = (value: number) => `${value.toFixed(3)}ms`
  return [
    '$ echo "GET http://shop.test/checkout" | vegeta attack -rate=500 -duration=40s | vegeta report',
    `Requests      [total, rate, throughput]         20000, 500.00, ${((20_000 - failed) / 40.04).toFixed(2)}`,
    `Duration      [total, attack, wait]             40.040s, 40.000s, ${ms(40)}`,
    `Latencies     [min, mean, 50, 90, 95, 99, max]  ${[18, 40, 36, 54, 80, p99Ms, p99Ms + 90].map(ms).join(', ')}`,
    'Bytes In      [total, mean]                     20480000, 1024.00',
    'Bytes Out     [total, mean]                     0, 0.00',
    `Success       [ratio]                           ${((100 * (20_000 - failed)) / 20_000).toFixed(2)}%`,
    `Status Codes  [code:count]                      200:${20_000 - failed}  ${failed > 0 ? `500:${failed}` : ''}`,
    'Error Set:',
    failed > 0 ? '500 Internal Server Error' : '',
    '',
  ].join('\n')
}

const judgedSchema = z.looseObject({ judged: z.looseObject({ state: z.string(), sentence: z.string() }).nullable() })

test('a run starts with its judgement, shows it on its history, and offers its actions', async ({ page }) => {
  const slug = await makeProject(page, 'run')
  const api = `/api/v1/projects/${slug}`
  await page.request.post(`${api}/rules`, {
    data: {
      scenario: null,
      seriesId: null,
      settings: { kind: 'limit', metricId: 'p99', side: 'above', limit: 200, confirmRuns: 3 },
      isEnabled: true,
      mutedUntil: null,
    },
  })
  const ids: string[] = []
  for (let at = 0; at < 14; at += 1) {
    const startedAt = new Date(Date.UTC(2026, 9, 1 + at)).toISOString()
    const query = new URLSearchParams({
      scenario: 'GET /checkout',
      variant: 'node22',
      startedAt,
      again: '1',
      gate: '1',
    })
    const data = report(at === 13 ? 180 : 120 + ((at * 7) % 5))
    const answer = await page.request.put(`${api}/uploads?${query}`, { data, headers: { accept: 'text/plain' } })
    const [, id = ''] = /runs\/(\w+)/.exec(await answer.text()) ?? []
    ids.push(id)
  }
  const newest = `/p/${slug}/runs/${ids[13]}`
  await expect
    .poll(async () => judgedSchema.parse(await (await page.request.get(`${api}/runs/${ids[13]}`)).json()).judged?.state)
    .toBe('unusual')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(newest)
  await page.waitForLoadState('networkidle')

  const verdict = page.getByRole('region', { name: 'Judgement' })
  await expect(verdict).toContainText('Unusual')
  await expect(verdict).toContainText(/p99 180\sms, expected/)
  await expect(verdict.getByText(/^p99 ≤ 200\sms: met$/)).toBeVisible()
  await expect(page.locator('dl[aria-label="Key figures"] > div').first()).toContainText(/p99.*180.*expected/s)
  await expect(page.locator('figure#fan')).toContainText('this run')
  expect(await wordsInSight(page)).toBeLessThanOrEqual(170)
  await expectAccessible(page)

  // To the run before, and back.
  await page.getByRole('link', { name: 'Previous run of the series' }).click()
  await expect(page).toHaveURL(new RegExp(`${ids[12]}$`))
  await expect(page.getByText('13 of 14 in series')).toBeVisible()
  await page.getByRole('link', { name: 'Next run of the series' }).click()
  await expect(page).toHaveURL(new RegExp(`${ids[13]}$`))

  await page.getByRole('link', { name: 'Compare with the 10 before' }).click()
  await expect(page).toHaveURL(new RegExp(`/compare/${ids.slice(3, 13).join('\\+')}\\.\\.\\.${ids[13]}$`))

  // One run is no round, so its own judgement is shown there too.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^p99 180\sms, expected .*: repeat the run$/)
  await expect(page.getByRole('region', { name: 'Judgement' })).toContainText('Unusual')
  await expect(page.getByRole('region', { name: 'Rounds' })).toBeHidden()
  await expectAccessible(page)

  // On a phone nothing scrolls sideways; the menu holds what does not fit in the bar.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(newest)
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  await page.locator('summary').filter({ hasText: 'More actions' }).click()
  await expect(page.getByRole('link', { name: 'Previous in series' })).toBeVisible()
  await expectAccessible(page)
})

test('rare actions on a run are in a menu, each with a letter', async ({ page }) => {
  const slug = await makeProject(page, 'menu')
  const other = await makeProject(page, 'menu-target')
  const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?scenario=one`, {
    data: report(120),
    headers: { accept: 'text/plain' },
  })
  const [address = ''] = /\/p\/[\w-]+\/runs\/\w+/.exec(await answer.text()) ?? []
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('e')
  const form = page.getByRole('dialog', { name: 'Edit run' })
  await expect(form.getByLabel('Scenario')).toBeFocused()
  await expect(form.getByLabel('Scenario')).toHaveValue('one')
  await form.getByLabel('Scenario').fill('two')
  await form.getByLabel('Scenario').press('Enter')
  await expect(form).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('two')

  const menu = page.locator('summary').filter({ hasText: 'More actions' })
  await menu.click()
  await page.getByRole('button', { name: 'Use as baseline' }).click()
  await expect(page.getByText('This is the baseline.')).toBeVisible()
  await menu.click()
  await page.getByRole('button', { name: 'Move to project …' }).click()
  await page.getByRole('dialog', { name: 'Move to project' }).getByRole('button', { name: other }).click()
  await expect(page).toHaveURL(new RegExp(`/p/${other}/runs/`))
  await page.waitForLoadState('networkidle')
  await menu.click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/p/${other}/runs$`))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('two')
})

test('a failing run starts with its failures, to scale, and is next to its document', async ({ page }) => {
  const found: unknown = await (await page.request.get('/api/v1/projects/zlib-gzip/runs?limit=50')).json()
  const { rows } = z
    .looseObject({ rows: z.array(z.looseObject({ id: z.string(), variant: z.string().nullable() })) })
    .parse(found)
  const failing = rows.find(({ variant }) => variant === '300kb payload')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/p/zlib-gzip/runs/${failing?.id}`)
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('img', { name: /succeeded, 3\s009 without response, 1 with status 500/ })).toBeVisible()
  const figures = page.locator('dl[aria-label="Key figures"] > div')
  await expect(figures.nth(0)).toContainText(/Failed.*14\.33/s)
  await expect(figures.nth(1)).toContainText(/Served.*of 350\/s offered/s)
  await expect(figures.filter({ hasText: 'p99' })).toContainText(/≥\s30\.0/)
  await expect(page.getByRole('navigation', { name: 'Runs of this document' })).toContainText('2 of 4')
  await expect(page.getByRole('link', { name: '250kb payload' })).toBeVisible()
})
