import {
  columnUnit,
  formatChange,
  formatCount,
  formatInColumn,
  formatNumber,
  formatPercent,
  formatTick,
  plural,
  type ColumnUnit,
} from '../format'
import { joinWords } from '../text'
import type { CapacityAnswer, CapacityWarning } from './answer'
import type { HeldLevels } from './held-levels'
import { objectiveWords, type Objective } from './objective'
import { median } from '../stats/robust'

/** An answer in words: what command line, API and Markdown print. */
export interface CapacityReport {
  /** Without a full stop. */
  readonly sentence: string
  /** What the runs of this group share and others do not; empty: it is the only group. */
  readonly title: string
  readonly heads: readonly string[]
  /** Ascending loads; a text for each head. The last one says where the level lies. */
  readonly rows: readonly (readonly string[])[]
  /** Without a full stop: the next run, the target, what to know of it. */
  readonly notes: readonly string[]
}

/** The reports of all groups. `price`: of an instance, with its unit (`/h`); null: none. */
export function capacityReports(
  answers: readonly CapacityAnswer[],
  objectives: readonly Objective[],
  price: { readonly amount: number; readonly per: string } | null,
): readonly CapacityReport[] {
  return answers.map((answer) => ({
    sentence: sentenceOf(answer, objectives),
    title: titleOf(answer, answers),
    heads: headsOf(answer),
    rows: rowsOf(answer),
    notes: [
      ...nextWords(answer),
      ...targetWords(answer, price),
      ...answer.warnings.map((one) => warningWords(one, answer)),
    ],
  }))
}

const rateWords = (rate: number): string => formatCount(Math.round(rate))

function sentenceOf(answer: CapacityAnswer, objectives: readonly Objective[]): string {
  const within = `within ${objectives.map(objectiveWords).join(', ')}`
  if (answer.refusal !== null) return refusalWords(answer.refusal)
  const limit = answer.limitedBy === null ? '' : `; limited by ${limitWords(answer.limitedBy)}`
  const { capacityPerSecond: point, lowPerSecond: low, highPerSecond: high, isOpen, levels } = answer
  const served = isOpen ? 'req/s' : 'req/s served'
  if (answer.kind === 'undecided') {
    const count = Math.max(...levels.map(({ runs }) => runs.length))
    const runs = count === 1 ? 'one run each' : `at most ${count} runs each`
    return `Nothing is sure at ${plural(levels.length, 'load')} with ${runs}, ${within}`
  }
  if (answer.kind === 'at-least') return `At least ${rateWords(low ?? 0)} ${served} ${within}`
  if (answer.kind === 'below') return `Below ${rateWords(high ?? 0)} ${served} ${within}${limit}`
  const [from, to] = [rateWords(low ?? 0), rateWords(high ?? 0)]
  const between =
    point === null ? `Between ${from} and ${to} ${served}` : `${rateWords(point)} ${served} (${from}–${to})`
  const { lowConnections, highConnections } = answer
  const connections = isOpen ? '' : ` at ${lowConnections ?? 0} to ${highConnections ?? 0} connections`
  return `${between}${connections} ${within}${limit}`
}

/** What is asked of every sweep has no metric of its own. */
const limitWords = (name: string): string => (name === 'served' ? 'requests that were not served' : name)

function refusalWords(refusal: NonNullable<CapacityAnswer['refusal']>): string {
  switch (refusal.reason) {
    case 'no-load':
      return 'No capacity: no run states its rate or its connections'
    case 'mixed':
      return 'No capacity: runs at different loads differ in more than the load'
    case 'metric-missing':
      return `No capacity: no run has ${refusal.metric}`
    case 'non-monotone': {
      const [outside, inside] = [formatCount(refusal.outside), formatCount(refusal.inside)]
      return `No capacity: by ${limitWords(refusal.name)}, ${outside} is surely outside and ${inside} surely inside`
    }
  }
}

const shared = [
  ['system', String],
  ['loop', (value) => `${value} loop`],
  ['tool', String],
  ['machine', String],
  ['instances', (value) => `${value} instances`],
  ['payload', String],
  ['durationMs', (value) => `${formatNumber(Number(value) / 1_000)} s`],
] as const satisfies readonly (readonly [string, (value: string | number) => string])[]

