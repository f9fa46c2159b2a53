import { execFile } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import { makeFolderForBrowser } from '../sampled-folder'
import { startApp, type RunningApp } from '../server/app'
import { lookAtPages } from './look-at-pages'
import { choose, expect, expectAccessible, tabTo, test } from './page'

/** Separate from the server of the other specs; its links contain its port, so the port is fixed. */
const port = Number(process.env.TAILBOARD_E2E_PORT ?? 3177) + 1
const origin = `http://localhost:${port}`
const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' }
const eve = { name: 'Eve Editor', email: 'eve@example.com', password: 'staple correct horse' }

test.describe.configure({ mode: 'serial' })
test.use({ baseURL: origin })

let app: RunningApp
let dataFolder = ''
test.beforeAll(async () => {
  test.setTimeout(180_000)
  dataFolder = makeFolderForBrowser('accounts')
  const env = { TAILBOARD_AUTH: 'on', TAILBOARD_SECRET_KEY: 'of the tests, 32 characters long', PORT: String(port) }
  app = await startApp({ dataFolder, env })
})
test.afterAll(async () => {
  await app.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Fills in the invitation form, with the keyboard only. */
async function join(page: Page, link: string, { name, email, password }: typeof ada): Promise<void> {
  await page.goto(link)
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  if ((await page.getByLabel('E-mail').inputValue()) === '') await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
}

async function signIn(page: Page, { email, password } = ada): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('/')
}

/** Another person, in a separate browser. */
async function other(browser: Browser): Promise<Page> {
  return (await browser.newContext({ baseURL: origin })).newPage()
}

const uploadLink = (page: Page) => page.getByRole('link', { name: 'Upload', exact: true })

test('from the first start to an upload from CI, and who did it', async ({ page, browser }) => {
  test.setTimeout(180_000)
  const [setUp] = /\/invitations\/[\w-]+/.exec(app.output()) ?? []
  if (setUp === undefined) throw new Error(`no link for the owner in ${app.output()}`)
  // Without a session every page leads to the sign-in page.
  await page.goto('/p/zlib-gzip')
  await expect(page).toHaveURL('/sign-in?next=%2Fp%2Fzlib-gzip')
  // Masked, recognised by password managers, and accepting paste.
  const password = page.getByLabel('Password')
  await expect(password).toHaveAttribute('type', 'password')
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await password.focus()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'pasted')
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    Reflect.set(window, 'isPasted', document.activeElement?.dispatchEvent(paste))
  })
  expect(await page.evaluate(() => Reflect.get(window, 'isPasted'))).toBe(true)
  await join(page, setUp, ada)
  await expect(page).toHaveURL('/')

  await page.goto('/?new=1')
  await expect(page.getByLabel('Name of the new project')).toBeFocused()
  await page.getByLabel('Name of the new project').fill('Web shop')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL('/p/web-shop')

  // An editor, by invitation.
  await page.goto('/p/web-shop/members')
  await page.getByLabel('E-mail').fill(eve.email)
  await choose(page.getByRole('combobox', { name: 'Role', exact: true }), 'editor')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const invitation = (await page.getByLabel('The link', { exact: true }).textContent()) ?? ''
  expect(invitation).toContain(`${origin}/invitations/`)
  await expect(page.getByRole('region', { name: 'Open invitations' })).toContainText(eve.email)
  const second = await other(browser)
  await join(second, invitation, eve)
  await expect(second).toHaveURL('/p/web-shop')
  await expect(uploadLink(second)).toBeVisible()
  await second.goto('/p/web-shop/settings')
  const sections = second.getByRole('navigation', { name: 'Sections' })
  await expect(sections.getByRole('link', { name: 'Members' })).toBeVisible()
  await expect(sections.getByRole('link', { name: 'General' })).toHaveCount(0)
  await expect(second.getByRole('link', { name: 'Audit log' })).toHaveCount(0)
  await expect(second.getByLabel('Name of the project')).toHaveCount(0)
  for (const hidden of ['/p/web-shop/audit', '/people', '/people/audit', '/p/zlib-gzip'])
    expect((await second.goto(hidden))?.status(), hidden).toBe(404)

  // A role applies from the next page on.
  await page.reload()
  await choose(page.getByLabel(`Role of ${eve.name}`), 'viewer')
  await expect(page.getByText(`${eve.name} is viewer now`)).toBeVisible()
  await second.goto('/p/web-shop/runs')
  await expect(second.getByRole('heading', { name: 'No runs yet' })).toBeVisible()
  await expect(uploadLink(second)).toHaveCount(0)
  const planned = await page.request.post('/api/v1/projects/web-shop/experiments', {
    headers: { origin },
    data: { question: 'Is it faster?', base: 'main', head: 'branch' },
  })
  const { id: experiment } = (await planned.json()) as { id: string }
  await second.goto(`/p/web-shop/experiments/${experiment}`)
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('Is it faster?')
  await expect(second.getByRole('button', { name: /^Stop/ })).toHaveCount(0)
  await second.goto('/p/web-shop/experiments')
  await expect(second.getByRole('table', { name: 'Experiments' })).toContainText('Is it faster?')
  await expect(second.getByRole('link', { name: 'New experiment' })).toHaveCount(0)
  await second.goto('/p/web-shop/experiments/new')
  await expect(second.getByLabel('Question')).toHaveCount(0)
  await second.context().close()

  // A token, and the exact command that the page shows.
  await page.goto('/account')
  await expect(page.getByRole('region', { name: 'Sessions' })).toContainText('this browser')
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create token' }) })
  await form.getByLabel('Name').fill('nightly CI')
  await choose(form.getByRole('combobox', { name: 'Project' }), 'Web shop')
  await form.getByRole('button', { name: 'Create token' }).click()
  const token = (await page.getByLabel('The token', { exact: true }).textContent()) ?? ''
  expect(token).toMatch(/^tailboard_\w{36}$/)
  const command = (await page.getByLabel('curl command').textContent()) ?? ''
  copyFileSync('tests/fixtures/hey-text/four-status-codes.txt', path.join(dataFolder, 'out.txt'))
  const env = { ...process.env, TAILBOARD_TOKEN: token }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: dataFolder, env })
  expect(stdout).toMatch(new RegExp(`^${origin}/p/web-shop/runs/\\w+\\n`))
  await page.reload()
  const row = page.getByRole('row', { name: /nightly CI/ })
  await expect(row).not.toContainText('never')
  await expect(row).not.toContainText(token)

  await page.goto('/p/web-shop/audit')
  const log = page.getByRole('region', { name: 'Audit log' })
  await expect(log.getByRole('row', { name: /created a project Web shop/ })).toContainText(ada.name)
  await expect(log.getByRole('row', { name: `changed the role of a member ${eve.name}, viewer` })).toBeVisible()
  const uploaded = log.getByRole('row', { name: /uploaded output/ })
  await expect(uploaded).toContainText(`${ada.name} (token nightly CI)`)
  await uploaded.getByRole('link', { name: 'uploaded output' }).click()
  await expect(page).toHaveURL(/\/p\/web-shop\/runs\?upload=/)
  await expect(page.getByRole('checkbox', { name: /^Select /i }).first()).toBeVisible()

  // Changing the password ends sessions elsewhere, and the selected tokens.
  await page.goto('/account')
  const change = page.locator('form', { has: page.getByRole('button', { name: 'Change password' }) })
  await expect(change.getByRole('checkbox', { name: 'Sessions in other browsers' })).toBeChecked()
  const nightly = change.getByRole('checkbox', { name: /API token nightly CI/ })
  await expect(nightly).not.toBeChecked()
  await nightly.check()
  await change.getByLabel('Current password').fill(ada.password)
  await change.getByLabel(/New password/).fill(ada.password)
  await change.getByRole('button', { name: 'Change password' }).click()
  await expect(change.getByRole('status')).toHaveText('Changed. Other sessions are signed out. 1 token revoked.')
  await expect(nightly).toHaveCount(0)

  // Signing out without a mouse.
  await page.goto('/account')
  const menu = page.locator('summary', { hasText: ada.name })
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
  await tabTo(page, menu)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Sign out', exact: true }).first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/sign-in')
  await page.goto('/account')
  await expect(page).toHaveURL('/sign-in?next=%2Faccount')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('people sign in, and out again', async ({ page }) => {
    await page.goto('/sign-in?next=%2Faccount')
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password').fill('not her password')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('The e-mail address or the password is wrong.')
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password').fill(ada.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/account')
    await page.locator('summary', { hasText: ada.name }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await expect(page).toHaveURL('/sign-in')
  })
})

lookAtPages('accounts, members, people and audit logs', async (page) => {
  await signIn(page)
  return ['/account', '/p/web-shop/members', '/p/web-shop/audit', '/people', '/people/audit']
})

lookAtPages('the sign-in page', () => Promise.resolve(['/sign-in', '/sign-in?error=wrong']))
