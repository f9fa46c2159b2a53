import {
  compareCost,
  compareInstanceTime,
  computeInstanceUsdPerHour,
  computeInstanceUsdPerMillionRequests,
  computeLambdaCost,
  defaultCostInputs,
  defaultLambdaPrices,
  type CostInputs,
} from '@/lib/judge/cost'
import { splitNames } from '@/lib/board/variant-pairs'
import { formatCount, formatFactor, formatMs, formatNumber, missing } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'

/** Inputs of all sides, by their name in the address (`cost.rate`). */
export const sharedInputs = [
  { key: 'rate', label: 'Requests per second', value: null },
  { key: 'x86', label: 'USD per GB-second, x86', value: defaultLambdaPrices.usdPerGbSecond.x86_64 },
  { key: 'arm', label: 'USD per GB-second, arm64', value: defaultLambdaPrices.usdPerGbSecond.arm64 },
  { key: 'requests', label: 'USD per million invocations', value: defaultLambdaPrices.usdPerMillionRequests },
] as const

/** Inputs of one side, after its own key (`cost.65cg6sm2.instances`): they move with it when sides are reordered. */
export const sideInputs = [
  { key: 'instances', label: 'Instances' },
  { key: 'price', label: 'USD per instance-hour' },
  { key: 'memory', label: 'Lambda memory, MB' },
  { key: 'provisioned', label: 'Provisioned concurrency' },
] as const

/** The key that a side's inputs are stored under. */
export const sideKey = (run: Pick<StoredRun, 'id'>): string => run.id.slice(0, 8)

type Given = Readonly<Record<string, string>>

/** A typed number, 0 or more; null: none, or not such a number. */
export function typedNumber(text: string | undefined): number | null {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) && value >= 0 && value <= 1e12 ? value : null
}

/** Instances from a label: `100`, `20 instances`. */
export function labelledInstances(run: Pick<StoredRun, 'labels'>): number | null {
  return typedNumber(/^\d+/.exec(run.labels.instances ?? '')?.[0])
}

/** Configured memory from a label or the name of the environment: `512 MB`. */
export function labelledMemoryMb(
  run: Pick<StoredRun, 'labels' | 'environment' | 'environmentAttributes'>,
): number | null {
  const texts = [run.labels.memory, run.environmentAttributes.memory, run.environment]
  const [found] = texts.flatMap((text) => /(\d+)\s*MB\b/i.exec(text ?? '')?.[1] ?? [])
  return typedNumber(found)
}

/** The inputs of one side: as typed, else from its labels and log, else the dated defaults. */
export function costInputsOf(
  run: Pick<StoredRun, 'id' | 'labels' | 'environment' | 'environmentAttributes'>,
  given: Given,
): CostInputs {
  const own = (key: string) => typedNumber(given[`${sideKey(run)}.${key}`])
  const isArm = /arm64/i.test(
    Object.values({ ...run.labels, ...run.environmentAttributes, e: run.environment ?? '' }).join(' '),
  )
  return {
    ...defaultCostInputs,
    prices: {
      ...defaultLambdaPrices,
      usdPerGbSecond: {
        x86_64: typedNumber(given.x86) ?? defaultLambdaPrices.usdPerGbSecond.x86_64,
        arm64: typedNumber(given.arm) ?? defaultLambdaPrices.usdPerGbSecond.arm64,
      },
      usdPerMillionRequests: typedNumber(given.requests) ?? defaultLambdaPrices.usdPerMillionRequests,
    },
    architecture: isArm ? 'arm64' : 'x86_64',
    memoryMb: own('memory') ?? labelledMemoryMb(run),
    requestsPerSecond: typedNumber(given.rate),
    provisionedConcurrency: own('provisioned'),
    instances: own('instances') ?? labelledInstances(run),
    usdPerInstanceHour: own('price'),
  }
}