/** The values of this group that others do not share. */
function titleOf({ runs: [run] }: CapacityAnswer, all: readonly CapacityAnswer[]): string {
  if (all.length < 2 || run === undefined) return ''
  return shared
    .filter(([field]) => new Set(all.map(({ runs: [first] }) => first?.[field] ?? null)).size > 1)
    .map(([field, words]) => {
      const value = run[field]
      return value === null ? `no ${field === 'durationMs' ? 'duration' : field}` : words(value)
    })
    .join(', ')
}

function headsOf({ isOpen, held }: CapacityAnswer): readonly string[] {
  const load = isOpen ? ['rate/s', 'runs'] : ['connections', 'runs', 'served/s']
  return held.length === 0
    ? []
    : [...load, ...held.map((one) => (one.isShare ? one.name : `${one.name} ${unitOf(one).label}`)), '']
}

function rowsOf({ levels, held, isOpen }: CapacityAnswer): readonly (readonly string[])[] {
  if (held.length === 0) return []
  return levels.map(({ load, runs }, at) => {
    const served = median(runs.flatMap(({ servedPerSecond: one }) => one ?? []))
    const cells = held.map((one) => valueWords(one, at))
    const outside = held.filter(({ places }) => places[at] === 'outside').map(({ name }) => name)
    const isInside = held.every(({ places }) => places[at] === 'inside')
    const place = outside.length > 0 ? `outside: ${joinWords(outside, ',')}` : isInside ? 'inside' : 'not sure'
    const rate = isOpen ? [] : [Number.isNaN(served) ? '–' : rateWords(served)]
    return [formatTick(load), String(runs.length), ...rate, ...cells, place]
  })
}

/** One unit for all levels of a latency; shares have none. */
const unitOf = ({ values }: HeldLevels): ColumnUnit =>
  columnUnit(
    'ms',
    values.map((one) => one?.value ?? null),
  )

/** `61 (58–66)`; shares of bad requests as those of good ones. */
function valueWords(held: HeldLevels, at: number): string {
  const one = held.values[at] ?? null
  if (one === null) return '–'
  if (held.isShare) return formatPercent(1 - one.value)
  const unit = unitOf(held)
  const [value, low, high] = [one.value, one.low, one.high].map((ms) => formatInColumn(ms, 'ms', unit))
  return `${value ?? ''} (${low ?? ''}–${high ?? ''})`
}

function nextWords({ next, isOpen }: CapacityAnswer): readonly string[] {
  if (next === null) return []
  const load = isOpen ? `${formatTick(next.load)} req/s` : plural(next.load, 'connection')
  return [`Next: ${load}, ${plural(next.runs, 'run')}`]
}

function targetWords({ forTarget }: CapacityAnswer, price: { readonly amount: number; readonly per: string } | null) {
  if (forTarget === null) return []
  const { targetPerSecond, headroomRatio, instances, instancesMost, instancesLeast } = forTarget
  const head = `For ${rateWords(targetPerSecond)} req/s`
  const cost = (count: number) => (price === null ? '' : `, ${formatNumber(count * price.amount)}${price.per}`)
  const some = (count: number) => plural(count, 'instance')
  const bounds = [instancesLeast ?? instances, instancesMost ?? instances]
  const range = bounds[0] === bounds[1] ? '' : ` (${bounds[0] ?? ''}–${bounds[1] ?? ''})`
  const headroom = headroomRatio === null ? '' : `; headroom ${formatChange(headroomRatio)}`
  const words =
    instances !== null
      ? `${some(instances)}${range}${cost(instances)}${headroom}`
      : instancesMost !== null
        ? `at most ${some(instancesMost)}${cost(instancesMost)}`
        : instancesLeast !== null
          ? `at least ${some(instancesLeast)}${cost(instancesLeast)}`
          : null
  return words === null ? [] : [`${head}: ${words}. Assumes that instances add up`]
}

function warningWords(warning: CapacityWarning, { runs }: CapacityAnswer): string {
  switch (warning) {
    case 'no-repeats':
      return 'One run per load: a noise of 10 % from run to run is assumed'
    case 'served-not-offered':
      return 'A closed loop offers no rate: the capacity is what it served'
    case 'coordinated-omission':
      return `${runs[0]?.tool ?? 'The tool'} waits for a reply before the next request: beyond the limit, latency leaves out the requests that were not sent`
  }
}
