import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test as base, expect, type JSHandle, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'

/** A page on which any console error, uncaught exception, CSP report, foreign request or prefetch fails the test. */
export const test = base.extend<{ page: Page }>({
  page: async ({ page, baseURL }, run) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(baseURL ?? '') && /^https?:/.test(url)) complaints.push(`foreign request: ${url}`)
      if (request.headers()['next-router-prefetch'] !== undefined) complaints.push(`fetched ahead: ${url}`)
    })
    await run(page)
    expect(complaints).toEqual([])
  },
})

export { expect }

const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Rules whose verdict depends on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** No axe violation (WCAG 2.2 A and AA) on the page in its current state. */
export async function expectAccessible(page: Page): Promise<void> {
  // After a step within the app, the title arrives a moment after the page.
  await expect(page).toHaveTitle(/./)
  expect(await violationsOf(page, { runOnly: { type: 'tag', values: wcag } })).toEqual([])
}

/** No violation of a rule about colours: on the page, which is accessible in its other theme, or on these elements. */
export async function expectReadable(page: Page, elements?: JSHandle<Element[]>): Promise<void> {
  expect(await violationsOf(page, { runOnly: { type: 'rule', values: colourRules } }, elements)).toEqual([])
}

/** Each violated rule with its elements. Axe is sent once to a document, and spends no time on describing passes. */
async function violationsOf(page: Page, rules: axe.RunOptions, elements?: JSHandle<Element[]>): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(
    async ({ options, include }) => {
      const { run } = Reflect.get(window, 'axe') as typeof axe
      const { violations } = await run(include ?? document, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    },
    { options: { ...rules, resultTypes: ['violations' as const] }, include: elements },
  )
}

/** Expects the page in a theme: whatever chose it, its background is light or dark. */
export async function expectTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  const ground = () => page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
  const brightness = async () =>
    (await ground())
      .match(/\d+/g)
      ?.slice(0, 3)
      .reduce((sum, part) => sum + Number(part), 0)
  await expect.poll(brightness)[theme === 'light' ? 'toBeGreaterThan' : 'toBeLessThan'](3 * 128)
}

/** A new project for the test, so that tests do not see each other's runs; its slug: `name` with a random number. */
export async function makeProject(page: Page, name: string): Promise<string> {
  const slug = `${name}-${randomInt(1_000_000_000)}`
  const response = await page.request.post('/api/v1/projects', { data: { name: slug, slug } })
  expect(response.status()).toBe(201)
  return slug
}

/** Moves the focus to an element like a person without a mouse: forwards only, and the focus must be visible there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  const place = () =>
    target.evaluate((element) => {
      const active = document.activeElement
      if (active === null || active === document.body) return 'ahead'
      if (active === element) return 'here'
      return active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING ? 'ahead' : 'behind'
    })
  for (let presses = 0; presses < 120 && (await place()) === 'ahead'; presses += 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
  // Polled, because an element that has just appeared may still be moving.
  await expect.poll(() => target.evaluate(isInSight), `the focus on ${String(target)} is in sight`).toBe(true)
}

/** Whether an outline is drawn around an element, and nothing covers its centre. */
function isInSight(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  const hit = document.elementFromPoint(left + width / 2, top + height / 2)
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return hit !== null && element.contains(hit) && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
}

/** Words of two letters and more that are visible without scrolling, in text and drawings; figures and their units do not count. */
export async function wordsInSight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const isWord = (text: string) => /\p{L}{2}/u.test(text) && !/^([µm]s|[kMG]i?B)$/.test(text)
    let words = 0
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const holder = node.parentElement
      // Text for screen readers only is clipped to a point; collapsed text is not rendered.
      if (holder === null || holder.closest('.visually-hidden, script, style') || !holder.checkVisibility()) continue
      range.selectNodeContents(node)
      const { top, bottom, left, right, width } = range.getBoundingClientRect()
      const isInside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
      if (isInside && width > 1) words += (node.nodeValue ?? '').split(/\s+/).filter(isWord).length
    }
    return words
  })
}

/** Chooses an option of a choice, as a mouse does. */
export async function choose(choice: Locator, option: string): Promise<void> {
  await choice.click()
  await choice.page().getByRole('option', { name: option, exact: true }).click()
  await expect(choice).toHaveText(option)
}
