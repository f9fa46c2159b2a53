import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectTheme, test } from './page'

const themes = ['light', 'dark'] as const

/** The themes, each of them first once: a page loads in one at one width and in the other at the other width. */
const widths = [
  { width: 1440, themesInOrder: themes },
  { width: 390, themesInOrder: themes.toReversed() },
] as const

/** Declares a test per width that checks pages in both themes: one heading, no violation, no sideways scrolling. */
export function lookAtPages(title: string, findPaths: (page: Page) => Promise<readonly string[]>): void {
  for (const { width, themesInOrder } of widths) {
    test(`${title}, ${width} px, light and dark: no violation, no sideways scrolling`, async ({ page }) => {
      test.setTimeout(180_000)
      await page.setViewportSize({ width, height: 900 })
      for (const path of await findPaths(page)) {
        await page.emulateMedia({ colorScheme: themesInOrder[0] ?? null })
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
        for (const colorScheme of themesInOrder) {
          await showTheme(page, colorScheme)
          // Nothing else on a page depends on its theme.
          await expectAccessible(page, colorScheme === themesInOrder[0] ? 'all' : 'of colours')
          const sideways = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          expect(sideways, `${path} ${colorScheme}`).toBeLessThanOrEqual(0)
        }
      }
    })
  }
}

/** Switches the theme as the system's setting does, and waits until no colour is changing. */
async function showTheme(page: Page, colorScheme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expectTheme(page, colorScheme)
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map((transition) => transition.finished))
  })
}
