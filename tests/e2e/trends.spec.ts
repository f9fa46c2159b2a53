import { heyText } from '../server/feed-series'
import { choose, expect, expectAccessible, makeProject, tabTo, test } from './page'

test('trends of many scenarios show what is judged so far, and the rest soon after', async ({ page }) => {
  const slug = await makeProject(page, 'many-trends')
  for (let at = 0; at < 28; at += 1) {
    const scenario = `GET /${String(at % 14).padStart(2, '0')}`
    const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?scenario=${encodeURIComponent(scenario)}`, {
      data: heyText(100 + at),
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status()).toBe(201)
  }
  let letGo = () => {}
  const looked = new Promise<void>((resolve) => {
    letGo = resolve
  })
  // The page refreshes after a second, but not before it has been checked.
  await page.route(/\/trends\?.*_rsc=/, async (route) => {
    await looked
    await route.continue()
  })
  await page.goto(`/p/${slug}/trends`)
  const status = page.getByRole('status').filter({ hasText: 'being evaluated' })
  await expect(status).toHaveText(
    '2 scenarios have new runs that are being evaluated; then they are sorted by size of change.',
  )
  await expect(page.getByText('Evaluating.')).toHaveCount(2)
  await expectAccessible(page)
  letGo()
  await expect(status).toHaveCount(0, { timeout: 15_000 })
  // Two runs each: their newest figures are written.
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) })
  await expect(cards.filter({ has: page.getByRole('definition') })).toHaveCount(14)
})

test('a click in the chart opens the run, E adds an event', async ({ page }) => {
  const slug = await makeProject(page, 'events')
  for (let day = 1; day <= 6; day += 1) {
    const query = new URLSearchParams({ scenario: 'GET /', startedAt: `2026-11-0${day}T00:00:00Z` })
    const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?${query}`, {
      data: heyText(100 + day),
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status()).toBe(201)
  }
  await page.goto(`/p/${slug}/trends`)
  await page.getByRole('link', { name: 'GET /' }).click()
  const chart = page.getByRole('application', { name: /p99/ })
  const box = await chart.boundingBox()
  const trend = page.url()
  if (box === null) throw new Error('a chart expected')
  // The figures below follow its cursor, and it follows a mouse over them.
  const lines = page.locator('[data-cursor]')
  await chart.hover({ position: { x: box.width / 2, y: 60 } })
  await expect.poll(() => lines.count()).toBeGreaterThan(2)
  await page.mouse.move(0, 0)
  await expect(lines).toHaveCount(0)
  await page.getByRole('listitem').filter({ hasText: 'p50' }).getByRole('group').first().hover()
  await expect(chart.locator('[data-cursor]')).toHaveCount(1)
  await chart.click({ position: { x: box.width - 36, y: 60 } })
  await expect(page).toHaveURL(/\/runs\/\w+$/)
  await page.goto(trend)
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('e')
  const form = page.getByRole('dialog', { name: 'Add event' })
  await expect(form.getByLabel(/^When/)).toHaveValue('2026-11-06T00:00')
  await expectAccessible(page)
  await form.getByLabel('What happened').fill('New kernel')
  await choose(form.getByRole('combobox', { name: 'Kind' }), 'config')
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Annotations' }).getByRole('listitem')).toContainText([
    /^6 Nov 2026, 00:00:00 UTC\s*config New kernel/,
  ])
  await chart.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('e')
  await expect(form.getByLabel(/^When/)).toHaveValue('2026-11-01T00:00')
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  // The figures of the chart as a file, from the server.
  await page.locator('summary').filter({ hasText: 'Chart menu' }).first().click()
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save as CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)
})

