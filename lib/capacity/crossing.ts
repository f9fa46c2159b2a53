import type { HeldLevels } from './held-levels'
import type { Level } from './levels'

type Curve = Pick<HeldLevels, 'rising' | 'isShare'>

/**
 * The load at which a rising curve first leaves a limit; 0: it never was inside, Infinity: it does not leave it. Between
 * two levels 1/latency falls linearly with the rate of an open loop (exact for M/M/1), log latency rises with the log of
 * the connections of a closed one, and log share with the log of the load.
 */
export function crossingOf({ rising, isShare }: Curve, levels: readonly Level[], limit: number): number {
  const isOpen = levels[0]?.runs[0]?.loop === 'open'
  const points = levels.flatMap(({ load }, at) => {
    const y = rising[at] ?? null
    return y === null ? [] : [{ x: load, y }]
  })
  for (const [index, to] of points.entries()) {
    const from = points[index - 1]
    if (from === undefined || from.y > limit || to.y <= limit) continue
    if (isShare) {
      // A share of 0 has no logarithm.
      const log = (share: number) => Math.log(share + limit / 10)
      return from.x * (to.x / from.x) ** ((log(limit) - log(from.y)) / (log(to.y) - log(from.y)))
    }
    if (!isOpen) return from.x * (to.x / from.x) ** (Math.log(limit / from.y) / Math.log(to.y / from.y))
    return from.x + ((1 / from.y - 1 / limit) / (1 / from.y - 1 / to.y)) * (to.x - from.x)
  }
  const last = points.at(-1)
  return last !== undefined && last.y <= limit ? Number.POSITIVE_INFINITY : 0
}
