import { formatFactor } from '../../lib/format'
import { shownDirection, type Delta } from '../../lib/judge/delta'
import type { Metric } from '../../lib/run/metrics'
import type { ForestCell, ForestScale } from './plot/rows/forest'

/** What a mark shows of a delta: size, interval, margin and judgement. */
export type ForestDelta = Pick<
  Delta,
  'factor' | 'lowRatio' | 'highRatio' | 'marginRatio' | 'method' | 'verdict' | 'leaning' | 'reason'
>

/** A metric with one delta per candidate. */
export interface ForestRow {
  readonly metric: Pick<Metric, 'unit' | 'direction'>
  readonly deltas: readonly ForestDelta[]
}

/** The size of each change, drawn on one axis: how many times better; right is better for every metric. */
export interface Forest {
  readonly scale: ForestScale
  /** A row of cells per metric, a cell per candidate, in their order. */
  readonly rows: readonly (readonly ForestCell[])[]
  /** Whether a mark is drawn hollow: without an interval, on the axis. */
  readonly hasHollow: boolean
}

/** How far an axis reaches to each side, and its labels; the last one is the widest. */
const spans: readonly { readonly reach: number; readonly ticks: readonly number[] }[] = [
  { reach: 1.12, ticks: [1.05, 1.1] },
  { reach: 1.25, ticks: [1.1, 1.2] },
  { reach: 1.6, ticks: [1.2, 1.5] },
  { reach: 2.4, ticks: [1.5, 2] },
  { reach: 4.8, ticks: [2, 4] },
  { reach: 11, ticks: [2, 5, 10] },
]
/** Room at both ends for marks, as a share of the width. */
const pad = 0.05

/** As times better; null: nothing is drawn. An open end is 0 or Infinity. */
interface Better {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

/** Prepares the size of each change; marks beyond the widest axis become arrows with their number. */
export function prepareForest(rows: readonly ForestRow[]): Forest {
  const estimates = rows.flatMap(({ metric, deltas }) =>
    deltas.flatMap((delta) => {
      const better = betterOf(metric, delta)
      return better === null ? [] : Math.abs(Math.log(better.estimate))
    }),
  )
  const widest = spans.at(-1) ?? { reach: 11, ticks: [] }
  // Estimates beyond the widest axis must not squeeze the others in its middle.
  const reached = Math.max(0, ...estimates.filter((one) => one <= Math.log(widest.reach)))
  const { reach, ticks } = spans.find((one) => reached <= Math.log(one.reach)) ?? widest
  const place = (times: number): number => {
    const share = (Math.log(times) / Math.log(reach) + 1) / 2
    return Math.min(1, Math.max(0, pad + share * (1 - 2 * pad)))
  }
  const right = ticks.map((times, at) => ({
    at: place(times),
    text: `×${times}`,
    isSpare: at < ticks.length - 1,
  }))
  const left = ticks.map((times, at) => ({ at: place(1 / times), text: `×${times}`, isSpare: at < ticks.length - 1 }))
  const cells = rows.map(({ metric, deltas }) =>
    deltas.map((delta) => {
      const better = betterOf(metric, delta)
      // Colour is for what is called better or worse beside it.
      const tone = shownDirection(delta, metric) ?? 'quiet'
      return {
        zone: metric.unit === 'ratio' ? null : zoneOf(delta, place),
        mark: better === null ? null : markOf(tone, better, place),
      }
    }),
  )
  return {
    scale: { ticks: [...left.toReversed(), { at: 0.5, text: 'same', isSpare: false }, ...right] },
    rows: cells,
    hasHollow: cells.flat().some(({ mark }) => mark !== null && mark.from === null && mark.beyond === null),
  }
}

/** The change as times better; null if no ratio expresses it (shares, division by 0) or no verdict is allowed. */
function betterOf({ unit, direction }: ForestRow['metric'], delta: ForestDelta): Better | null {
  const { factor, lowRatio, highRatio, reason, verdict } = delta
  if (unit === 'ratio' || direction === 'neutral' || verdict === 'unknown' || reason !== null) return null
  if (factor === null || !(factor > 0) || !Number.isFinite(factor)) return null
  const isHigherBetter = direction === 'higher-is-better'
  const hasInterval = lowRatio !== null || highRatio !== null
  const low = hasInterval ? (lowRatio === null ? 0 : Math.max(0, 1 + lowRatio)) : factor
  const high = hasInterval ? (highRatio === null ? Infinity : 1 + highRatio) : factor
  return isHigherBetter
    ? { estimate: factor, low, high }
    : { estimate: 1 / factor, low: 1 / high, high: low === 0 ? Infinity : 1 / low }
}

function zoneOf({ marginRatio }: ForestDelta, place: (times: number) => number): ForestCell['zone'] {
  return marginRatio === null ? null : { left: place(1 / (1 + marginRatio)), right: place(1 + marginRatio) }
}

function markOf(
  tone: NonNullable<ForestCell['mark']>['tone'],
  better: Better,
  place: (times: number) => number,
): NonNullable<ForestCell['mark']> {
  const { estimate, low, high } = better
  const at = place(estimate)
  const [from, to] = [place(low), place(high)]
  return {
    tone,
    at,
    from: low === high ? null : from,
    to: low === high ? null : to,
    isOpen: [from <= 0, to >= 1],
    beyond: at <= 0 ? 'left' : at >= 1 ? 'right' : null,
    text: formatFactor(estimate < 1 ? 1 / estimate : estimate),
  }
}
