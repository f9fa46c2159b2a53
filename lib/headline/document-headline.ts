import { formatFactor, formatMetric, formatPercent, plural, roundChange } from '../format'
import { plausibleFactor } from '../judge/delta'
import { groupBy } from '../group-by'
import { isBarred, leadingGuard } from '../run/guard'
import { guardReason } from '../judge/guard-words'
import { sentenceLabel, type Metric } from '../run/metrics'
import { joinWords } from '../text'
import { documentMetrics, isFailing, valueOf, type DocumentScenario, type DocumentSide } from '../board/documents'
import { joinNames } from './names'

const maxNamed = 3

/**
 * What runs without a history show, in one sentence without a full stop: what failed, then who is ahead beyond noise,
 * then what one run per side cannot decide. Board, matrix, their shares and files all use this text. `metrics`: those
 * chosen; absent: the metrics compared for runs of their tools.
 */
export function documentHeadline(scenarios: readonly DocumentScenario[], metrics?: readonly Metric[]): string {
  const sides = scenarios.flatMap((one) => one.sides)
  if (sides.length === 0) return 'No run'
  if (sides.every(hasOnlyFailed)) return allFailedWords(sides)
  const failing = failingWords(scenarios)
  const rest = scenarios.map((one) => ({ ...one, sides: one.sides.filter((side) => !isFailing(side)) }))
  const compared = metrics ?? documentMetrics(sides)
  const parts = [...failing, ...severalsWords(rest, scenarios, compared), ...duelsWords(rest, compared)]
  if (parts.length > 0) return [...parts, ...rareFailures(scenarios)].join('; ')
  const barred = sides.find(({ guards }) => leadingGuard(guards) !== null)
  const guard = barred === undefined ? null : leadingGuard(barred.guards)
  if (barred !== undefined && guard !== null) return `No verdict on ${barred.name}: ${guardReason(guard)}`
  return sides.length === 1
    ? 'The first run of its series'
    : `${plural(sides.length, 'run')}, each the first of its series: no figure differs by half a percent or more`
}

const hasOnlyFailed = ({ figures }: DocumentSide): boolean => figures.errorRatio === 1

/** `All 4 runs failed: every response was 404, so the latencies are of errors`. */
function allFailedWords(sides: readonly DocumentSide[]): string {
  const kinds = [...new Set(sides.flatMap(({ failures }) => failures))]
  const statuses = kinds.map((kind) => /^with status (\d+)$/.exec(kind)?.[1] ?? null)
  const lead = sides.length === 1 ? 'Every request of the run failed' : `All ${sides.length} runs failed`
  if (kinds.length === 0) return `${lead}: no request succeeded`
  if (statuses.every((status) => status !== null))
    return `${lead}: every response was ${joinWords(statuses, 'or')}, so the latencies are of errors`
  return `${lead}: requests ended ${joinWords(kinds.slice(0, maxNamed), 'or')}`
}

const on = (scenario: string, all: readonly unknown[]): string => (all.length === 1 ? '' : ` on ${scenario}`)

function failingWords(scenarios: readonly DocumentScenario[]): readonly string[] {
  const failing = scenarios.flatMap(({ scenario, sides }) =>
    sides.filter(isFailing).map(({ name, figures: { errorRatio } }) => {
      const share = errorRatio === 1 ? 'every request' : `${formatPercent(errorRatio)} of requests`
      return `${name} fails ${share}${on(scenario, scenarios)}`
    }),
  )
  const more = failing.length - maxNamed
  if (failing.length === 0) return []
  return [
    `${failing.slice(0, maxNamed).join(', ')}${more > 0 ? `, and ${plural(more, 'more run fails', 'more runs fail')}` : ''}`,
  ]
}

interface Known {
  readonly side: DocumentSide
  readonly value: number
}

/** The sides that have a figure, best first. */
function ranked(metric: Metric, sides: readonly DocumentSide[]): readonly Known[] {
  const known = sides.flatMap((side) => {
    const value = valueOf(metric, side)
    return value === null || value <= 0 || isBarred(side.guards, metric.id) ? [] : [{ side, value }]
  })
  const isHigher = metric.direction === 'higher-is-better'
  return known.sort((a, b) => (isHigher ? b.value - a.value : a.value - b.value))
}

/** Figures of single runs within this factor are equal. */
const equalFactor = 1.005

const factorBetween = (a: number, b: number): number => Math.max(a / b, b / a)

