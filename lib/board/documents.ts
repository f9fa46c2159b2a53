import { formatFactor, formatMetric, formatPercent, plural, roundChange } from '../format'
import { plausibleFactor } from '../judge/delta'
import { maxFailedRatio } from '../run/judged-states'
import { findMetric, type Metric, type RunFigures } from '../run/metrics'
import type { RunGuard } from '../run/guard'
import { tools, type Tool } from '../run/tools'

/** The only run of a series, in a project without a history. */
export interface DocumentSide {
  /** Variant, else environment. */
  readonly name: string
  readonly tool: Tool
  readonly figures: RunFigures
  /** As stated by its label; null: not stated. */
  readonly instances: number | null
  /** How its requests failed, worded by `failureKinds`, most frequent first; empty: none did, or unknown. */
  readonly failures: readonly string[]
  /** Guards that refuse a verdict on it, or on one of its figures. */
  readonly guards: readonly RunGuard[]
}

/** What was exercised, and its runs. */
export interface DocumentScenario {
  readonly scenario: string
  readonly sides: readonly DocumentSide[]
}

const maxNamed = 3

/** The metrics compared for runs of this tool: what was served and the tail, or the duration of an invocation. */
export function documentMetrics(sides: readonly DocumentSide[]): readonly Metric[] {
  const isLambda = sides.some(({ tool }) => tools[tool].counts === 'invocation')
  const wanted = isLambda ? ['mean', 'billed', 'init', 'max-memory'] : ['requests-per-second', 'p99']
  const found = wanted.flatMap((id) => findMetric(id) ?? [])
  return found.filter((metric) => isLambda || sides.some((side) => valueOf(metric, side) !== null))
}

/** A figure of a side; served/s only where fewer requests were served than sent. */
export const valueOf = (metric: Metric, { figures }: DocumentSide): number | null =>
  metric.id === 'requests-per-second'
    ? (figures.throughputPerSecond ?? figures.requestsPerSecond)
    : metric.read(figures)

/** More than one in a hundred requests failed: its latency is not compared. */
export const isFailing = ({ figures }: DocumentSide): boolean => (figures.errorRatio ?? 0) > maxFailedRatio

/** What one run per side shows of a scenario; failures first. `all`: the sides of the whole project. */
export function scenarioSentence({ sides }: DocumentScenario, all: readonly string[]): string {
  const failing = sides.filter(isFailing)
  if (failing.length > 0)
    return `${failing
      .slice(0, maxNamed)
      .map(({ name, figures }) => `${name} fails ${formatPercent(figures.errorRatio)} of requests`)
      .join(', ')}: latency is not compared.`
  const [first, second] = sides
  if (first === undefined) return ''
  if (second === undefined)
    return all.length > 1 ? `Only ${first.name} has a run.` : 'One run: nothing to compare it with.'
  const metrics = documentMetrics(sides)
  const [lead] = metrics
  const tail = metrics.find(({ id }) => id === 'init') ?? metrics[1]
  const parts = [lead, tail].flatMap((metric) => (metric === undefined ? [] : (differenceWords(metric, sides) ?? [])))
  if (parts.length === 0) return 'No figure that all sides have.'
  const sentence = parts.join('; ')
  return `${capital(sentence)}.`
}

/** A figure's name in a sentence: the mean of an invocation is its duration. */
const labels: Readonly<Record<string, string>> = {
  mean: 'duration',
  billed: 'billed duration',
  init: 'init',
  'max-memory': 'memory used',
}
const labelOf = ({ id, shortLabel }: Metric): string => labels[id] ?? shortLabel

/** Names of percentiles and of sides are left as they are. */
const capital = (sentence: string): string =>
  Object.values(labels).some((label) => sentence.startsWith(label))
    ? `${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)}`
    : sentence

/** Which side is ahead in a metric, and by how much. */
function differenceWords(metric: Metric, sides: readonly DocumentSide[]): string | null {
  const known = sides.flatMap((side) => {
    const value = valueOf(metric, side)
    return value === null || value <= 0 ? [] : [{ side, value }]
  })
  const sorted = [...known].sort((a, b) => a.value - b.value)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined || known.length < 2) return null
  const factor = high.value / low.value
  const show = (value: number) => formatMetric(value, metric.unit)
  if (sides.length > 2)
    return `${labelOf(metric)} from ${show(low.value)} (${low.side.name}) to ${show(high.value)} (${high.side.name})`
  if (factor < 1.005) return `${labelOf(metric)} is equal`
  if (metric.id === 'requests-per-second') {
    const cost = instancesWords(high.side, low.side)
    return factor > plausibleFactor
      ? `${high.side.name} serves ${formatFactor(factor)} the requests${cost}`
      : `${high.side.name} serves ${roundChange(factor - 1).replace('+', '')} more${cost}, which may be noise`
  }
  return factor > plausibleFactor
    ? `${labelOf(metric)} of ${low.side.name} is lower by a factor of ${formatFactor(factor).slice(1)}`
    : `${labelOf(metric)} of ${low.side.name} is ${roundChange(1 - low.value / high.value).replace('+', '')} lower, which may be noise`
}

function instancesWords(high: DocumentSide, low: DocumentSide): string {
  if (high.instances === null || low.instances === null || high.instances === low.instances) return ''
  return ` on ${plural(high.instances, 'instance')} instead of ${low.instances}`
}
