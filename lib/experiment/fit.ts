import { invert } from '../stats/linear'
import { median } from '../stats/robust'
import { logOf, placeOf, type Round } from './round'

/** An effect on the log scale, with its standard error. */
export interface Effect {
  readonly log: number
  readonly error: number
}

/** What rounds say of arms and places: ln value = round + arm + place + noise, by least squares. */
export interface Fit {
  /** Of each arm against the first one of `arms`. */
  readonly arms: ReadonlyMap<string, Effect>
  /** Of the second, third, … place against the first. */
  readonly places: readonly Effect[]
  /** Degrees of freedom of the errors. */
  readonly df: number
  /** Deviation of the difference of two arms in one round. */
  readonly pairDeviation: number
  /** Rounds that lie too far off to count, by their index, in order: at most a quarter. */
  readonly leftOut: readonly number[]
}

/** A residual of so many typical ones is no noise of this kind. */
const farOff = 8
const maxLeftOutRatio = 1 / 4
/** Below this many rounds two parameters fit whatever is there: none is far off. */
const minToLeaveOut = 6
const reweightings = 12

/** A round without what its runs have in common: each arm's design and value less their means over the round. */
interface Centred {
  readonly design: readonly (readonly number[])[]
  readonly values: readonly number[]
}

/** Null: too few rounds, or orders, to tell arms, places and noise apart. */
export function fitRounds(rounds: readonly Round[], arms: readonly string[]): Fit | null {
  const centred = rounds.map((round) => centre(round, arms))
  const leftOut = roundsFarOff(centred)
  const used = centred.filter((_, at) => !leftOut.includes(at))
  const solved = leastSquares(used, used.map(unweighted))
  const others = arms.length - 1
  const df = used.length * others - 2 * others
  if (solved === null || df <= 0) return null
  const squares = used.reduce((sum, round) => sum + residualOf(round, solved.effects) ** 2, 0)
  // What is left out was noise, too.
  const variance = (squares / df) * (1 + (0.5 * leftOut.length) / used.length)
  const effects = solved.effects.map((log, at): Effect => ({
    log,
    error: Math.sqrt(Math.max(1e-18, variance * (solved.inverse[at]?.[at] ?? 0))),
  }))
  return {
    arms: new Map(arms.slice(1).flatMap((arm, at) => (effects[at] ? [[arm, effects[at]]] : []))),
    places: effects.slice(others),
    df,
    pairDeviation: Math.sqrt(2 * variance),
    leftOut,
  }
}

/** One column for each arm but the first, and one for each place but the first. */
function centre(round: Round, arms: readonly string[]): Centred {
  const others = arms.slice(1)
  const rows = arms.map((arm) => [
    ...others.map((other) => Number(other === arm)),
    ...others.map((_, at) => Number(placeOf(round, arm) === at + 1)),
  ])
  const logs = arms.map((arm) => logOf(round, arm))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / arms.length
  const means = rows[0]?.map((_, column) => mean(rows.map((row) => row[column] ?? 0))) ?? []
  return {
    design: rows.map((row) => row.map((value, column) => value - (means[column] ?? 0))),
    values: logs.map((log) => log - mean(logs)),
  }
}

const unweighted = () => 1

interface Solved {
  readonly effects: readonly number[]
  readonly inverse: readonly (readonly number[])[]
}

/** Null: some effects cannot be told apart. */
function leastSquares(rounds: readonly Centred[], weights: readonly number[]): Solved | null {
  const count = rounds[0]?.design[0]?.length ?? 0
  const matrix = Array.from({ length: count }, () => new Array<number>(count).fill(0))
  const right = new Array<number>(count).fill(0)
  rounds.forEach(({ design, values }, at) => {
    const weight = weights[at] ?? 0
    design.forEach((row, arm) =>
      row.forEach((value, column) => {
        if (value === 0) return
        right[column] = (right[column] ?? 0) + weight * value * (values[arm] ?? 0)
        const sums = matrix[column]
        row.forEach((other, to) => sums && (sums[to] = (sums[to] ?? 0) + weight * value * other))
      }),
    )
  })
  const inverse = count === 0 ? null : invert(matrix)
  if (inverse === null) return null
  const effects = inverse.map((row) => row.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0))
  return { effects, inverse }
}

/** Root of the sum of squares that the effects leave of a round. */
const residualOf = ({ design, values }: Centred, effects: readonly number[]): number =>
  Math.hypot(
    ...design.map(
      (row, arm) => (values[arm] ?? 0) - row.reduce((sum, value, at) => sum + value * (effects[at] ?? 0), 0),
    ),
  )

/**
 * Rounds far off a fit by least absolute residuals (by reweighting: an outlier cannot draw it to itself), farthest first
 * until a quarter.
 */
function roundsFarOff(rounds: readonly Centred[]): readonly number[] {
  if (rounds.length < minToLeaveOut) return []
  let weights: readonly number[] = rounds.map(unweighted)
  let residuals: readonly number[] = []
  for (let step = 0; step <= reweightings; step += 1) {
    const solved = leastSquares(rounds, weights)
    if (solved === null) return []
    residuals = rounds.map((round) => residualOf(round, solved.effects))
    const typical = median(residuals) || 1e-9
    weights = residuals.map((residual) => 1 / Math.max(residual, 0.1 * typical))
  }
  // Two rounds are fitted nearly exactly: the median of all would be too small.
  const typical = residuals.toSorted((a, b) => a - b)[Math.min(rounds.length - 1, (rounds.length + 2) >> 1)] ?? 0
  return [...residuals.keys()]
    .filter((at) => (residuals[at] ?? 0) > farOff * typical)
    .sort((a, b) => (residuals[b] ?? 0) - (residuals[a] ?? 0))
    .slice(0, Math.floor(rounds.length * maxLeftOutRatio))
    .sort((a, b) => a - b)
}