/** The first figure that all sides have and in which they differ; null: none. */
function leadingMetric(metrics: readonly Metric[], sides: readonly DocumentSide[]): Metric | null {
  const differs = (metric: Metric) => {
    const own = ranked(metric, sides)
    const [best, worst] = [own[0], own.at(-1)]
    return own.length === sides.length && best && worst && factorBetween(best.value, worst.value) >= equalFactor
  }
  return metrics.find(differs) ?? null
}

/** Scenarios of three or more sides: each by itself; many of them by who is ahead in how many, and the clearest one. */
function severalsWords(
  scenarios: readonly DocumentScenario[],
  all: readonly DocumentScenario[],
  metrics: readonly Metric[],
): readonly string[] {
  const several = scenarios.flatMap((one) => {
    const metric = one.sides.length < 3 ? null : leadingMetric(metrics, one.sides)
    const [best, second] = metric === null ? [] : ranked(metric, one.sides)
    if (metric === null || best === undefined || second === undefined) return []
    return [{ one, metric, winner: best.side.name, factor: factorBetween(best.value, second.value) }]
  })
  if (several.length <= maxNamed) return several.flatMap(({ one }) => severalWords(one, all, metrics))
  const [own = []] = [...groupBy(several, ({ metric }) => metric.id).values()].sort((a, b) => b.length - a.length)
  const clear = own.filter(({ factor }) => factor > plausibleFactor)
  const [first] = own
  if (first === undefined) return []
  const { metric } = first
  const label = sentenceLabel(metric)
  if (clear.length === 0) return [`no side is ahead in ${label} by more than single runs may differ`]
  const wins = [...groupBy(clear, ({ winner }) => winner)].sort(([, a], [, b]) => b.length - a.length)
  const [lead, ...others] = wins.slice(0, maxNamed).map(([name, won]) => `on ${name} in ${won.length}`)
  const extreme = metric.direction === 'higher-is-better' ? 'highest' : 'lowest'
  const close = own.length - clear.length
  const open = close === 0 ? '' : `; in ${close} the best may be noise`
  const [clearest] = clear.toSorted((a, b) => b.factor - a.factor)
  const most = clearest === undefined ? [] : severalWords(clearest.one, all, metrics)
  return [
    `${label} is ${extreme} ${joinWords([`${lead} of ${own.length} scenarios`, ...others], 'and')}${open}`,
    ...most,
  ]
}

/** Three or more sides of a scenario, or those left beside failing ones: which are ahead of the others, and how far. */
function severalWords(
  { scenario, sides }: DocumentScenario,
  scenarios: readonly DocumentScenario[],
  metrics: readonly Metric[],
): readonly string[] {
  if (sides.length < 3) return []
  const metric = leadingMetric(metrics, sides)
  if (metric === null) return []
  const all = ranked(metric, sides)
  const gaps = all.slice(1).map(({ value }, at) => factorBetween(value, all[at]?.value ?? value))
  const widest = Math.max(...gaps)
  const firstBehind = widest > plausibleFactor ? gaps.indexOf(widest) + 1 : all.length
  const [ahead, behind] = [all.slice(0, firstBehind), all.slice(firstBehind)]
  const show = ({ value }: Known) => formatMetric(value, metric.unit)
  const label = sentenceLabel(metric)
  const where = on(scenario, scenarios)
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) return []
  if (behind.length === 0)
    return [
      `${label}${where} from ${show(first)} (${first.side.name}) to ${show(last)} (${last.side.name}), one run each: may be noise`,
    ]
  const limit = ahead.at(-1) ?? first
  const bound = metric.direction === 'higher-is-better' ? 'from' : 'up to'
  const names = joinNames(ahead.map(({ side }) => side.name))
  const failed = failedBelow(ahead, sides.length < scenariosSides(scenario, scenarios))
  const next = behind[0] ?? last
  const others =
    behind.length === 1 ? `${next.side.name} has ${show(next)}` : `the others have ${show(next)} to ${show(last)}`
  const has = ahead.length === 1 ? `has a ${label} of ${show(limit)}` : `have a ${label} ${bound} ${show(limit)}`
  const beside = ahead.length === 1 ? `with a ${label} of ${show(limit)}` : `with a ${label} ${bound} ${show(limit)}`
  return [`${names} ${failed === null ? has : `${failed} ${beside}`}${where}, ${others}`]
}

const scenariosSides = (scenario: string, all: readonly DocumentScenario[]): number =>
  all.find((one) => one.scenario === scenario)?.sides.length ?? 0

const failedLimits = [1e-4, 1e-3, 1e-2] as const

