import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { heyText } from '../server/feed-series'
import { documentFile } from './drop'
import { expect, expectAccessible, expectTheme, makeProject, tabTo, test } from './page'

const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Find pages, runs and actions' })
const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Page, run or action' })
const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement)
const isActive = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    return id != null && document.getElementById(id)?.getAttribute('aria-selected') === 'true'
  })

test('the palette opens pages and runs without a mouse', async ({ page }) => {
  await page.goto('/p/lambda-dispatcher/runs')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  expect(await isActive(page)).toBe(true)
  await page.keyboard.type('matr')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/p\/lambda-dispatcher\/matrix$/)
  await expect(palette(page)).toBeHidden()

  // Runs are listed by name, the arrow keys move, and Escape restores the focus.
  const opener = page.getByRole('button', { name: /^Search or run a command/ })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('direct')
  const runs = palette(page).getByRole('group', { name: 'Runs' }).getByRole('option')
  await expect(runs.first()).toContainText(' › ')
  await expect(runs.first()).toContainText(/No history|As expected|Worse|Better|Unusual|Failing|Invalid|…/)
  await expectAccessible(page)
  // A project with that name may come first.
  const options = palette(page).getByRole('option')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await field(page).fill('no run is called like this')
  await expect(palette(page).getByRole('status')).toContainText('No matches for')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(opener).toBeFocused()

  await page.keyboard.press('Meta+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('dispatcher ping')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/p\/lambda-dispatcher\/runs\/\w+$/)
})

test("the palette triggers the page's actions, and changes the theme", async ({ page }) => {
  await page.goto('/p/lambda-dispatcher/runs')
  await page.waitForLoadState('networkidle')
  const boxes = page.locator('input[name=run]')
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('compare')
  // What the page can do comes before other pages, whatever is typed.
  await expect(palette(page).getByRole('group').first()).toHaveAttribute('aria-label', 'On this page')
  await page.keyboard.type(' the selected')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/compare\/\w+\.\.\.\w+/)
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectTheme(page, 'dark')
})

test('a chosen theme is remembered, and print is light', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'System theme' }).click()
  await page.getByRole('button', { name: 'Light theme' }).click()
  await expect(page.getByRole('button', { name: 'Dark theme' })).toBeVisible()
  await expectTheme(page, 'dark')
  await page.goto('/learn')
  await page.waitForLoadState('networkidle')
  await expectTheme(page, 'dark')
  await page.emulateMedia({ media: 'print' })
  await expectTheme(page, 'light')
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await page.getByRole('button', { name: 'System theme' }).click()
  await expectTheme(page, 'light')
})

test('a deletion is announced, keeps the focus, and is undone by keys', async ({ page }) => {
  const slug = await makeProject(page, 'toast')
  const data = readFileSync(documentFile('smithy-wrk'))
  await page.request.put(`/api/v1/projects/${slug}/uploads?name=a.md`, {
    data,
    headers: { accept: 'application/json' },
  })
  await page.goto(`/p/${slug}/runs`)
  await page.waitForLoadState('networkidle')
  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect(notifications).toHaveAttribute('aria-live', 'polite')
  await page.locator('input[name=run]').first().check()
  await tabTo(page, page.locator('summary').filter({ hasText: 'More with the selected runs' }))
  await page.keyboard.press('Enter')
  const remove = page.getByRole('button', { name: 'Delete 1 run' })
  await tabTo(page, remove)
  await page.keyboard.press('Enter')
  await expect(notifications).toContainText('1 run deleted')
  await tabTo(page, notifications.getByRole('button', { name: 'Undo' }))
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.locator('input[name=run]')).toHaveCount(2)
  await expect(notifications).toBeEmpty()
  // The focus returns to its place, not to the beginning of the page.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
})

test('/ focuses the search of a list, ? shows the keys, and no key is a shortcut in a field', async ({ page }) => {
  await page.goto('/p/lambda-dispatcher/runs')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox')
  await expect(search).toBeFocused()
  await page.keyboard.type('a/b?')
  await page.keyboard.press('Control+k')
  await expect(search).toHaveValue('a/b?')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await search.blur()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()

  await page.goto('/p/lambda-dispatcher/settings')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
})

