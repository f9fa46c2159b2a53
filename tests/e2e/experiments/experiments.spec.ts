import type { Page } from '@playwright/test'
import { heyText } from '../../server/feed-series'
import { lookAtPages } from '../look-at-pages'
import { choose, expect, expectAccessible, makeProject, test } from '../page'

interface Told {
  readonly arm?: string
  readonly round?: number
  readonly upload?: string
  readonly stop?: boolean
  readonly why?: string
}

const post = async (page: Page, address: string, data?: object): Promise<unknown> => {
  const answer = await page.request.post(`/api/v1/projects${address}`, data === undefined ? {} : { data })
  expect(answer.ok(), address).toBe(true)
  return answer.status() === 204 ? null : answer.json()
}

let runs = 0
/** What anyone's runner does, up to so many runs. Returns what it was told last. */
async function run(page: Page, slug: string, id: string, levels: Record<string, number>, most = 200): Promise<Told> {
  let told: Told = {}
  for (let count = 0; count < most; count += 1) {
    told = (await post(page, `/${slug}/experiments/${id}/next`)) as Told
    if (told.stop === true) return told
    runs += 1
    const ms = (levels[told.arm ?? ''] ?? 0) * (1 + 0.01 * Math.sin(runs * 2.4)) + runs / 10_000
    const sent = await page.request.put(`/api/v1/projects/${slug}/uploads?${told.upload ?? ''}&scenario=GET+/cart`, {
      data: heyText(ms),
    })
    expect(sent.status()).toBe(201)
  }
  return told
}

const plan = { question: 'Is it slower?', base: 'main', head: 'branch', metricId: 'mean', smallestRatio: 0.05 }
async function planned(page: Page, slug: string, more: object = {}): Promise<string> {
  return ((await post(page, `/${slug}/experiments`, { ...plan, ...more })) as { id: string }).id
}

/** Without the announcement of the title, which says the same. */
const main = (page: Page) => page.getByRole('main')

const worse = { base: 100, head: 130, control: 100 }

test('an experiment is planned on its page, follows its runs without a reload, and says what the API says', async ({
  page,
}) => {
  const slug = await makeProject(page, 'tries')
  await page.goto(`/p/${slug}/experiments`)
  await expect(page.getByRole('heading', { name: 'No experiments' })).toBeVisible()
  await expect(page.getByLabel('curl command')).toContainText(`/api/v1/projects/${slug}/experiments`)
  await page.getByRole('link', { name: 'New experiment' }).first().click()
  await page.getByLabel('Question').fill('Does the cache help?')
  await page.getByLabel('Base: a commit or build').fill('main')
  await page.getByLabel('Head: what is compared with it').fill('branch')
  await choose(page.getByRole('combobox', { name: 'Metric that decides' }), 'Mean')
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  const opened = page.waitForResponse((response) => response.url().endsWith(`/projects/${slug}/changes`))
  await page.getByRole('button', { name: 'Plan it' }).click()
  await page.waitForURL(/\/experiments\/\w{26}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Does the cache help?')
  await expect(page.getByText('Round 1 waits for a runner')).toBeVisible()
  await opened

  const id = page.url().split('/').at(-1) ?? ''
  await page.evaluate(() => Reflect.set(window, 'isSamePage', true))
  await run(page, slug, id, worse, 10)
  await expect(main(page).getByText(/^Not decided yet: /)).toContainText('3 of at most 24 rounds')
  await expect(page.getByText('Round 4 began')).toBeVisible()
  const told = await run(page, slug, id, worse)
  await expect(main(page).getByText(told.why ?? 'nothing')).toBeVisible()
  await expect(page).toHaveTitle(new RegExp('decided at round 6 of 24'))
  await expect(page.getByRole('button', { name: /^Stop/ })).toHaveCount(0)
  expect(await page.evaluate(() => Reflect.get(window, 'isSamePage'))).toBe(true)
  const chart = page.getByRole('img', { name: /^Head against base by round, Mean: \+\d+/ })
  await expect(chart).toBeVisible()
  await page.getByRole('link', { name: /^Compare its 6 \+ 6 runs$/ }).click()
  await expect(page).toHaveURL(/\/compare\//)
  await page.goto(`/p/${slug}/experiments`)
  await expect(page.getByRole('table', { name: 'Experiments' })).toContainText(told.why ?? 'nothing')
})

test('it is stopped with the keyboard, and names its void rounds', async ({ page }) => {
  const slug = await makeProject(page, 'tries')
  const id = await planned(page, slug)
  const { arm, round } = (await post(page, `/${slug}/experiments/${id}/next`)) as Told
  await post(page, `/${slug}/experiments/${id}/void`, { arm, round, reason: 'exit 137' })
  await run(page, slug, id, worse, 2)
  await page.goto(`/p/${slug}/experiments/${id}`)
  await expect(page.getByRole('table', { name: 'Rounds' })).toContainText(`void: ${arm}: exit 137`)
  await page.getByRole('button', { name: 'Stop: Is it slower?' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Confirm: stop Is it slower?' }).press('Enter')
  await expect(main(page).getByText('Stopped manually: 1 of at most 24 rounds')).toBeVisible()
  await expect(page.getByText('Now and next')).toBeHidden()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the verdict, both charts, and their figures as tables are there', async ({ page }) => {
    const slug = await makeProject(page, 'tries')
    const id = await planned(page, slug, { control: true })
    const told = await run(page, slug, id, worse)
    await page.goto(`/p/${slug}/experiments/${id}`)
    await expect(main(page).getByText(told.why ?? 'nothing')).toBeVisible()
    await expect(page.getByRole('img', { name: /^Head against base by round/ })).toBeVisible()
    await expect(page.getByRole('img', { name: /^Mean in each round/ })).toBeVisible()
    await page.goto(`/p/${slug}/experiments/${id}?table=course&table=pairs`)
    await expect(page.getByRole('columnheader', { name: 'Ends as different' })).toBeVisible()
    await expect(page.getByRole('cell', { name: '24, to come' })).toBeVisible()
  })
})

lookAtPages('experiments', async (page) => {
  const slug = await makeProject(page, 'tries')
  const ended = await planned(page, slug, { control: true })
  await run(page, slug, ended, worse)
  const running = await planned(page, slug)
  await run(page, slug, running, worse, 9)
  const fresh = await planned(page, slug)
  return [
    `/p/${slug}/experiments`,
    `/p/${slug}/experiments/new`,
    ...[ended, running, fresh].map((id) => `/p/${slug}/experiments/${id}`),
    `/p/${slug}/experiments/${ended}?table=course&table=pairs`,
  ]
})
