import { formatChange, roundChange } from '../../../lib/format'
import type { Change } from '../../../lib/experiment/place-effect'
import type { ForestCell, ForestScale } from '../plot/rows/forest'

/** An axis reaches to so many times what matters. */
const reach = 1.8
const pad = 0.04

const placeOn =
  (smallestRatio: number) =>
  (ratio: number): number =>
    Math.min(1, Math.max(0, pad + ((ratio / (reach * smallestRatio) + 1) / 2) * (1 - 2 * pad)))

/** A change with its interval beside what matters: left is less. */
export function prepareInterval({ effectRatio, low, high }: Change, smallestRatio: number): ForestCell {
  const place = placeOn(smallestRatio)
  const [from, to, at] = [place(low), place(high), place(effectRatio)]
  const isBeyond = at <= 0 ? 'left' : at >= 1 ? 'right' : null
  return {
    zone: { left: place(-smallestRatio), right: place(smallestRatio) },
    mark: {
      ...{ tone: 'quiet', at, from, to, isOpen: [from <= 0, to >= 1], beyond: isBeyond },
      text: isBeyond === null ? '' : formatChange(effectRatio),
    },
  }
}

/** The labels of its axis. */
export function intervalScale(smallestRatio: number): ForestScale {
  const place = placeOn(smallestRatio)
  return {
    ticks: [-smallestRatio, 0, smallestRatio].map((ratio) => ({
      ...{ at: place(ratio), text: ratio === 0 ? '0' : roundChange(ratio), isSpare: false },
    })),
  }
}
