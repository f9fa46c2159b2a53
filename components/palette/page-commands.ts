import type { PaletteItem } from './palette-items'

/**
 * What the page in front offers: its visible links and buttons with `data-command`, by that name. To choose one is to click
 * it, so that the palette does what the page does and nothing else.
 */
export function pageCommands(page: Document): readonly PaletteItem[] {
  return [...page.querySelectorAll<HTMLElement>('[data-command]')]
    .filter((element) => element.getClientRects().length > 0 && !element.matches(':disabled'))
    .map((element, at) => {
      const name = element.dataset.command ?? ''
      const does = { kind: 'run', action: () => element.click() } as const
      return { id: `command ${at} ${name}`, group: 'On this page', name, detail: null, does }
    })
}
