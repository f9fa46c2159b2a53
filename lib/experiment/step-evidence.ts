/** Sums over rounds of GOOD and one commit: y = ln commit − ln GOOD, o = 1 if the commit ran second, else −1. */
export interface Sums {
  readonly n: number
  readonly o: number
  readonly y: number
  readonly oy: number
  readonly yy: number
}

export const noSums: Sums = { n: 0, o: 0, y: 0, oy: 0, yy: 0 }
export const addSums = (a: Sums, b: Sums): Sums => ({
  ...{ n: a.n + b.n, o: a.o + b.o, y: a.y + b.y, oy: a.oy + b.oy, yy: a.yy + b.yy },
})
const subtract = (a: Sums, b: Sums): Sums => ({
  ...{ n: a.n - b.n, o: a.o - b.o, y: a.y - b.y, oy: a.oy - b.oy, yy: a.yy - b.yy },
})

/** Of half of a place effect, on the log scale. */
const placeDeviation = 0.05
/** Of the level at the end, and of one between two steps, as parts of the expected change. */
const endDeviation = 0.3
const middleDeviation = 0.15

/** What the evidence is measured by. */
export interface Noise {
  /** The change from GOOD to BAD that is expected, on the log scale; not 0. */
  readonly expected: number
  /** Deviation of one round's difference. */
  readonly sigma: number
}

/**
 * Log marginal likelihood of commits in stretches: the first is as GOOD, each later one has a level of its own, normal
 * around its share of the expected change; one place effect is common to all. Levels touch only the place effect, so the
 * matrix of the normal equations is an arrow, and is eliminated in one pass.
 */
export function evidenceOf(stretches: readonly Sums[], { expected, sigma }: Noise): number {
  const variance = sigma * sigma
  const all = stretches.reduce(addSums, noSums)
  const place = { precision: placeDeviation ** -2 + all.n / variance, pull: all.oy / variance }
  let twice = -2 * Math.log(placeDeviation) - all.yy / variance
  stretches.slice(1).forEach((sums, at, levels) => {
    const isEnd = at === levels.length - 1
    const mean = (expected * (at + 1)) / levels.length
    const spread = ((isEnd ? endDeviation : middleDeviation) * expected) ** 2
    const precision = sums.n / variance + 1 / spread
    const [shared, pull] = [sums.o / variance, sums.y / variance + mean / spread]
    place.precision -= (shared * shared) / precision
    place.pull -= (shared * pull) / precision
    twice += (pull * pull) / precision - Math.log(precision) - Math.log(spread) - (mean * mean) / spread
  })
  twice += (place.pull * place.pull) / place.precision - Math.log(place.precision)
  return 0.5 * twice - all.n * Math.log(sigma)
}

/** Sums of stretches of a list, from those of its beginnings. */
export function stretchSums(parts: readonly Sums[]): (from: number, to: number) => Sums {
  const beginnings = [noSums]
  for (const part of parts) beginnings.push(addSums(beginnings.at(-1) ?? noSums, part))
  return (from, to) => subtract(beginnings[to] ?? noSums, beginnings[from] ?? noSums)
}
