import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'

/** A page on which any console error, uncaught exception, CSP report or foreign request fails the test. */
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
    })
    await run(page)
    expect(complaints).toEqual([])
  },
})

export { expect }

/** No axe violation (WCAG 2.2 A and AA) on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

/** A project of the test's own, so that tests do not see each other's runs. */
export async function makeProject(page: Page, slug: string): Promise<void> {
  const response = await page.request.post('/api/v1/projects', { data: { name: slug, slug } })
  expect(response.status()).toBe(201)
}
