/** Waits until the clock shows a later millisecond: what is stored next is newer, on a fast machine, too. */
export async function later(): Promise<void> {
  const before = Date.now()
  while (Date.now() <= before) await new Promise((resolve) => setTimeout(resolve, 1))
}
