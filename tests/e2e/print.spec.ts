import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { documentFile } from './drop'
import { expect, expectTheme, makeProject, test } from './page'

/** Px of A4 between its margins. */
const paper = { width: 703, height: 1020 }

test('a run, a comparison and their shares are printed whole: light, without bars, nothing cut', async ({ page }) => {
  test.setTimeout(120_000)
  const slug = await makeProject(page, 'print')
  for (const document of ['smithy-wrk', 'lambda-dispatcher-vs-direct']) {
    const data = readFileSync(documentFile(document))
    const url = `/api/v1/projects/${slug}/uploads?name=${document}.md`
    const sent = await page.request.put(url, { data, headers: { accept: 'application/json' } })
    expect(sent.ok()).toBe(true)
  }
  const listed = await page.request.get(`/api/v1/projects/${slug}/runs`)
  const { rows } = (await listed.json()) as { rows: { id: string; tool: string; scenario: string }[] }
  const pair = rows.filter(({ scenario }) => scenario === 'GET: Text/Plain Ping').map(({ id }) => id)
  expect(pair).toHaveLength(2)
  const share = async (kind: string, sides: readonly (readonly string[])[]) => {
    const made = await page.request.post(`/api/v1/projects/${slug}/shares`, {
      data: { name: 'On paper', kind, sides, includeRaw: true },
    })
    return ((await made.json()) as { url: string }).url
  }
  const wrk = rows.find(({ tool }) => tool === 'wrk')?.id ?? ''
  const pages = [
    `/p/${slug}/runs/${pair[0] ?? ''}`,
    `/p/${slug}/runs/${wrk}`,
    `/p/${slug}/compare/${pair.join('...')}`,
    await share('run', [pair.slice(0, 1)]),
    await share(
      'comparison',
      pair.map((id) => [id]),
    ),
  ]
  await page.setViewportSize(paper)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const path of pages) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expectTheme(page, 'light')
    expect.soft(await page.evaluate(findFaults), path).toEqual([])
    const plots = await page.locator('figure [data-plot-area]').evaluateAll((all) => all.map((one) => one.clientWidth))
    expect(plots.length, path).toBeGreaterThan(0)
    for (const width of plots) expect.soft(width, path).toBeGreaterThan(0.7 * paper.width)
    await expect(page.locator('.print-foot'), path).toContainText(new URL(page.url()).pathname)
    await expectPaper(page)
  }
})

/** It is printed by the browser, on white. */
async function expectPaper(page: Page): Promise<void> {
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const grounds = await page.evaluate(() =>
    ['html', 'body', 'main'].map(
      (name) => getComputedStyle(document.querySelector(name) ?? document.body).backgroundColor,
    ),
  )
  for (const ground of grounds) expect(ground).toMatch(/^rgba?\((255, 255, 255|0, 0, 0, 0\))/)
}

/** What paper must not show: bars that stick, controls, cut text, links that cannot be told from nothing. */
function findFaults(): readonly string[] {
  const faults: string[] = []
  const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter((one) => one.checkVisibility())
  for (const one of shown) {
    const { position, overflowX, overflowY, clip, color } = getComputedStyle(one)
    const name = `${one.tagName.toLowerCase()}.${one.className} “${(one.textContent ?? '').slice(0, 40)}”`
    const box = one.getBoundingClientRect()
    const isHidden = one.closest('.visually-hidden, .skip-link') !== null || clip !== 'auto' || box.width < 2
    if (isHidden || one.closest('svg') !== null) continue
    if (position === 'fixed' || position === 'sticky') faults.push(`sticks: ${name}`)
    // A legend names the lines of its plot; what differs is on the chips themselves.
    const isNamed = one.matches('li > button[aria-pressed]') || one.closest('[aria-label="What differs"]') !== null
    if (!isNamed && one.matches('button, input, select, textarea, summary')) faults.push(`control: ${name}`)
    if (box.right > window.innerWidth + 1) faults.push(`beyond the paper: ${name}`)
    const isCut = one.scrollWidth > one.clientWidth + 1 && overflowX !== 'visible' && one.clientWidth > 0
    const isLow = one.scrollHeight > one.clientHeight + 1 && ['auto', 'scroll', 'hidden'].includes(overflowY)
    if (isCut || (isLow && one.clientHeight > 0)) faults.push(`cut: ${name}`)
    const parts = /rgba?\((\d+), (\d+), (\d+)/.exec(color)?.slice(1).map(Number) ?? []
    if (one.matches('a[href]') && parts.reduce((sum, part) => sum + part, 0) > 3 * 128) faults.push(`pale: ${name}`)
  }
  return faults
}
