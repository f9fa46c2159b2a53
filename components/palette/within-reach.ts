/** Whether it could be pressed now. */
export const isWithinReach = (element: Element): boolean =>
  (isSeen(element) || isInMenu(element)) && !element.matches(':disabled')

const isSeen = (element: Element): boolean => element.getClientRects().length > 0

/** In a menu that can be opened. */
const isInMenu = (element: Element): boolean => {
  const opener = element.closest('[data-menu]')?.querySelector('summary')
  return opener != null && isSeen(opener)
}