/** `stay below 0.1 % failed`, where others of the scenario fail; null: none does, or failures are unknown. */
function failedBelow(ahead: readonly Known[], beside: boolean): string | null {
  if (!beside) return null
  const ratios = ahead.map(({ side }) => side.figures.errorRatio)
  if (ratios.some((ratio) => ratio === null)) return null
  const most = Math.max(...ratios.map((ratio) => ratio ?? 0))
  const limit = failedLimits.find((one) => most < one)
  const verb = (one: string, many: string) => (ahead.length === 1 ? one : many)
  if (most === 0) return `${verb('fails', 'fail')} no request`
  return limit === undefined ? null : `${verb('stays', 'stay')} below ${formatPercent(limit)} failed`
}

/** Two sides of a scenario, in the leading figure. */
interface Duel {
  readonly scenario: string
  readonly metric: Metric
  readonly best: Known
  readonly other: Known
  /** How many times as good the best is; more than 1. */
  readonly factor: number
  /** Single runs of the same thing may differ as much. */
  readonly mayBeNoise: boolean
}

function duelsWords(scenarios: readonly DocumentScenario[], metrics: readonly Metric[]): readonly string[] {
  const pairs = scenarios.filter(({ sides }) => sides.length === 2)
  const duels = pairs.flatMap(({ scenario, sides }): Duel[] => {
    const metric = leadingMetric(metrics, sides)
    const [best, other] = metric === null ? [] : ranked(metric, sides)
    if (metric === null || best === undefined || other === undefined) return []
    const factor = factorBetween(best.value, other.value)
    return [{ scenario, metric, best, other, factor, mayBeNoise: factor <= plausibleFactor }]
  })
  const groups = groupBy(duels, ({ mayBeNoise, metric, best, other }) =>
    [mayBeNoise, metric.id, best.side.name, other.side.name].join('\n'),
  )
  const sizeOf = (group: readonly Duel[]) => Math.max(...group.map(({ factor }) => factor))
  const sorted = [...groups.values()].sort(
    (a, b) => Number(a[0]?.mayBeNoise) - Number(b[0]?.mayBeNoise) || sizeOf(b) - sizeOf(a),
  )
  const certain = sorted.filter(([first]) => first?.mayBeNoise === false).slice(0, maxNamed)
  const doubtful = sorted.filter(([first]) => first?.mayBeNoise === true)
  const known = [...certain.map((group, at) => duelWords(group, scenarios, at > 0)), ...coldWords(pairs, duels)]
  // What one run per side cannot decide comes below; here only where there is little else to state.
  return known.length > 1
    ? known
    : [...known, ...doubtful.slice(0, 1).map((group) => duelWords(group, scenarios, known.length > 0))]
}

/** Duels won by one side in one figure, all by more than noise or none. */
function duelWords(group: readonly Duel[], scenarios: readonly DocumentScenario[], isLater: boolean): string {
  const [first] = group
  if (first === undefined) return ''
  const { best, other, metric, mayBeNoise } = first
  const factors = group.map(({ factor }) => factor)
  const names = group.map(({ scenario }) => scenario)
  const where =
    scenarios.length === 1
      ? ''
      : names.length > maxNamed
        ? ` in ${names.length} scenarios`
        : ` on ${joinWords(names, 'and')}`
  const doubt = mayBeNoise ? ' (one run each: may be noise)' : ''
  const lead = aheadWords(metric, best.side.name, other.side.name, factors, scenarios.length === 1)
  return `${lead}${where}${instancesWords(group, isLater)}${doubt}`
}

function aheadWords(metric: Metric, best: string, other: string, factors: readonly number[], isOnly: boolean): string {
  const beside = isOnly ? other : null
  if (metric.direction === 'higher-is-better') {
    const verb = metric.unit === 'per-second' ? 'serves' : `has a ${sentenceLabel(metric)}`
    const what = metric.unit === 'per-second' ? ' the requests' : ' as high'
    return Math.min(...factors) >= 2
      ? `${best} ${verb} ${factorWords(factors)}${what}${beside === null ? '' : ` of ${beside}`}`
      : `${best} ${verb} ${changeWords(factors, (factor) => factor - 1)} more${beside === null ? '' : ` than ${beside}`}`
  }
  const isDuration = metric.id === 'mean' || metric.id === 'billed'
  const than = beside === null ? '' : ` than ${beside}`
  if (Math.min(...factors) >= 2)
    return isDuration
      ? `${best} is ${factorWords(factors)} faster${than}`
      : `${sentenceLabel(metric)} of ${best} is ${factorWords(factors)} lower${than}`
  const lower = changeWords(factors, (factor) => 1 - 1 / factor)
  return isDuration
    ? `${best} takes ${lower} less time${than}`
    : `${sentenceLabel(metric)} of ${best} is ${lower} lower${than}`
}

