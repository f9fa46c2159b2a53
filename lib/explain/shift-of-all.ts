import { logWidth } from '../cube/buckets'
import type { Layers } from './layers'
import type { Move } from './shares-above'

/** The factor or addition, the same for all requests, that leaves the least of a difference. */
export interface ShiftOfAll extends Move {
  /** Distance left, and what is left of the pooled difference in standard deviations. */
  readonly left: number
  readonly z: number
}

/** A level moved by less than a bucket is not told apart from the shift itself. */
const roomLog = logWidth
const steps = 14
const mostMedians = 3

const factors = Array.from({ length: 49 }, (_, at) => -1.2 + at * 0.05)
const additions = Array.from({ length: 16 }, (_, at) => 0.01 * 200 ** (at / 15))

/** `scaleMs`: median of base; additions up to twice as large are tried. */
export function shiftOfAll(layers: Layers, scaleMs: number): ShiftOfAll {
  if (layers.isEmpty) return { left: 1, z: 99, log: 0, addedMs: 0 }
  const moves = movesOfMedians(layers)
  const byFactor = best(layers, [...factors, ...moves.map(({ log }) => log)], (log) => ({ log, addedMs: 0 }))
  const around = [...additions.map((one) => -one), 0, ...additions].map((one) => one * scaleMs)
  const byAddition = best(layers, [...around, ...moves.map(({ addedMs }) => addedMs)], (addedMs) => ({
    log: 0,
    addedMs,
  }))
  return byFactor.left <= byAddition.left ? byFactor : byAddition
}

/** Of the targets with the most traffic: latencies that hardly vary fit at one move alone, which no grid would meet. */
const movesOfMedians = ({ layers }: Layers): readonly Move[] =>
  layers
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, mostMedians)
    .map(({ value: { base, head } }) => ({
      log: head.logQuantile(0.5) - base.logQuantile(0.5),
      addedMs: head.quantileMs(0.5) - base.quantileMs(0.5),
    }))

/** The best of some moves, refined between its neighbours by thirds. */
function best(layers: Layers, moves: readonly number[], moveOf: (by: number) => Move): ShiftOfAll {
  const left = (by: number) => layers.distance(moveOf(by), true)
  const grid = moves.toSorted((one, other) => one - other)
  const values = grid.map(left)
  const at = values.indexOf(Math.min(...values))
  let low = grid[Math.max(at - 1, 0)] ?? 0
  let high = grid[Math.min(at + 1, grid.length - 1)] ?? 0
  for (let step = 0; step < steps; step++) {
    const [lower, upper] = [low + (high - low) / 3, high - (high - low) / 3]
    if (left(lower) < left(upper)) high = upper
    else low = lower
  }
  const refined = (low + high) / 2
  // Where nothing else fits, thirds may miss it.
  const move = moveOf(left(refined) <= Math.min(...values) ? refined : (grid[at] ?? 0))
  return { ...move, left: layers.distance(move), z: layers.z(move, roomLog) }
}
