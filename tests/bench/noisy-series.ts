/**
 * Generated series with and without a step, for judging the detector: the same seed gives the same series everywhere.
 */
import { randomFrom } from '../fuzz/random'

export interface NoisySeries {
  readonly family: string
  readonly values: readonly number[]
  /** First runs of new levels; empty: nothing changed. */
  readonly changes: readonly number[]
}

/**
 * `same`: the kinds in the labelled set; `other`: two modes with other shares, rounded, other autocorrelation, steps
 * down; `straying`: runs leave their level and stay away for a while, and nothing changes.
 */
export type SeriesKinds = 'same' | 'other' | 'straying'

type Normal = () => number

/** Relative noise of about `spread` (standard deviation of the logarithm), one value per run. */
export const families: Readonly<
  Record<string, (spread: number, random: () => number, normal: Normal) => () => number>
> = {
  normal: (spread, _random, normal) => () => Math.max(0.05, 1 + spread * normal()),
  lognormal: (spread, _random, normal) => () => Math.exp(spread * normal()),
  t3: (spread, _random, normal) => () => {
    const squares = (normal() ** 2 + normal() ** 2 + normal() ** 2) / 3
    return Math.max(0.05, 1 + (0.87 * spread * normal()) / Math.sqrt(squares))
  },
  tail: (spread, random, normal) => () =>
    Math.exp(spread * normal()) * (random() < 0.04 ? 1 + 3 * spread * (1 - random()) ** (-1 / 1.5) : 1),
  outlier: (spread, random, normal) => () => Math.exp(spread * normal()) * (random() < 0.04 ? 1.2 + 0.8 * random() : 1),
  bimodal: modes(0.33, 3, 0.6),
  bimodal20: modes(0.2, 4, 0.5),
  bimodal50: modes(0.5, 3, 0.5),
  autocorrelated30: following(0.3),
  autocorrelated40: following(0.4),
  autocorrelated60: following(0.6),
  autocorrelated80: following(0.8),
  stickyModes: (spread, random, normal) => {
    let isHigh = false
    return () => {
      if (random() > (isHigh ? 0.8 : 0.85)) isHigh = !isHigh
      return (isHigh ? 1 + 4 * spread : 1) * Math.exp(0.6 * spread * normal())
    }
  },
  bursts: (spread, random, normal) => {
    let [left, height] = [0, 0]
    return () => {
      if (left === 0 && random() < 0.03) [left, height] = [1 + Math.floor(3 * random()), 3 + 9 * random()]
      const isHigh = left > 0
      if (isHigh) left -= 1
      return Math.exp(spread * (normal() + (isHigh ? height : 0)))
    }
  },
  wandering: (spread, _random, normal) => {
    let level = normal()
    return () => {
      level = 0.95 * level + Math.sqrt(1 - 0.95 ** 2) * normal()
      return Math.exp(spread * (0.5 * level + 0.87 * normal()))
    }
  },
  rounded: (spread, _random, normal) => () => Math.max(1, Math.round(20 * Math.exp(spread * normal()))) / 20,
}

function modes(share: number, gap: number, width: number) {
  return (spread: number, random: () => number, normal: Normal) => () =>
    (random() < share ? 1 + gap * spread : 1) * Math.exp(width * spread * normal())
}

function following(correlation: number) {
  return (spread: number, _random: () => number, normal: Normal) => {
    let last = normal()
    return () => {
      last = correlation * last + Math.sqrt(1 - correlation ** 2) * normal()
      return Math.exp(spread * last)
    }
  }
}

/** All series of one seed: 92 of the same kinds (9,440 runs), 140 of other kinds (9,660), 24 straying (3,600). */
export function noisySeries(kinds: SeriesKinds, seed: number): NoisySeries[] {
  const random = randomFrom(seed * 7_919 + { same: 1, other: 2, straying: 3 }[kinds])
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const draw = (family: string, spread: number, runs: number, factor: number, at: number): NoisySeries => {
    const noise = families[family]?.(spread, random, normal)
    if (!noise) throw new Error(`There is no noise ${family}`)
    const exact = Array.from({ length: runs }, (_, run) => 100 * noise() * (run >= at ? factor : 1))
    const values = exact.map((value) => (family === 'rounded' ? Math.round(value / 5) * 5 : value))
    return { family, values, changes: at < runs ? [at] : [] }
  }
  const flat = (family: string, spread: number, runs: number) => draw(family, spread, runs, 1, runs)
  const step = (family: string, spread: number, factor: number) =>
    draw(family, spread, 60, factor, 20 + Math.floor(16 * random()))
  const each = <T>(values: readonly T[], make: (value: T) => NoisySeries[]) => values.flatMap(make)
  if (kinds === 'same')
    return [
      ...each(['lognormal', 'tail', 'autocorrelated40', 'outlier'], (family) =>
        each([0.05, 0.1, 0.2, 0.5], (effect) =>
          [0.01, 0.03, 0.05, 0.1].map((spread) => step(family, spread, 1 + effect)),
        ),
      ),
      ...each(['normal', 'lognormal', 't3', 'tail', 'bimodal', 'autocorrelated40', 'outlier'], (family) =>
        [0.03, 0.03, 0.1, 0.1].map((spread) => flat(family, spread, 200)),
      ),
    ]
  if (kinds === 'straying')
    return each(['autocorrelated80', 'stickyModes', 'bursts', 'wandering'], (family) =>
      [0.01, 0.02, 0.02, 0.03, 0.03, 0.05].map((spread) => flat(family, spread, 150)),
    )
  const others = ['normal', 't3', 'bimodal20', 'bimodal50', 'autocorrelated30', 'autocorrelated60', 'rounded']
  return [
    ...each(others, (family) =>
      each([0.07, 0.15, 0.35], (effect) =>
        each([0.02, 0.05, 0.1], (spread) => [step(family, spread, 1 + effect), step(family, spread, 1 / (1 + effect))]),
      ),
    ),
    ...each(others, (family) => [0.05, 0.1].map((spread) => flat(family, spread, 150))),
  ]
}
