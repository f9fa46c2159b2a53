import type { Layers } from './layers'
import { roomAt } from './shares-above'

/** Requests of every target that moved far above the others, into a group of their own. */
export interface Lump {
  readonly side: 'base' | 'head'
  /** Their share of that side's requests. */
  readonly share: number
  /** How much of the difference this describes, 0…1; what is left in standard deviations. */
  readonly fit: number
  readonly z: number
  /** Of the lump, the share above the other side's p95: a group of its own, or only a smear. */
  readonly beyond: number
}

/** Below this share of the requests a lump is a tail, from it on a mode. */
export const tailLimit = 0.06
const fewest = 0.006
const roomLog = 0.01
/** Quantiles of the plain side below a mode, and below a tail. */
const grids = [
  [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
  [0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98],
] as const

/** One side = (1−p) · other + p · (far above): then the shares above differ by p · q at the other's quantile q. */
export function lumpOf(layers: Layers): Lump {
  const found = (['head', 'base'] as const).flatMap((side) =>
    grids.map((grid, at) => lumpAt(layers, side, grid, at === 0 ? 'mode' : 'tail')),
  )
  return found.reduce((most, one) => (one.fit > most.fit ? one : most), none('head'))
}

const none = (side: Lump['side']): Lump => ({ side, share: 0, fit: 0, z: 99, beyond: 0 })

function lumpAt(layers: Layers, side: Lump['side'], grid: readonly number[], kind: 'mode' | 'tail'): Lump {
  if (layers.isEmpty) return none(side)
  const points = grid.map((q) => {
    let [difference, room] = [0, 0]
    for (const { value, weight } of layers.layers) {
      const [plain, more] = side === 'head' ? [value.base, value.head] : [value.head, value.base]
      const log = plain.logQuantile(q)
      difference += weight * (more.above(log) - plain.above(log))
      room += weight * roomAt(plain, log, roomLog)
    }
    return { q, difference: difference / layers.weight, room: room / layers.weight, variance: q * (1 - q) }
  })
  const sum = (of: (point: (typeof points)[number]) => number) => points.reduce((total, point) => total + of(point), 0)
  const share =
    sum(({ q, difference, variance }) => (difference * q) / variance) / sum(({ q, variance }) => (q * q) / variance)
  if (share < tailLimit !== (kind === 'tail') || share < fewest) return none(side)
  const leftOf = ({ q, difference, room }: (typeof points)[number]) =>
    Math.max(Math.abs(difference - share * q) - room, 0)
  const z = Math.max(...points.map((point) => leftOf(point) / Math.sqrt(point.variance * layers.variance)))
  const left = sum((point) => leftOf(point) ** 2 / point.variance) / points.length - 0.5 * layers.variance
  const all = sum(({ difference, variance }) => difference ** 2 / variance) / points.length - layers.variance
  const fit = all > 0 ? 1 - Math.max(left, 0) / Math.max(all, 1e-9) : 0
  let beyond = 0
  for (const { value, weight } of layers.layers) {
    const [plain, more] = side === 'head' ? [value.base, value.head] : [value.head, value.base]
    beyond += (weight * (more.above(plain.logQuantile(0.95)) - (1 - share) * 0.05)) / share / layers.weight
  }
  return { side, share, fit, z, beyond }
}
