import { median } from '../stats/robust'
import { evidenceOf, noSums, addSums, stretchSums, type Noise, type Sums } from './step-evidence'

/** A round of GOOD and one commit. */
export interface CommitRound {
  /** The commit's position in the range, from 1. */
  readonly at: number
  /** Whether the commit ran after GOOD. */
  readonly wasSecond: boolean
  /** ln commit − ln GOOD. */
  readonly log: number
}

/** What was known before the first round. */
export interface Known {
  /** Position of BAD. */
  readonly last: number
  /** The change that is expected from GOOD to BAD, on the log scale. */
  readonly expected: number
  /** Deviation of one round's difference, from the certificate. */
  readonly deviation: number
  /** A round's difference scatters at least so much, however alike the values: they are rounded. */
  readonly minDeviation: number
  /** By commit, GOOD first. */
  readonly prior: readonly number[]
}

export interface Posterior {
  /** That BAD is as GOOD. */
  readonly none: number
  /** That there are two steps; 0 where it was not computed. */
  readonly two: number
  /** That each commit brought the change alone, GOOD first. */
  readonly single: readonly number[]
  /** Commits among which the likeliest two steps are, in order; empty where they were not computed. */
  readonly places: readonly number[]
}

const noneRatio = 0.1
const twoRatio = 0.1
/** What the certificate knows counts as so many differences. */
const certificateWeight = 6
/** Values further than so many deviations beyond 0 and the change are drawn in. */
const drawnIn = 3
/** Repeats count by so many deviations at most. */
const maxRepeat = 4
/** A place effect is estimated from more rounds than this. */
const minForPlace = 7

/** Probabilities of where the change is. `withTwo`: also of two steps, which takes longer. */
export function posteriorOf(rounds: readonly CommitRound[], known: Known, withTwo: boolean): Posterior {
  const sigma = Math.max(known.minDeviation, deviationOf(rounds, known.deviation))
  const noise: Noise = { expected: known.expected, sigma }
  const measured = [...new Set(rounds.map(({ at }) => at))].sort((a, b) => a - b)
  const drawn = drawIn(rounds, known, sigma)
  const stretch = stretchSums(measured.map((at) => drawn.filter((round) => round.at === at).reduce(addRound, noSums)))
  // Gap g: from the commit after measured g − 1 to measured g; no data tell the commits of a gap apart.
  const gaps = measured.map((to, g) => ({ from: (measured[g - 1] ?? 0) + 1, to }))
  const mass = gaps.map(({ from, to }) => known.prior.slice(from, to + 1).reduce((sum, one) => sum + one, 0))
  const count = gaps.length
  const log = (probability: number) => Math.log(Math.max(1e-300, probability))
  const massOf = (g: number) => mass[g] ?? 0
  const none = log(noneRatio) + evidenceOf([stretch(0, count)], noise)
  const single = gaps.map(
    (_, g) => log((1 - noneRatio - twoRatio) * massOf(g)) + evidenceOf([stretch(0, g), stretch(g, count)], noise),
  )
  const pairs = withTwo ? gaps.flatMap((_, g) => gaps.slice(g + 1).map((_of, more) => [g, g + 1 + more] as const)) : []
  const two = pairs.map(
    ([g, h]) =>
      log(2 * twoRatio * massOf(g) * massOf(h)) + evidenceOf([stretch(0, g), stretch(g, h), stretch(h, count)], noise),
  )
  const top = Math.max(none, ...single, ...two)
  const weight = (one: number) => Math.exp(one - top)
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + weight(one), 0)
  const whole = weight(none) + sum(single) + sum(two)
  const share = (g: number) => weight(single[g] ?? Number.NEGATIVE_INFINITY) / whole
  return {
    none: weight(none) / whole,
    two: sum(two) / whole,
    places: (pairs[two.indexOf(Math.max(...two))] ?? []).flatMap((g) => commitsOf(gaps[g])),
    single: known.prior.map((prior, at) => {
      const g = gaps.findIndex(({ from, to }) => at >= from && at <= to)
      return g < 0 || massOf(g) === 0 ? 0 : (share(g) * prior) / massOf(g)
    }),
  }
}

const commitsOf = (gap: { readonly from: number; readonly to: number } | undefined): readonly number[] =>
  gap === undefined ? [] : Array.from({ length: gap.to - gap.from + 1 }, (_, at) => gap.from + at)

const signOf = ({ wasSecond }: CommitRound): number => (wasSecond ? 1 : -1)

function addRound(sums: Sums, round: CommitRound): Sums {
  const [o, y] = [signOf(round), round.log]
  return addSums(sums, { n: 1, o, y, oy: o * y, yy: y * y })
}

/** Deviation of a round's difference: the certificate's, and that of repeats of one commit. */
function deviationOf(rounds: readonly CommitRound[], certified: number): number {
  const place =
    rounds.length > minForPlace ? rounds.reduce((sum, round) => sum + signOf(round) * round.log, 0) / rounds.length : 0
  let [squares, df] = [certificateWeight * certified ** 2, certificateWeight]
  for (const at of new Set(rounds.map((round) => round.at))) {
    const values = rounds.filter((round) => round.at === at).map((round) => round.log - place * signOf(round))
    if (values.length < 2) continue
    const centre = values.length > 4 ? median(values) : values.reduce((sum, value) => sum + value, 0) / values.length
    squares += values.reduce((sum, value) => sum + Math.min((value - centre) ** 2, (maxRepeat * certified) ** 2), 0)
    df += values.length - 1
  }
  return Math.sqrt(squares / df)
}

/** Rounds with differences far beyond 0 and the change drawn in. */
function drawIn(rounds: readonly CommitRound[], { last, expected }: Known, sigma: number): readonly CommitRound[] {
  const ofBad = rounds.filter(({ at }) => at === last).map(({ log }) => log)
  const change = ofBad.length === 0 ? expected : median(ofBad)
  const low = Math.min(0, change, expected) - drawnIn * sigma
  const high = Math.max(0, change, expected) + drawnIn * sigma
  return rounds.map((round) => ({ ...round, log: Math.min(high, Math.max(low, round.log)) }))
}
