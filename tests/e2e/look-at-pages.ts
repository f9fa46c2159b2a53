import type { JSHandle, Page } from '@playwright/test'
import { expect, expectAccessible, expectReadable, expectTheme, test } from './page'

interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}
const wideLight: Look = { width: 1440, colorScheme: 'light' }
const narrowDark: Look = { width: 390, colorScheme: 'dark' }

/**
 * Declares a test that checks pages at two widths in both themes: one heading, no violation, no sideways scrolling. A
 * page is loaded once, every second one on a phone: no code asks for the width or the theme. All rules are checked once
 * per width; in the theme that is left, the colours of what the other width, which was checked in it, does not show.
 */
export function lookAtPages(title: string, findPaths: (page: Page) => Promise<readonly string[]>): void {
  test(`${title}, 1440 and 390 px, light and dark: no violation, no sideways scrolling`, async ({ page }) => {
    test.setTimeout(180_000)
    // The frame is the same on each page.
    const readable = new Set<string>()
    for (const [at, path] of (await findPaths(page)).entries()) {
      const [first, second] = at % 2 === 0 ? [wideLight, narrowDark] : [narrowDark, wideLight]
      await show(page, first)
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
      const shownFirst = await lookAt(page, path, first)
      const shownSecond = await lookAt(page, path, second)
      await lookAtRest(page, { ...second, colorScheme: first.colorScheme }, [shownSecond, shownFirst], readable)
      await lookAtRest(page, { ...first, colorScheme: second.colorScheme }, [shownFirst, shownSecond], readable)
    }
  })
}

async function show(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  // From the top, also if the address leads to a section: elsewhere the bar covers parts of what is below it.
  await page.evaluate(() => window.scrollTo(0, 0))
}

/** Shows the page so and checks it. Answers with the elements that show text. */
async function lookAt(page: Page, path: string, look: Look): Promise<JSHandle<Element[]>> {
  await show(page, look)
  await expectTheme(page, look.colorScheme)
  await waitForColours(page)
  await expectAccessible(page)
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(sideways, `${path} at ${look.width}`).toBeLessThanOrEqual(0)
  return page.evaluateHandle(findTexts)
}

/**
 * Checks the colours of the elements that only one width shows, without those of the frame that are known to be
 * readable.
 */
async function lookAtRest(
  page: Page,
  look: Look,
  [shown, elsewhere]: readonly [JSHandle<Element[]>, JSHandle<Element[]>],
  readable: Set<string>,
): Promise<void> {
  const rest = await page.evaluateHandle(
    ({ shown, elsewhere, known }) => {
      const checked = new Set(elsewhere)
      const isKnown = (element: Element) => element.closest('main') === null && known.includes(element.outerHTML)
      return shown.filter((element) => !checked.has(element) && !isKnown(element))
    },
    { shown, elsewhere, known: [...readable] },
  )
  const texts = await rest.evaluate((elements) => elements.map(({ outerHTML }) => outerHTML))
  if (texts.length === 0) return
  await show(page, look)
  await expectTheme(page, look.colorScheme)
  await waitForColours(page)
  await expectReadable(page, rest)
  for (const text of texts) readable.add(text)
}

/** Waits until no colour is changing. */
async function waitForColours(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map((transition) => transition.finished))
  })
}

/** The fields, and the elements with text of their own, that are shown; text for screen readers is clipped away. */
function findTexts(): Element[] {
  const all = [...document.body.querySelectorAll('*')]
  const clipped = all.filter((element) => getComputedStyle(element).clipPath === 'inset(50%)')
  return all.filter(
    (element) =>
      (element.matches('input, select, textarea') ||
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())) &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !clipped.some((hidden) => hidden.contains(element)),
  )
}