test('a finger and keys reach the links of the readout, + zooms, and a long press adds an event', async ({ page }) => {
  const slug = await makeProject(page, 'fingers')
  for (let day = 1; day <= 8; day += 1) {
    const query = new URLSearchParams({ scenario: 'GET /', startedAt: `2026-11-0${day}T00:00:00Z` })
    const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?${query}`, {
      data: heyText(100 + day),
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status()).toBe(201)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/p/${slug}/trends`)
  await page.getByRole('link', { name: 'GET /' }).click()
  const chart = page.getByRole('application', { name: /p99/ })
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (box === null) throw new Error('a chart expected')
  const touch = await page.context().newCDPSession(page)
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const press = async (ms: number, at = { x: box.x + box.width - 80, y: box.y + 160 }) => {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await page.waitForTimeout(ms)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await press(900)
  const form = page.getByRole('dialog', { name: 'Add event' })
  await expect(form.getByLabel(/^When/)).toHaveValue(/^2026-11-0[678]T00:00$/)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toHaveCount(0)
  await press(50)
  await expect(chart.getByRole('link', { name: 'Compare', exact: true })).toHaveAttribute(
    'href',
    /\/compare\/\w+\.\.\.\w+$/,
  )
  const link = await chart.getByRole('link', { name: 'Open run' }).boundingBox()
  if (link === null) throw new Error('a link expected')
  await press(50, { x: link.x + link.width / 2, y: link.y + link.height / 2 })
  await expect(page).toHaveURL(/\/runs\/\w+$/)
  await page.goBack()
  await chart.focus()
  await page.keyboard.press('End')
  await expect(chart.getByRole('link', { name: 'Open run' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(chart.getByRole('link', { name: 'Open run' })).toBeFocused()
  await chart.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('+')
  await expect(page).toHaveURL(/[?&]from=2026-11-01.*&to=2026-11-05/)
  await chart.focus()
  await page.keyboard.press('-')
  await expect(page).not.toHaveURL(/from=/)
})

test('the map moves and resizes the shown part, by keys, by a finger and by dragging', async ({ page }) => {
  const slug = await makeProject(page, 'map')
  for (let day = 1; day <= 12; day += 1) {
    const startedAt = `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`
    const query = new URLSearchParams({ scenario: 'GET /', startedAt })
    const answer = await page.request.put(`/api/v1/projects/${slug}/uploads?${query}`, {
      data: heyText(100 + day / 4),
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status()).toBe(201)
  }
  await page.goto(`/p/${slug}/trends`)
  await page.getByRole('link', { name: 'GET /' }).click()
  const map = page.getByRole('group', { name: 'Shown part of the history' })
  const [first, last] = [
    map.getByRole('slider', { name: 'First shown' }),
    map.getByRole('slider', { name: 'Last shown' }),
  ]
  const part = map.getByRole('slider', { name: 'Shown part' })
  await tabTo(page, first)
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/[?&]from=2026-11-04/)
  await expect(first).toBeFocused()
  await last.press('ArrowLeft')
  await expect(page).toHaveURL(/from=2026-11-04.*to=2026-11-11/)
  await expect(part).toHaveAttribute('aria-valuetext', '4 Nov 2026 to 11 Nov 2026')
  await part.press('Home')
  await expect(page).toHaveURL(/from=2026-11-01.*to=2026-11-08/)
  await expect(page.getByRole('link', { name: /Whole history/ })).toContainText('1 Nov 2026 – 8 Nov 2026, 8 of 12 runs')
  await expectAccessible(page)

  const box = await part.boundingBox()
  if (box === null) throw new Error('a part expected')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 3, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=2026-11-05.*to=2026-11-12/)
  await page.reload()
  await expect(part).toHaveAttribute('aria-valuetext', '5 Nov 2026 to 12 Nov 2026')

  const touch = await page.context().newCDPSession(page)
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const end = await first.boundingBox()
  if (end === null) throw new Error('an end expected')
  const at = (x: number) => [{ x, y: end.y + end.height / 2 }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(end.x + end.width / 2) })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(end.x + 40) })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(box.x + box.width * 1.2) })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(page).toHaveURL(/from=2026-11-(09|10).*to=2026-11-12/)
  await page.getByRole('link', { name: /Whole history/ }).click()
  await expect(page).not.toHaveURL(/from=/)
})
