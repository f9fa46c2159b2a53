import { setImmediate as nextTurn } from 'node:timers/promises'

const longestTurnMs = 10

/** As `Array.map`, in turns of the event loop of 10 ms and an item: the contents of a large file hold up no request. */
export async function mapInTimeSlices<T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
): Promise<readonly U[]> {
  const made: U[] = []
  let beganAt = performance.now()
  for (const [index, item] of items.entries()) {
    if (performance.now() - beganAt > longestTurnMs) {
      await nextTurn()
      beganAt = performance.now()
    }
    made.push(map(item, index))
  }
  return made
}
