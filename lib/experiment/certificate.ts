import { exactShareInterval } from '../stats/share-interval'
import { cachedStudentQuantile } from '../stats/student-quantile'
import { fitRounds, type Fit } from './fit'
import { changeOf, type PlaceEffect } from './place-effect'
import { base, control, type Round } from './round'
import { smallestVisible } from './visible'

/** Rounds of base against itself, in one metric. */
export type ControlExperiment = readonly Round[]

/** Level of what is said of places. */
const placeLevel = 0.01
/** Differences may scatter so much more between experiments than within by chance (as variance). */
const maxScatter = 1.6

/** How often the set-up calls identical code different. */
export interface FalseAlarms {
  readonly count: number
  readonly total: number
  /** Of the share, at 95 % (Clopper and Pearson). */
  readonly low: number
  readonly high: number
  /** False: surely more often than promised. */
  readonly isFit: boolean
}

/** Of the metric that decides, each experiment evaluated once at `alpha`; those with too few rounds are no experiments. */
export function falseAlarmsOf(experiments: readonly ControlExperiment[], alpha: number): FalseAlarms {
  const fits = fitsOf(experiments)
  const isAlarm = (fit: Fit) => {
    const { log, error } = controlOf(fit)
    return Math.abs(log) > cachedStudentQuantile(alpha / 2, fit.df) * error
  }
  const count = fits.filter(isAlarm).length
  const [low, high] = exactShareInterval(count, fits.length)
  return { count, total: fits.length, low, high, isFit: low <= alpha }
}

/** What the set-up shows in one metric. */
export interface MetricCertificate {
  /** Of the second place. */
  readonly place: PlaceEffect
  /** Of one round's difference, on the log scale. */
  readonly deviation: number
  /** Degrees of freedom of that. */
  readonly df: number
}

/** Null: too few experiments to know how they scatter. */
export function certifyMetric(experiments: readonly ControlExperiment[]): MetricCertificate | null {
  const fits = fitsOf(experiments)
  if (fits.length < 2) return null
  return { place: secondPlace(fits), deviation: deviationOf(fits), df: sumOf(fits, ({ df }) => df) }
}

const fitsOf = (experiments: readonly ControlExperiment[]): readonly Fit[] =>
  experiments.flatMap((rounds) => fitRounds(rounds, [base, control]) ?? [])

const none = { log: 0, error: 1 } as const
const controlOf = (fit: Fit) => fit.arms.get(control) ?? none
const sumOf = (fits: readonly Fit[], of: (fit: Fit) => number): number => fits.reduce((sum, fit) => sum + of(fit), 0)

/** Mean weighted by precision; the experiment is the unit, so its error is that of their spread. */
function secondPlace(fits: readonly Fit[]): PlaceEffect {
  const effects = fits.map(({ places: [second = none] }) => second)
  const sum = (of: (effect: (typeof effects)[number]) => number) => effects.reduce((all, one) => all + of(one), 0)
  const weight = sum(({ error }) => error ** -2)
  const log = sum((one) => one.log * one.error ** -2) / weight
  const mean = sum((one) => one.log) / effects.length
  const spread = sum((one) => (one.log - mean) ** 2) / (effects.length - 1)
  const error = Math.max(Math.sqrt(spread / effects.length), Math.sqrt(1 / weight))
  const half = cachedStudentQuantile(placeLevel / 2, effects.length - 1) * error
  return { place: 2, ...changeOf(log, half), isNamed: Math.abs(log) > half }
}

/** Pooled from within experiments, and wider where their differences scatter more than that explains. */
function deviationOf(fits: readonly Fit[]): number {
  const within = sumOf(fits, ({ pairDeviation, df }) => pairDeviation ** 2 * df) / sumOf(fits, ({ df }) => df)
  const between = sumOf(fits, (fit) => controlOf(fit).log ** 2)
  const expected = sumOf(fits, (fit) => controlOf(fit).error ** 2)
  return Math.sqrt(within * (between > maxScatter * expected ? between / expected : 1))
}

/** Whether a gate with so many rounds may hold this threshold: the set-up shows changes of its size. */
export const canHold = (
  { deviation }: Pick<MetricCertificate, 'deviation'>,
  thresholdRatio: number,
  rounds: number,
  alpha: number,
): boolean => thresholdRatio >= smallestVisible(deviation, rounds, alpha)