function factorWords(factors: readonly number[]): string {
  const [low, high] = [formatFactor(Math.min(...factors)), formatFactor(Math.max(...factors))]
  return low === high ? low : `${low} to ${high}`
}

const shares: readonly (readonly [value: number, words: string])[] = [
  [1 / 2, 'half'],
  [1 / 3, 'a third'],
  [1 / 4, 'a quarter'],
]

/** `a third`, `17 %`, `8 % to 12 %`. */
function changeWords(factors: readonly number[], ratioOf: (factor: number) => number): string {
  const wordsOf = (factor: number) => {
    const ratio = ratioOf(factor)
    const share = factors.length > 1 ? shares.find(([value]) => Math.abs(value - ratio) < 0.02) : undefined
    return share === undefined ? roundChange(ratio).replace('+', '') : share[1]
  }
  const [low, high] = [wordsOf(Math.min(...factors)), wordsOf(Math.max(...factors))]
  return low === high ? low : `${low} to ${high}`
}

const partsOfInstances: readonly (readonly [value: number, words: string])[] = [
  [1 / 2, 'half of'],
  [1 / 3, 'a third of'],
  [1 / 4, 'a quarter of'],
  [1 / 5, 'a fifth of'],
  [1 / 10, 'a tenth of'],
]

/**
 * The price: ` on 100 instances against 20`, ` on a fifth of the instances`; empty: equal, unknown, or not the same in
 * all.
 */
function instancesWords(group: readonly Duel[], isLater: boolean): string {
  const pairs = group.map(({ best, other }) => [best.side.instances, other.side.instances] as const)
  const [first] = pairs
  if (first === undefined || pairs.some(([own, beside]) => own !== first[0] || beside !== first[1])) return ''
  const [own, beside] = first
  if (own === null || beside === null || own === beside) return ''
  const part = partsOfInstances.find(([value]) => Math.abs(value - own / beside) < 0.01)
  return isLater && part !== undefined
    ? ` on ${part[1]} the instances`
    : ` on ${plural(own, 'instance')} against ${beside}`
}

/** For Lambda: which side's cold starts take longer, and the duration of a cold invocation where they differ most. */
function coldWords(pairs: readonly DocumentScenario[], duels: readonly Duel[]): readonly string[] {
  const cold = pairs.flatMap(({ scenario, sides: [a, b] }) => {
    const [first, second] = [a?.figures.initMs ?? null, b?.figures.initMs ?? null]
    if (a === undefined || b === undefined || first === null || second === null || first <= 0 || second <= 0) return []
    const [slow, fast] = first > second ? [a, b] : [b, a]
    return [{ scenario, slow, fast, factor: factorBetween(first, second) }]
  })
  const [one] = cold
  if (one === undefined) return []
  const own = cold.filter(({ slow }) => slow.name === one.slow.name)
  if (own.length < cold.length || own.every(({ factor }) => factor <= plausibleFactor)) return []
  const lead = `cold starts (init) of ${one.slow.name} take ${factorWords(own.map(({ factor }) => factor))} as long as those of ${one.fast.name}`
  const largest = [...duels].sort((a, b) => b.factor - a.factor)[0]
  const at = own.find(({ scenario }) => scenario === largest?.scenario) ?? one
  const total = ({ figures: { initMs, meanMs } }: DocumentSide) =>
    initMs === null || meanMs === null ? null : formatMetric(initMs + meanMs, 'ms')
  const [slow, fast] = [total(at.slow), total(at.fast)]
  if (slow === null || fast === null) return [lead]
  return [`${lead}: with init, an invocation takes ${slow} against ${fast}${on(at.scenario, pairs)}`]
}

/** Failures too rare for a percentage, if there are no others: `2 requests in 10⁸ failed on either`. */
function rareFailures(scenarios: readonly DocumentScenario[]): readonly string[] {
  const [only, ...more] = scenarios
  const ratios = only?.sides.map(({ figures }) => figures.errorRatio ?? 0) ?? []
  if (more.length > 0 || ratios.length !== 2 || ratios.some((ratio) => ratio <= 0 || ratio >= 1e-5)) return []
  const [one, other] = ratios.map(rareWords)
  return one === undefined || one !== other ? [] : [`${one} failed on either`]
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** `2 requests in 10⁸`. */
function rareWords(ratio: number): string {
  const exponent = Math.ceil(-Math.log10(ratio))
  const count = Math.round(ratio * 10 ** exponent)
  const power = [...String(exponent)].map((digit) => superscripts[Number(digit)] ?? '').join('')
  return `${plural(count, 'request')} in 10${power}`
}
