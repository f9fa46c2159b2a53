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
}

/** The place of an arm in its round: 0 is the first. */
export const placeOf = ({ order }: Pick<Round, 'order'>, arm: string): number => order.indexOf(arm)

/** ln of what an arm measured. NaN where it has no value. */
export const logOf = ({ values }: Round, arm: string): number => Math.log(values[arm] ?? Number.NaN)