export interface CostRow {
  readonly label: string
  /**
   * One per side: the figure and, after the first, its ratio to the base (`costBases`); a gap if something is unknown.
   */
  readonly cells: readonly string[]
}

/** The prices behind the figures; null if no side was billed by Lambda. */
export function priceWords(runs: readonly StoredRun[], given: Given): string | null {
  if (!runs.some((run) => run.imported.lambda !== null)) return null
  const { region, at } = defaultLambdaPrices
  return ['x86', 'arm', 'requests'].some((key) => given[key] !== undefined)
    ? 'Lambda prices were entered for this comparison.'
    : `Lambda prices are defaults (${region}, list prices as of ${at}): verify them before relying on them.`
}

/** The base of a side's cost ratio: position of a side, and words if that is not the base. */
interface CostBase {
  readonly place: number
  readonly words: string
}

/**
 * The base; for functions of several kinds (`get_json`, `send_json`, `get_xml`, `send_xml`) the first of its kind: a
 * sending function is never compared with a getting one.
 */
function costBases(runs: readonly StoredRun[]): readonly CostBase[] {
  const names = splitNames(runs.map(({ variant, figures }) => ({ name: variant ?? '', value: figures.meanMs })))
  const kinds = runs.map(({ variant }) => names?.get(variant ?? '')?.rest)
  return kinds.map((kind) => {
    const place = kinds.indexOf(kind)
    return { place, words: place === 0 ? '' : ` of ${runs[place]?.variant ?? ''}` }
  })
}

/** The cost of each side (by its first run); leaves out rows without any figure. */
export function costRows(runs: readonly StoredRun[], given: Given): readonly CostRow[] {
  const sides = runs.map((run): CostSide => {
    const inputs = costInputsOf(run, given)
    const costed = { lambda: run.imported.lambda, meanMs: run.figures.meanMs, startedAt: run.startedAt }
    return { inputs, lambda: computeLambdaCost(costed, inputs) }
  })
  const bases = costBases(runs)
  const usd = (value: number) => `$${formatNumber(value)}`
  const row = (label: string, read: (side: CostSide) => number | null, write = usd): CostRow => {
    const values = sides.map(read)
    return { label, cells: values.map((value, at) => costWords(value, values, at, bases[at], write)) }
  }
  const instances = ({ inputs }: CostSide) => ({ instances: inputs.instances, hours: null })
  const base = sides[0] === undefined ? { instances: null, hours: null } : instances(sides[0])
  const shares = sides.map((side) => compareInstanceTime(base, instances(side)))
  return [
    row('Billed per invocation', ({ lambda }) => lambda?.billedMsPerRequest ?? null, formatMs),
    row('Lambda, per million requests', ({ lambda }) => lambda?.usdPerMillionRequests ?? null),
    row('Lambda, per hour at this rate', ({ lambda }) => lambda?.usdPerHour ?? null),
    { label: 'Instances', cells: sides.map(({ inputs }) => formatCount(inputs.instances)) },
    row('Instances, per hour', ({ inputs }) => computeInstanceUsdPerHour(inputs)),
    row('Instances, per million requests', ({ inputs }) => computeInstanceUsdPerMillionRequests(inputs)),
    ...(shares.filter((share) => share !== null).length < 2
      ? []
      : [{ label: 'Cost of the instances, if each costs the same', cells: shares.map(formatFactor) }]),
  ].filter(({ cells }) => cells.some((cell) => cell !== missing))
}

interface CostSide {
  readonly inputs: CostInputs
  readonly lambda: ReturnType<typeof computeLambdaCost>
}

/** A figure, and its ratio to that of its base. */
function costWords(
  value: number | null,
  values: readonly (number | null)[],
  at: number,
  { place, words }: CostBase = { place: 0, words: '' },
  write: (value: number) => string,
): string {
  if (value === null) return missing
  const ratio = at === place ? null : compareCost(values[place] ?? null, value)
  return ratio === null ? write(value) : `${write(value)} (${formatFactor(ratio)}${words})`
}
