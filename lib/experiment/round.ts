import { median } from '../stats/robust'

/** The arm that others are measured against, and the two that an experiment may have beside it. */
export const base = 'base'
export const head = 'head'
/** Base again, under its own directory and port: what it differs in is the set-up. */
export const control = 'control'

/** One run of each arm, next to each other in time. */
export interface Round {
  /** Its arms in the order in which they ran: the first place first. */
  readonly order: readonly string[]
  /** What each arm measured, above 0, in the metric that decides. */
  readonly values: Readonly<Record<string, number>>
  /** Unit of the last printed place of the values, as a share of them: 0.0038 s has 2.6 %. Absent: exact. */
  readonly grainRatio?: number
}

/** The place of an arm in its round: 0 is the first. */
export const placeOf = ({ order }: Pick<Round, 'order'>, arm: string): number => order.indexOf(arm)

/** ln of what an arm measured. NaN where it has no value. */
export const logOf = ({ values }: Round, arm: string): number => Math.log(values[arm] ?? Number.NaN)

/** The typical grain of rounds, on the log scale. 0: exact. */
export const grainOf = (rounds: readonly Round[]): number =>
  rounds.length === 0 ? 0 : median(rounds.map(({ grainRatio = 0 }) => grainRatio))

/**
 * By how much an interval is wider for the grain: where rounds differ by less than it, rounding is no noise, and all of
 * them may be rounded the same way. `deviation`: of a round's difference, on the log scale.
 */
export const widening = (grain: number, deviation: number): number => Math.max(0, grain - deviation)

/** Deviation of the difference of two values that are rounded to a grain, at least. */
export const grainDeviation = (grain: number): number => grain / Math.sqrt(6)