test('a document is pasted, reviewed, saved and compared by keys alone', async ({ page }) => {
  const slug = await makeProject(page, 'by-keys')
  await page.goto(`/p/${slug}/upload`)
  await page.waitForLoadState('networkidle')
  await tabTo(page, page.getByLabel('Or paste the output here'))
  await page.keyboard.insertText(readFileSync(documentFile('smithy-wrk'), 'utf8'))
  await tabTo(page, page.getByRole('button', { name: 'Read this text' }))
  await page.keyboard.press('Enter')
  const scenario = page.getByRole('article').first().getByLabel('Scenario')
  await tabTo(page, scenario)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Hollow call')
  await tabTo(page, page.getByRole('button', { name: 'Save 2 runs' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/matrix\?/)

  await page.goto(`/p/${slug}/runs`)
  await page.waitForLoadState('networkidle')
  const boxes = page.locator('input[name=run]')
  for (const at of [0, 1]) {
    await tabTo(page, boxes.nth(at))
    await page.keyboard.press('Space')
  }
  await tabTo(page, page.getByRole('link', { name: 'Compare 2 runs' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/compare\/\w+\.\.\.\w+/)
})

test('a rule is replayed and saved, its alert acknowledged and expected by keys alone', async ({ page }) => {
  const slug = await makeProject(page, 'rule-keys')
  const send = async () =>
    (await page.request.put(`/api/v1/projects/${slug}/uploads?scenario=GET+/&gate=1`, { data: heyText(100) })).status()
  expect(await send()).toBe(200)
  await page.goto(`/p/${slug}/alerts`)
  await page.waitForLoadState('networkidle')
  await tabTo(page, page.locator('main').getByRole('link', { name: 'Rules' }))
  await page.keyboard.press('Enter')
  await tabTo(
    page,
    page.getByRole('navigation', { name: 'What the rule watches' }).getByRole('link', { name: /limit/i }),
  )
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel(/^Limit/))
  await page.keyboard.type('1')
  const confirm = page.getByLabel('Runs in a row')
  await tabTo(page, confirm)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('1')
  await tabTo(page, page.getByRole('button', { name: 'Replay the last 90 days' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('This rule would have fired once in the last 90 days:')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Replay' }).locator('figure')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Save this rule' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/p/${slug}/rules$`))

  // A rule with several metrics: the checkboxes of a group, one after the other.
  await page.goto(`/p/${slug}/rules?kind=change-point#form`)
  await page.waitForLoadState('networkidle')
  const box = (name: string) =>
    page.getByRole('group', { name: 'Latency' }).getByRole('checkbox', { name, exact: true })
  for (const name of ['p95', 'p99']) {
    await tabTo(page, box(name))
    await page.keyboard.press('Space')
  }
  await expectAccessible(page)
  await tabTo(page, page.getByRole('button', { name: 'Replay the last 90 days' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/metric=p95&metric=p99/)
  await expect(page.getByText(/^This rule would not have fired/)).toBeVisible()
  await expect(box('p99')).toBeChecked()
  await expect(box('p90')).not.toBeChecked()

  expect(await send()).toBe(422)
  await page.goto(`/p/${slug}/alerts`)
  await page.waitForLoadState('networkidle')
  await tabTo(page, page.getByRole('table').getByRole('link'))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Acknowledge' }))
  await page.keyboard.press('Enter')
  const state = page.locator('main').getByRole('status')
  await expect(state).toContainText('Acknowledged')
  // Its button is gone: the focus has stayed next to it.
  await expect(page.getByRole('group', { name: 'Change the state' })).toBeFocused()
  const expected = page.getByRole('button', { name: 'Expected: use the new level' })
  await tabTo(page, page.getByLabel('Note'))
  await page.keyboard.type('More work for each request')
  for (let presses = 0; presses < 6 && !(await isFocused(expected)); presses += 1)
    await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(state).toContainText('Expected: new level in use')
  await expect(page.getByText('More work for each request')).toBeVisible()
  await tabTo(page, page.getByRole('group', { name: 'Change the state' }).locator('summary'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
})
