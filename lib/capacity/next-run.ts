/** The load to run next and how often: a rate per second, or connections. */
export interface NextRun {
  readonly load: number
  readonly runs: number
}

/** What is known before the next run. Loads are rates of an open loop, or connections. */
export interface Known {
  readonly isOpen: boolean
  /** The last load surely inside and the first surely outside; null: none. */
  readonly low: number | null
  readonly high: number | null
  /** The estimate; null: none. */
  readonly at: number | null
  /** All loads that were run, ascending, with the number of their runs; never empty. */
  readonly levels: readonly { readonly load: number; readonly count: number }[]
  /** The loads between which so many runs at one load would probably not be sure. */
  grey(runs: number): readonly [from: number, to: number]
}

const maxRuns = 4
/** A bracket is narrow enough within 5 % of a rate, or one connection. */
const narrowFactor = 1.05
/** A load that was run so often and stayed unsure is left alone. */
const leftAloneFrom = 3

/** The load whose runs tell most; null: the bracket is narrow. */
export function nextRun(known: Known): NextRun | null {
  const { low, high, isOpen, levels } = known
  const [bottom, top] = [levels[0]?.load ?? 1, levels.at(-1)?.load ?? 1]
  if (low === null && high === null) return round(known, bottom / 1.5, 1)
  if (high === null) return round(known, top * (isOpen ? 1.5 : 2), 1)
  if (low === null) return round(known, bottom / (isOpen ? 1.6 : 2), 1)
  if (isOpen ? high / low < narrowFactor : high - low <= 1) return null
  const load = loadWithin(known, low, high)
  return round(known, load, runsAt(known, load))
}

/**
 * The middle of the bracket halves it, but runs near the limit decide nothing: beside the estimate, a quarter of the
 * bracket from it on the wider side.
 */
function loadWithin({ at, levels }: Known, low: number, high: number): number {
  const [middle, width] = [Math.sqrt(low * high), Math.log(high / low)]
  const isNear = at !== null && Math.abs(Math.log(at / middle)) < width / 4
  const load = isNear ? at * Math.exp((at / low >= high / at ? -1 : 1) * (width / 4.2)) : middle
  const unsure = levels.filter((level) => low < level.load && level.load < high && level.count >= leftAloneFrom)
  const [first, last] = [unsure[0]?.load, unsure.at(-1)?.load]
  if (first === undefined || last === undefined || load < first * 0.96 || load > last * 1.04) return load
  return first / low >= high / last ? Math.sqrt(low * first) : Math.sqrt(high * last)
}

/** As many runs as make the outcome probably sure. */
function runsAt({ grey }: Known, load: number): number {
  for (let runs = 1; runs < maxRuns; runs += 1) {
    const [from, to] = grey(runs)
    if (load <= from || load >= to) return runs
  }
  return maxRuns
}

/** A rate to three digits; whole connections within the bracket, null below one. */
function round({ isOpen, low, high }: Known, load: number, runs: number): NextRun | null {
  if (isOpen) return { load: load < 1_000 ? Number(load.toPrecision(3)) : Math.round(load), runs }
  const connections = Math.min(Math.max(Math.round(load), (low ?? 0) + 1), (high ?? Number.POSITIVE_INFINITY) - 1)
  return connections < 1 ? null : { load: connections, runs }
}
