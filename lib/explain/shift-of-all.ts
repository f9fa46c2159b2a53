import type { Layers } from './layers'
import type { Move } from './shares-above'

/** The factor or addition, the same for all requests, that leaves the least of a difference. */
export interface ShiftOfAll extends Move {
  /** Distance left, and what is left of the pooled difference in standard deviations. */
  readonly left: number
  readonly z: number
}

/** A level moved by less is not told apart from the shift itself. */
const roomLog = 0.01
const steps = 14

const factors = Array.from({ length: 49 }, (_, at) => -1.2 + at * 0.05)
const additions = Array.from({ length: 16 }, (_, at) => 0.01 * 200 ** (at / 15))

/** `scaleMs`: median of base; additions up to twice as large are tried. */
export function shiftOfAll(layers: Layers, scaleMs: number): ShiftOfAll {
  if (layers.isEmpty) return { left: 1, z: 99, log: 0, addedMs: 0 }
  const byFactor = best(layers, factors, (log) => ({ log, addedMs: 0 }))
  const grid = [...additions.toReversed().map((one) => -one), 0, ...additions].map((one) => one * scaleMs)
  const byAddition = best(layers, grid, (addedMs) => ({ log: 0, addedMs }))
  return byFactor.left <= byAddition.left ? byFactor : byAddition
}

/** The best of a grid, refined between its neighbours by thirds. */
function best(layers: Layers, grid: readonly number[], moveOf: (by: number) => Move): ShiftOfAll {
  const left = (by: number) => layers.distance(moveOf(by), true)
  const values = grid.map(left)
  const at = values.indexOf(Math.min(...values))
  let low = grid[Math.max(at - 1, 0)] ?? 0
  let high = grid[Math.min(at + 1, grid.length - 1)] ?? 0
  for (let step = 0; step < steps; step++) {
    const [lower, upper] = [low + (high - low) / 3, high - (high - low) / 3]
    if (left(lower) < left(upper)) high = upper
    else low = lower
  }
  const move = moveOf((low + high) / 2)
  return { ...move, left: layers.distance(move), z: layers.z(move, roomLog) }
}
