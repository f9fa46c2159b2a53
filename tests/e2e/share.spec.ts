import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { documentFile } from './drop'
import { lookAtPages } from './look-at-pages'
import { expect, expectAccessible, expectReadable, expectTheme, makeProject, tabTo, test } from './page'

interface Filled {
  readonly slug: string
  readonly rows: readonly { readonly id: string; readonly scenario: string }[]
}

/** A project with the runs of a document. */
async function fill(page: Page, name: string, document: string): Promise<Filled> {
  const slug = await makeProject(page, name)
  await upload(page, slug, readFileSync(documentFile(document)))
  const { rows } = (await (await page.request.get(`/api/v1/projects/${slug}/runs`)).json()) as Pick<Filled, 'rows'>
  return { slug, rows }
}

/** Uploads a document as curl does. */
async function upload(page: Page, slug: string, data: Buffer): Promise<void> {
  const url = `/api/v1/projects/${slug}/uploads?name=a.md`
  const sent = await page.request.put(url, { data, headers: { accept: 'application/json' } })
  expect(sent.ok()).toBe(true)
}

test('a comparison is shared, opened by an outsider, and revoked', async ({ page, browser, baseURL }) => {
  const { slug, rows } = await fill(page, 'share-flow', 'lambda-dispatcher-vs-direct')
  const pair = rows.filter((run) => run.scenario === 'GET: Text/Plain Ping').map((run) => run.id)
  expect(pair).toHaveLength(2)
  // Outsiders see the project's name, but nothing of its address.
  await page.request.patch(`/api/v1/projects/${slug}`, { data: { name: 'Ping tests' } })

  await page.goto(`/p/${slug}/compare/${pair.join('...')}`)
  const sentence = await page.getByRole('heading', { level: 1 }).innerText()
  await page.waitForLoadState('networkidle')
  await tabTo(page, page.getByRole('button', { name: 'Share', exact: true }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share this comparison' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectTheme(page, 'dark')
  await expectReadable(page)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('For the team')
  await page.keyboard.press('Tab')
  await page.keyboard.type('We keep the **dispatcher**')
  await tabTo(page, dialog.getByRole('button', { name: 'Create link' }))
  await page.keyboard.press('Enter')
  const link = page.getByLabel('Link', { exact: true })
  await expect(link).toBeFocused()
  const url = await link.inputValue()
  expect(url).toMatch(/\/s\/[\w-]{43}$/)
  await expectAccessible(page)
  // The link, followed by key.
  const opening = page.waitForEvent('popup')
  await tabTo(page, page.getByRole('link', { name: 'Open' }))
  await page.keyboard.press('Enter')
  const opened = await opening
  await expect(opened.getByRole('heading', { level: 1 })).toHaveText(sentence)
  await tabTo(opened, opened.getByRole('link', { name: 'CSV' }))
  await opened.close()
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
  await expect(stranger.getByText('dispatcher', { exact: true }).first()).toBeVisible()
  await expect(stranger.getByRole('region', { name: 'Size of each change' }).getByRole('row')).not.toHaveCount(0)
  await expect(stranger.getByRole('img', { name: /Latency by percentile/ })).toBeVisible()
  const own = new URL(url).pathname
  const links = await stranger.locator('a[href]').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
  expect(links.length).toBeGreaterThan(5)
  for (const link of links) expect(link).toMatch(new RegExp(`^(#|${own}[/?#])`))
  for (const link of links.filter((one) => one.startsWith('/'))) {
    expect((await context.request.get(link)).status(), link).toBe(200)
  }
  const preview = await stranger.locator('meta[property="og:image"]').getAttribute('content')
  expect((await context.request.get(preview ?? '')).headers()['content-type']).toBe('image/png')
  expect(await stranger.content()).not.toContain(slug)
  const head = stranger.locator('main header').first()
  for (const words of ['Ping tests', 'For the team', 'n = 1 each', 'One run per side'])
    await expect(head).toContainText(words)
  const dark = await context.request.get(`${own}/preview.png?theme=dark`)
  expect(dark.headers()['content-type']).toBe('image/png')
  expect(await dark.body()).not.toEqual(await (await context.request.get(`${own}/preview.png`)).body())

  await page.goto(`/p/${slug}/shares`)
  const listed = page.getByRole('row', { name: /For the team/ })
  await expect(listed).toContainText('a comparison of 2 runs')
  // Opened from the dialog and by the outsider; a plot as a table is the same view.
  await expect(listed.getByRole('cell').nth(4)).toHaveText('2')
  await expectAccessible(page)
  await tabTo(page, page.getByRole('button', { name: 'Revoke: For the team' }))
  await page.keyboard.press('Enter')
  // The question has the focus; Escape goes back.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Revoke: For the team' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^revoked \d/)).toBeVisible()

  // Revoked, never existing, and not a token at all: the same response.
  const bodies = new Set<string>()
  const scripted = await browser.newContext({ baseURL: baseURL ?? '' })
  const reader = await scripted.newPage()
  for (const token of [own.slice(3), 'A'.repeat(43), ':token', '[token]', 'a%20b', 'a,b']) {
    const gone = await reader.goto(`/s/${token}`)
    expect(gone?.status(), token).toBe(404)
    bodies.add(await reader.locator('main').innerText())
    expect((await context.request.get(`/s/${token}/chart.svg`)).status(), token).toBe(404)
  }
  expect([...bodies]).toHaveLength(1)
  expect([...bodies][0]).toContain('This link does not work')
  await scripted.close()
  await context.close()
})

test("a share is shown in another site's frame if that is allowed, and refused otherwise", async ({
  page,
  browser,
}) => {
  const { slug, rows } = await fill(page, 'share-embed', 'smithy-wrk')
  const wiki = createServer((request, response) => {
    const src = new URL(request.url ?? '', 'http://localhost').searchParams.get('src') ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><title>Wiki</title><h1>Our wiki</h1><iframe src="${encodeURI(src)}" title="Share"></iframe>`,
    )
  })
  await new Promise<void>((resolve) => wiki.listen(0, '127.0.0.1', resolve))
  const address = wiki.address()
  const origin = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
  const context = await browser.newContext()
  const reader = await context.newPage()
  const framed = async (url: string) => {
    await reader.goto(`${origin}/?src=${encodeURIComponent(`${url}/embed`)}`)
    return reader.frameLocator('iframe')
  }
  try {
    const sides = rows.slice(0, 2).map(({ id }) => [id])
    const url = await share(page, slug, { kind: 'comparison', sides })
    await page.goto(url)
    const sentence = await page.getByRole('heading', { level: 1 }).innerText()
    const discovery = page.locator('link[type="application/json+oembed"]')
    await expect(discovery).toHaveCount(0)
    const refused = await framed(url)
    await expect(refused.getByRole('heading', { name: sentence })).toHaveCount(0)
    const none = await context.request.get(`${url}/embed`)
    expect([none.status(), await none.text()]).toEqual([404, 'Not found.\n'])
    expect(none.headers()['content-security-policy']).toContain("frame-ancestors 'none'")

    // Allowed in the list of shares, by key.
    await page.goto(`/p/${slug}/shares`)
    const choice = page.getByRole('checkbox', { name: 'Allow other sites to embed Axe' })
    await tabTo(page, choice)
    await page.keyboard.press('Space')
    await expect(page.getByText('Other sites may embed “Axe”')).toBeVisible()
    await expect(choice).toBeChecked()
    const shown = await framed(url)
    await expect(shown.getByRole('heading', { name: sentence })).toBeVisible()
    await expect(shown.getByRole('img', { name: /Latency by percentile/ })).toBeVisible()
    const opening = reader.waitForEvent('popup')
    await shown.getByRole('link', { name: 'Open in Tailboard' }).click()
    await expect((await opening).getByRole('heading', { level: 1 })).toHaveText(sentence)
    const embed = await context.request.get(`${url}/embed`)
    const { 'content-security-policy': policy = '', 'x-frame-options': options } = embed.headers()
    expect(policy).toContain('frame-ancestors *')
    expect(policy).not.toContain('script-src')
    expect(options).toBeUndefined()
    expect(embed.headers()).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' })
    // Scripts do not run in it, nor does axe: so its page without its headers.
    await page.goto('about:blank')
    await page.setContent(await embed.text())
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectTheme(page, 'dark')
    await expectReadable(page)

    // Programs discover it: they get a frame of at most their size.
    await page.goto(url)
    const found = (await discovery.getAttribute('href')) ?? ''
    const told = (await (await context.request.get(`${found}&maxwidth=400`)).json()) as object
    expect(told).toMatchObject({ version: '1.0', type: 'rich', title: sentence, width: 400, height: 520 })
    expect((told as { html: string }).html).toContain(`<iframe src="${url}/embed" width="400"`)
    const asked = (target: string) =>
      context.request.get(`${new URL(found).origin}/s/oembed?url=${encodeURIComponent(target)}`)
    const secret = await share(page, slug, { kind: 'run', sides: [sides[0]] })
    for (const target of [secret, `${origin}/s/${'A'.repeat(43)}`, url.replace(/.{43}$/, 'A'.repeat(43)), 'x', '']) {
      const answer = await asked(target)
      expect([answer.status(), await answer.text()], target).toEqual([404, 'Not found.\n'])
    }
  } finally {
    await context.close()
    wiki.close()
  }
})

/** Creates a share through the API; returns its link. */
async function share(page: Page, slug: string, wanted: object): Promise<string> {
  const made = await page.request.post(`/api/v1/projects/${slug}/shares`, { data: { name: 'Axe', ...wanted } })
  expect(made.status()).toBe(201)
  return ((await made.json()) as { url: string }).url
}

lookAtPages('shared runs, comparisons and matrices', async (page) => {
  const { slug, rows } = await fill(page, 'share-axe', 'smithy-wrk')
  const ids = rows.map(({ id }) => id)
  const run = await share(page, slug, { kind: 'run', sides: [ids.slice(0, 1)], includeRaw: true })
  const pair = { kind: 'comparison', sides: ids.map((id) => [id]), view: 'slo=5', notes: '**c6g** it is' }
  await page.goto(run)
  await expect(page.getByLabel('Raw output')).toBeVisible()
  const table = { sides: [ids] }
  return [
    run,
    await share(page, slug, pair),
    await share(page, slug, { kind: 'matrix', ...table }),
    await share(page, slug, { kind: 'board', ...table }),
  ]
})

test('a board is shared with its newest runs', async ({ page }) => {
  const { slug } = await fill(page, 'share-board', 'smithy-wrk')
  await page.goto(`/p/${slug}`)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.goto(await page.getByLabel('Link', { exact: true }).inputValue())
  await expect(page.getByText('2 runs', { exact: true })).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(1)
})

test('a matrix is shared as it is shown, and nothing on it links elsewhere', async ({ page, browser, baseURL }) => {
  const { slug } = await fill(page, 'share-grid', 'lambda-dispatcher-vs-direct')
  await page.goto(`/p/${slug}/matrix?metric=p99&base=Direct+Lambda`)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page.getByLabel('Link', { exact: true }).inputValue()

  const context = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false })
  const stranger = await context.newPage()
  const response = await stranger.goto(url)
  expect(response?.headers()).toMatchObject({ 'referrer-policy': 'no-referrer' })
  await expect(stranger.getByRole('heading', { level: 1 })).toContainText(
    'p99 of Lambda Dispatcher is 2.2 % to 18 % lower on GET: Image/Jpeg and POST: Image/Jpeg Echo',
  )
  await expect(stranger.getByText('7 runs', { exact: true })).toBeVisible()
  await expect(stranger.getByRole('columnheader', { name: 'Direct Lambda base' })).toBeVisible()
  await expect(stranger.getByText('not possible').first()).toBeVisible()
  const own = new URL(url).pathname
  const links = await stranger.locator('a[href]').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
  const cells = links.filter((link) => link.startsWith(`${own}?cell=`))
  const files = links.filter((link) => !link.startsWith('#') && !cells.includes(link))
  expect(files.map((link) => link.replace(own, ''))).toEqual(['/table.md', '/data.csv', '/data.json'])
  for (const file of files) expect((await context.request.get(file)).status(), file).toBe(200)
  for (const file of ['chart.svg', 'comparison.html', 'x']) {
    expect((await context.request.get(`${own}/${file}`)).status(), file).toBe(404)
  }
  expect(await stranger.content()).not.toContain(`/p/${slug}`)
  // A cell opens within the share, next to its base or alone, and shows nothing outside the share.
  expect(cells).toHaveLength(10)
  await stranger.getByRole('cell', { name: /333/ }).getByRole('link').click()
  await expect(stranger.getByRole('heading', { level: 1 })).toContainText('p99')
  await expect(stranger.getByRole('list', { name: 'Compared runs' }).getByRole('listitem')).toHaveCount(2)
  expect(await stranger.content()).not.toContain(`/p/${slug}`)
  await stranger.getByRole('link', { name: 'Back to a.md' }).click()
  await expect(stranger).toHaveURL(url)
  for (const refs of ['other', `${'x'.repeat(25)}...y`, '']) {
    expect((await stranger.goto(`${own}?cell=${refs}`))?.status(), refs).toBe(404)
  }
  await context.close()
})

test('a comparison exported as Markdown gives the same runs in another project', async ({ page }) => {
  const { slug, rows } = await fill(page, 'away', 'zlib-gzip')
  const back = await makeProject(page, 'back')
  await page.goto(`/p/${slug}/compare/${rows.map(({ id }) => id).join('...')}`)
  await page.locator('summary').filter({ hasText: 'More actions' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Markdown page' }).click()
  await upload(page, back, readFileSync(await (await downloading).path()))
  const figuresOf = async (slug: string) => {
    const answer = (await (await page.request.get(`/api/v1/projects/${slug}/runs`)).json()) as {
      rows: { tool: string; scenario: string; variant: string; labels: object; figures: object }[]
    }
    return answer.rows
      .map(({ tool, scenario, variant, labels, figures }) => JSON.stringify([tool, scenario, variant, labels, figures]))
      .sort()
  }
  const before = await figuresOf(slug)
  expect(before).toHaveLength(4)
  expect(await figuresOf(back)).toEqual(before)
})
