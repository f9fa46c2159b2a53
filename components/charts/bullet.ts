import type { JudgedState } from '../../lib/run/judged-states'
import type { Bullet } from './plot/rows/bullet'

/** A value and its expected range; all in one unit. */
export interface BulletInput {
  readonly value: number
  /** The level that it is compared with; null: not known. */
  readonly level: number | null
  readonly low: number
  readonly high: number
  /** Judgement of the value; null: none. */
  readonly state: JudgedState | null
  /** The expected range of the level before; absent: the level did not change. */
  readonly before?: { readonly low: number; readonly high: number } | undefined
}

/** Share of the width at each end that the expected range leaves free. */
const margin = 0.22
/** Distance from the ends, as a share of the width, at which a mark is still whole. */
const markEdge = 0.04

/**
 * Places a value in its expected range: the range fills the middle of the axis, and a value far outside is near the
 * end, which is then open; so is the range before. Null when the range has no width to draw.
 */
export function prepareBullet({ value, level, low, high, state, before }: BulletInput): Bullet | null {
  const span = high - low
  if (!(span > 0) || !Number.isFinite(value)) return null
  // Reaches to the value, but the range stays at least a quarter of the axis.
  const reach = (span * margin) / (1 - 2 * margin)
  const [lowest, highest] = [Math.min(value, before?.low ?? value), Math.max(value, before?.high ?? value)]
  const from = Math.max(low - 2 * span, Math.min(low - reach, lowest - 0.12 * span))
  const to = Math.min(high + 2 * span, Math.max(high + reach, highest + 0.12 * span))
  const place = (one: number) => Math.min(1 - markEdge, Math.max(markEdge, (one - from) / (to - from)))
  return {
    low: place(low),
    high: place(high),
    level: level === null || level < low || level > high ? null : place(level),
    value: place(value),
    state,
    before: before === undefined ? null : { low: place(before.low), high: place(before.high) },
  }
}

/** A value, its range and other runs, all in one unit. */
export interface OnLevelInput extends Omit<BulletInput, 'level'> {
  readonly level: number
  readonly others: readonly number[]
}

/** Distances from the level that an axis may reach. */
const reaches = [0.05, 0.1, 0.2, 0.3, 0.5] as const

/** How far from their levels an axis reaches that has all of these, as far as it may: 0.1 is 10 %. */
export function reachOf(all: readonly Omit<OnLevelInput, 'state'>[]): number {
  const largest = Math.max(
    ...all.flatMap(({ value, level, low, high, before, others }) =>
      [value, low, high, ...(before === undefined ? [] : [before.low, before.high]), ...others].map((one) =>
        Math.abs(one / level - 1),
      ),
    ),
  )
  return reaches.find((one) => one >= largest) ?? 0.5
}

/** Places values by their distance from the level, in the middle; what is beyond the axis is at its end. */
export function prepareOnLevel(input: OnLevelInput, reach: number): Bullet {
  const { value, level, low, high, state, before, others } = input
  const place = (one: number) =>
    Math.min(1 - markEdge, Math.max(markEdge, 0.5 + ((one / level - 1) / reach) * (0.5 - markEdge)))
  return {
    ...{ low: place(low), high: place(high), level: place(level), value: place(value), state },
    before: before === undefined ? null : { low: place(before.low), high: place(before.high) },
    others: others.map(place),
  }
}
