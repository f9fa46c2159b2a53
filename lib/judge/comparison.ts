import {
  formatCount,
  formatFactor,
  formatMetric,
  formatPercent,
  formatTick,
  plural,
  roundChange,
  roundChangeWords,
} from '../format'
import { failureKinds } from '../run/figures'
import {
  comparedByDefault,
  defaultMetric,
  findMetric,
  metricsOf,
  type Metric,
  isLatency,
  sentenceLabel,
} from '../run/metrics'
import type { RunRow } from '../history/stored-runs'
import { joinWords } from '../text'
import { writeSides } from './compare-url'
import { servedPerInstance } from './cost'
import {
  decidingWords,
  deltasOf,
  factorOf,
  roundInterval,
  isShownSmall,
  isSpeakable,
  leaningOf,
  mayBeNoise,
  missingReason,
  nameOf,
  plausibleFactor,
  type ComparisonRow,
  type Delta,
} from './delta'
import { firstRounds, maxRounds, minDecidingRounds, plannedPower, planRounds } from './rounds-needed'
import { countSideBlocks } from './rounds'
import { afterWarmUp, knownOfSteady, namedAfterWarmUp, type ComparedWindow } from './steady-window'
import {
  figuresToJudge,
  roundPairs,
  failuresOf,
  metricOfSide,
  sideFigureOf,
  type ComparedRun,
  type NoiseOf,
  type RoundPair,
  type Side,
  type StepOf,
} from './sides'
import { median } from '../stats/robust'

export interface Comparison<Run extends ComparedRun = RunRow> {
  /** The first run of each side. */
  readonly baseline: Run
  readonly candidates: readonly Run[]
  /** All runs, side by side, the base first. */
  readonly sides: readonly Side<Run>[]
  /** In the order of the metrics; those that no run has are left out. */
  readonly rows: readonly ComparisonRow[]
  /** What one instance serves, if their number is known and differs; null otherwise. */
  readonly perInstance: ComparisonRow | null
  /** The leading metric round by round, if two sides were run in turn and judged that way; null otherwise. */
  readonly rounds: { readonly metric: Metric; readonly pairs: readonly RoundPair[] } | null
  /** Failures, then the largest difference, in one sentence. Without a full stop. */
  readonly sentence: string
  /** How reliable that is and what would show more: sentences, the last one without a full stop. */
  readonly caution: string
  /** The first of them, where only one fits: how certain the first sentence is. Empty for a lone side. */
  readonly doubt: string
}

/** Its sides as in an address: the subject of its facts. */
export const writtenSides = ({ sides }: Pick<Comparison<ComparedRun & { readonly id: string }>, 'sides'>): string =>
  writeSides(sides.map((side) => side.map(({ id }) => id)))

interface Options<Run> {
  /** Null: the defaults. */
  readonly metricIds?: readonly string[] | null
  readonly noiseOf?: NoiseOf<Run>
  /** What alerts report of the steps between sides. */
  readonly stepOf?: StepOf<Run>
  /** How many instances served a run; null: unknown. */
  readonly instancesOf?: (run: Run) => number | null
  /** `steady` only if `canCompareSteady`. Failures are those of whole runs either way. */
  readonly window?: ComparedWindow
}

/** Compares sides of repeated runs: the unit is the run, however many requests it made. Never throws. */
export function compareSides<Run extends ComparedRun>(
  base: Side<Run>,
  others: readonly Side<Run>[],
  options: Options<Run> = {},
): Comparison<Run> {
  const { metricIds = null, noiseOf = () => null, stepOf = () => null, window = 'whole' } = options
  const sides = [base, ...others]
  const runs = sides.flat()
  const shown = (metricIds ?? comparedByDefault(runs))
    .flatMap((id) => findMetric(id) ?? [])
    .filter((metric) => runs.some((run) => metric.read(run.figures) !== null))
  const isSteady = window === 'steady'
  // Failures are those of whole runs, everything else is of the judged part.
  const inWindow = (side: Side<Run>): Side<Run> => (isSteady ? afterWarmUp(side) : side)
  const [judgedBase, judgedOthers] = [inWindow(base), others.map(inWindow)]
  const known = isSteady ? knownOfSteady(noiseOf, stepOf) : { noiseOf, stepOf }
  const deltas = judgedOthers.map((side) => deltasOf(judgedBase, side, shown, { ...known, candidates: others.length }))
  const rows = shown.map((metric) => {
    const figure = metricOfSide(metric, judgedBase)
    return {
      metric: isSteady ? namedAfterWarmUp(metric) : metric,
      baseValue: figure.value,
      baseSpreadRatio: figure.spreadRatio,
      baseReason: figure.value === null ? missingReason(metric, base[0]) : null,
      deltas: deltas.flatMap((ofSide) => ofSide.get(metric.id) ?? []),
    }
  })
  const cautions = cautionsOf(rows, [judgedBase, ...judgedOthers])
  const perInstance = servedPerInstance(judgedBase, judgedOthers, {
    rows,
    noiseOf: known.noiseOf,
    instancesOf: options.instancesOf ?? (() => null),
  })
  return {
    baseline: base[0],
    candidates: others.map((side) => side[0]),
    sides,
    rows,
    perInstance,
    rounds: roundsOf(rows, judgedBase, judgedOthers),
    sentence: `${sentenceOf(rows, sides)}${instanceWords(rows, sides, perInstance === null ? null : options.instancesOf)}`,
    caution: cautions.join('. '),
    doubt: cautions[0] ?? '',
  }
}

/** The price of a changed rate: ` with ×5 the instances`; empty if no rate is named, or their number is the same. */
function instanceWords<Run extends ComparedRun>(
  rows: readonly ComparisonRow[],
  [base, head, ...more]: readonly Side<Run>[],
  instancesOf: ((run: Run) => number | null) | null | undefined,
): string {
  const isRate = namedChanges(rows).some(({ metric }) => metric.unit === 'per-second')
  if (!base || !head || more.length > 0 || !instancesOf || !isRate) return ''
  const [from, to] = [base, head].map((side) => sideFigureOf(side.map(instancesOf)).value)
  if (!from || !to || from === to) return ''
  return `, with ×${formatTick(Number((to / from).toPrecision(2)))} the instances`
}

/** The metric named in the first sentence, else the first of the headline, if rounds decided it. */
function roundsOf(
  rows: readonly ComparisonRow[],
  base: Side<ComparedRun>,
  others: readonly Side<ComparedRun>[],
): Comparison['rounds'] {
  const [head, ...more] = others
  if (!head || more.length > 0) return null
  const named = namedChanges(rows).map(({ metric }) => metric.id)
  const byRounds = [...named, ...headlineIds].flatMap((id) =>
    rows.filter(
      ({ metric, deltas: [delta] }) => metric.id === id && metric.unit !== 'ratio' && (delta?.rounds ?? 0) > 1,
    ),
  )
  const [row] = byRounds
  const pairs = row === undefined ? null : roundPairs(row.metric, base, head)
  return row === undefined || pairs === null ? null : { metric: row.metric, pairs }
}

/** Ids of the subjects of a first sentence, most important first. */
const headlineIds = metricsOf('headline').map(({ id }) => id)

type Sides = readonly Side<ComparedRun>[]

/** The name of a side among the others. */
function sideName(side: Side<ComparedRun>, sides: Sides): string {
  const [base, second] = sides
  const other = side === base ? second : base
  return nameOf(side, other ?? side)
}

/** Failures lead; then the largest difference between a base and its candidates. */
function sentenceOf(rows: readonly ComparisonRow[], sides: Sides): string {
  const [base, only, ...more] = sides
  if (!base || !only) return 'Nothing to compare with yet: add a second run'
  const failed = failureWords(sides)
  if (failed?.isAll) {
    const range = rangeOf(rows, sides, ' of the failures')
    return range === null ? failed.words : `${failed.words}; ${range}`
  }
  const differs =
    more.length > 0
      ? (rangeOf(rows, sides, '') ?? `${sides.length} sides beside each other; changes are relative to the baseline`)
      : changesOf(rows, sideName(only, sides))
  if (failed === null) return differs
  return isNews(rows, more.length > 0) ? `${failed.words}; ${differs}` : failed.words
}

/** Next to failures, only a real difference is worth stating. */
const isNews = (rows: readonly ComparisonRow[], isRange: boolean): boolean =>
  rows.some((row) => headlineIds.includes(row.metric.id) && row.deltas.some((delta) => isRange || isNamed(row, delta)))

/**
 * Whether a first sentence may name it: a difference that is shown and matters, or, for single runs, where none can be
 * shown, the figures themselves; the max of one run is that of one request.
 */
function isNamed({ metric, baseValue }: ComparisonRow, delta: Delta): boolean {
  if (metric.unit === 'ratio' || delta.reason !== null || isShownSmall(delta, metric)) return false
  if (metric.id === 'max' && Math.min(...delta.counts) < 2) return false
  if (delta.verdict === 'better' || delta.verdict === 'worse') return true
  const { method, value } = delta
  return method === 'none' && value !== null && baseValue !== null && isSpeakable(metric, baseValue, value)
}

/**
 * What a first sentence about one candidate names: at most two changes. What is certain leads, then what is most
 * important; the second one contradicts the first, if anything certain does.
 */
function namedChanges(rows: readonly ComparisonRow[]) {
  // For a single invocation mean, min and max are the same figure, stated once.
  const seen = new Set<number>()
  // What an alert reports leads, even if it is not a headline figure.
  const reported = rows.flatMap(({ metric, deltas: [delta] }) => (delta?.method === 'level-change' ? metric.id : []))
  const lead = reported.includes(defaultMetric.id) ? [] : reported.slice(0, 1)
  const changes = [...new Set([...lead, defaultMetric.id, ...reported, ...headlineIds])].flatMap((id) => {
    const row = rows.find((one) => one.metric.id === id)
    const [delta] = row?.deltas ?? []
    const ratio = delta?.changeRatio ?? null
    if (!row || !delta || ratio === null || !isNamed(row, delta) || seen.has(ratio)) return []
    seen.add(ratio)
    return [{ metric: row.metric, delta, ratio }]
  })
  const isCertain = ({ delta }: (typeof changes)[number]) => !mayBeNoise(delta)
  const certain = changes.filter(isCertain)
  const [first, ...rest] = [...certain, ...changes.filter((one) => !isCertain(one))]
  if (first === undefined) return []
  const isBetter = ({ metric, ratio }: (typeof changes)[number]) => leaningOf(metric, 1, 1 + ratio) === 'better'
  const against = certain.find((one) => isBetter(one) !== isBetter(first))
  const second = against ?? rest.find(({ metric }) => metric === defaultMetric) ?? rest[0]
  return second === undefined ? [first] : [first, second]
}

/**
 * One candidate: the changes that may be named; else that figures are the same, or that nothing can be concluded yet.
 */
function changesOf(rows: readonly ComparisonRow[], name: string): string {
  const leading = headlineIds.flatMap((id) => rows.find((row) => row.metric.id === id) ?? [])
  const news = namedChanges(rows).map(({ metric, delta, ratio }, at) => {
    const interval = roundInterval(delta)
    const change = `${at === 0 ? metric.shortLabel : sentenceLabel(metric)} is ${roundChangeWords(ratio)}`
    return interval === null ? change : `${change} (${interval})`
  })
  if (news.length > 0) return `${news.join(' and ')} on ${name}`
  const notable = leading.find(
    ({ metric, deltas: [delta] }) => delta && (decidingWords(delta) !== null || isShownSmall(delta, metric)),
  )
  const [undecided] = notable?.deltas ?? []
  if (notable && undecided && isShownSmall(undecided, notable.metric)) {
    const effect = `${roundChange(undecided.changeRatio)} (${roundInterval(undecided) ?? ''})`
    return `${notable.metric.shortLabel} differs by less than matters on ${name}: ${effect}`
  }
  const open = notable
  if (open && undecided) {
    const interval = roundInterval(undecided)
    const effect = `${open.metric.shortLabel} ${roundChange(undecided.changeRatio)}`
    return `Undecided: ${effect}${interval === null ? '' : ` (${interval})`} on ${name}; ${decidingWords(undecided) ?? ''}`
  }
  const same = leading.find(({ deltas: [delta] }) => delta?.verdict === 'same')
  const [equal] = same?.deltas ?? []
  if (same && equal) {
    const effect = `${same.metric.shortLabel} ${roundChange(equal.changeRatio)}`
    return `The same within ${formatPercent(equal.marginRatio)} on ${name}: ${effect} (${roundInterval(equal) ?? ''})`
  }
  const barred = leading.find(({ deltas: [delta] }) => delta?.verdict === 'undecided' && delta.reason !== null)
  if (barred) return `No verdict on ${name}: ${barred.deltas[0]?.reason ?? ''}`
  // What is left out above may still differ.
  const isMaxApart = rows.some(
    ({ metric, baseValue, deltas: [delta] }) =>
      metric.id === 'max' && baseValue !== null && delta?.value != null && isSpeakable(metric, baseValue, delta.value),
  )
  if (isMaxApart) return `Only the max of single runs differs on ${name}`
  return `No figure of ${name} differs by half a percent or more`
}

/**
 * For several sides: the range of the first headline figure that all of them have; null: none differs. Where repeats
 * were judged, one of them must differ beyond noise.
 */
function rangeOf(rows: readonly ComparisonRow[], sides: Sides, of: string): string | null {
  for (const id of headlineIds) {
    const row = rows.find((one) => one.metric.id === id)
    if (!row || (of !== '' && row.metric.unit !== 'ms')) continue
    if (id === 'max' && sides.some((side) => side.length < 2)) continue
    const isJudged = row.deltas.every((delta) => delta.method !== 'none')
    if (isJudged && row.deltas.every((delta) => !isNamed(row, delta))) continue
    const values = [row.baseValue, ...row.deltas.map((delta) => delta.value)]
    const known = values.flatMap((value, at) => (value === null ? [] : [{ value, side: sides[at] }]))
    known.sort((a, b) => a.value - b.value)
    const [lowest] = known
    const highest = known.at(-1)
    if (known.length < sides.length || !lowest?.side || !highest?.side || highest.value < lowest.value * 1.005) continue
    const text = (value: number) => formatMetric(value, row.metric.unit)
    const [low, high] = [nameOf(lowest.side, highest.side), nameOf(highest.side, lowest.side)]
    const [from, to] = [text(lowest.value), text(highest.value)]
    const reach = low === high ? `${from} to ${to}` : `${from} (${low}) to ${to} (${high})`
    return `${row.metric.shortLabel}${of} ranges from ${reach}`
  }
  return null
}

/** A smaller share of failures is no headline; it stays among the findings. */
const newsFromRatio = 1e-5

/** The failures of the side with the largest share of them; null: nothing failed, or it is unknown. */
function failureWords(sides: Sides): { readonly words: string; readonly isAll: boolean } | null {
  const known = sides.flatMap((side) => {
    const all = failuresOf(side)
    return all === null ? [] : [{ side, ...all }]
  })
  const [worst, ...rest] = known.filter(({ failed }) => failed > 0).sort((a, b) => b.ratio - a.ratio)
  if (!worst || worst.ratio < newsFromRatio) return null
  const what = worst.side[0].tool === 'lambda' ? 'invocations' : 'requests'
  if (rest.length === sides.length - 1 && [worst, ...rest].every(({ ratio }) => ratio === 1)) {
    const kinds = [...new Set(sides.flat().flatMap((run) => kindsOf([run]).map(({ words }) => words)))]
    const how = kinds.length === 0 ? '' : ` (all ${joinWords(kinds, 'or')})`
    return { words: `None of the ${what} succeeded on any side${how}`, isAll: true }
  }
  const kinds = kindsOf(worst.side).map(({ words, count }) => `${formatCount(count)} ${words}`)
  const [second] = rest
  const others =
    second === undefined
      ? ''
      : rest.length === 1 && sides.length === 2
        ? `, ${formatPercent(second.ratio)} on ${sideName(second.side, sides)}`
        : `, up to ${formatPercent(second.ratio)} on others`
  const share = worst.ratio === 1 ? 'All' : `${formatPercent(worst.ratio)} of`
  const lead = `${share} ${formatCount(worst.attempts)} ${what} failed on ${sideName(worst.side, sides)}${others}`
  return {
    words: `${lead}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}${servedWords(worst.side)}`,
    isAll: false,
  }
}

function kindsOf(runs: readonly ComparedRun[]): readonly { readonly words: string; readonly count: number }[] {
  const kinds = new Map<string, number>()
  for (const { imported } of runs)
    for (const { words, count } of imported ? failureKinds(imported) : [])
      kinds.set(words, (kinds.get(words) ?? 0) + count)
  const all = [...kinds].map(([words, count]) => ({ words, count }))
  return all.slice(0, 3)
}

/** What was served against what was offered; empty if they hardly differ. */
function servedWords(side: Side<ComparedRun>): string {
  const value = (read: (run: ComparedRun) => number | null) => sideFigureOf(side.map(read)).value
  const served = value((run) => run.figures.throughputPerSecond)
  const offered = value((run) => run.figures.requestsPerSecond)
  if (served === null || offered === null || served >= offered * 0.99) return ''
  return ` (${formatMetric(served, 'per-second')} served of ${formatMetric(offered, 'per-second')})`
}

/** Other possible causes of the difference, how certain it is, and what would show more. */
function cautionsOf(rows: readonly ComparisonRow[], sides: Sides): readonly string[] {
  const [base, ...others] = sides
  if (!base || others.length === 0) return []
  const isSingle = sides.every((side) => side.length === 1)
  const sentences = [
    ...(isSingle ? [singlesWords(rows, sides)] : designWords(rows, sides)),
    ...leftOutWords(rows, sides),
    plannerWords(rows, sides),
  ]
  return sentences.flatMap((one) => (one === null || one === '' ? [] : [one]))
}

/** The first headline row whose deltas were judged, else the first; rounds are planned for it. */
function leadingRow(rows: readonly ComparisonRow[]): ComparisonRow | null {
  const leading = headlineIds.flatMap((id) => rows.find((row) => row.metric.id === id) ?? [])
  const isOpen = ({ metric, deltas }: ComparisonRow) =>
    metric.unit !== 'ratio' && deltas.some((delta) => delta.marginRatio !== null && delta.reason === null)
  return leading.find(isOpen) ?? rows.find(isOpen) ?? null
}

function singlesWords(rows: readonly ComparisonRow[], sides: Sides): string {
  const many = sides.length > 2
  const isOneCall = sides.every(([run]) => run.figures.requests === 1)
  const what = isOneCall ? 'invocation' : 'run'
  const each = many ? `One ${what} of each of the ${numberWord(sides.length)}` : `One ${what} per side`
  const lead = `${each}${isOneCall ? ' (n = 1)' : ''}`
  const row = leadingRow(rows)
  if (row === null) return lead
  const [known] = row.deltas
  if (known && known.method === 'history' && !many) {
    const shown = known.verdict === 'better' || known.verdict === 'worse'
    const { lowRatio, highRatio, changeRatio } = known
    const reach =
      lowRatio === null || highRatio === null || changeRatio === null
        ? null
        : Math.max((1 + highRatio) / (1 + changeRatio), (1 + changeRatio) / (1 + lowRatio))
    const noise = reach === null ? '' : ` by up to ${roundChange(reach - 1).replace('+', '')}`
    return `${lead}: ${sentenceLabel(row.metric)} of two runs of one thing differs${noise} here, ${shown ? 'so this is more' : 'so this may be noise'}`
  }
  if (known && known.method === 'history') return `${lead}, judged by the noise of their history`
  return `${lead}${many ? noiseOfRange(row) : noiseOfPair(rows)}`
}

/** How large noise would have to be to cause what the first sentence states about a pair. */
function noiseOfPair(rows: readonly ComparisonRow[]): string {
  const changes = namedChanges(rows).map(({ metric, delta }) => ({
    name: sentenceLabel(metric),
    factor: factorOf(delta),
  }))
  const beyond = changes.filter(({ factor }) => factor > plausibleFactor).sort((a, b) => b.factor - a.factor)
  const within = changes.filter(({ factor }) => factor <= plausibleFactor).map(({ name }) => name)
  const [most] = beyond
  if (most === undefined) return within.length === 0 ? '' : ', so this may be noise'
  const what = within.length === 0 ? 'this' : most.name
  const may = within.length === 0 ? '' : `${joinWords(within, 'and')} may be noise; `
  const of = within.length === 0 ? `${most.name} of ` : ''
  return `: ${may}for ${what} to be noise, ${of}two runs of one thing must differ ${formatFactor(most.factor)}`
}

/** The same, for the figure whose range the first sentence gives. */
function noiseOfRange({ metric, deltas }: ComparisonRow): string {
  const factor = Math.max(1, ...deltas.map(factorOf))
  if (factor === 1) return ''
  if (factor <= plausibleFactor) return ', so this may be noise'
  return `: for this to be noise, ${sentenceLabel(metric)} of two runs of one thing must differ ${formatFactor(factor)}`
}

/** How the runs are arranged in time, and how that affects the verdict. */
function designWords(rows: readonly ComparisonRow[], sides: Sides): readonly string[] {
  const [base, ...others] = sides
  const row = leadingRow(rows)
  if (!base || row === null) return []
  if (isReported(rows)) return ['An alert reports this change of level: its figures are those of the whole history']
  const at = Math.max(
    0,
    row.deltas.findIndex(({ warnings }) => warnings.includes('blocks')),
  )
  const [delta, side] = [row.deltas[at], others[at]]
  if (!delta || !side) return []
  const { warnings, rounds } = delta
  const found: string[] = []
  const [one, other] = [sideName(base, sides), sideName(side, sides)]
  if (warnings.includes('labels-ignored')) found.push('Labels of rounds do not fit the times of the runs')
  if (warnings.includes('order-unknown') && warnings.includes('blocks')) {
    found.push('The order of these runs is unknown: what differs may be the machine. Alternate the sides')
  } else if (warnings.includes('blocks')) {
    found.push(
      `${blockWords(row.metric, base, side, [one, other])}: ${stepWords(delta)}. Alternate them, drawing the order`,
    )
  } else if (rounds === 0) found.push(`${base.length} + ${side.length} runs are too few for a verdict`)
  else found.push(plural(rounds, 'round'))
  if (warnings.includes('no-history')) found.push('Nothing is known of how this machine wanders: 10 % are assumed')
  if (warnings.includes('fixed-order'))
    found.push('The same side came first in every round: what comes second may always be warmer. Draw the order')
  else if (warnings.includes('unproven'))
    found.push('The order was turned in every round: a machine that swings along seems a change. Draw the order')
  if (warnings.includes('too-few') && rounds > 0) found.push(`Verdicts begin at ${minDecidingRounds} rounds`)
  else if (warnings.includes('few-rounds') && rounds > 1)
    found.push('So few rounds assume that their differences scatter normally')
  if (warnings.includes('unpaired')) found.push('Runs without a partner in their round are left out')
  if (warnings.includes('sequential')) found.push('Evaluated as rounds were added: the bar is stricter')
  const many = rows.filter(({ deltas }) => deltas.some((one) => one.warnings.includes('multiple')))
  if (many.length > 0) {
    const names = many.map(({ metric }, at) => (at === 0 ? metric.shortLabel : sentenceLabel(metric)))
    const judged = rows.filter(({ deltas }) => deltas.some(({ method }) => method !== 'none')).length
    found.push(`${joinWords(names, 'and')} may be chance: one of ${judged} metrics`)
  }
  return found
}

/** What a machine may do between two blocks, and has done. */
function stepWords({ orderBoundRatio }: Delta): string {
  const known =
    orderBoundRatio === null ? '' : `; one of ${formatPercent(Number(orderBoundRatio.toPrecision(2)))} may be`
  return `a step of the machine between them would show the same${known}`
}

/** Whether an alert reports the step between sides: no repeats are needed to show it. */
const isReported = (rows: readonly ComparisonRow[]): boolean =>
  rows.some(({ deltas }) => deltas.some(({ method }) => method === 'level-change'))

function blockWords(
  metric: Metric,
  base: Side<ComparedRun>,
  side: Side<ComparedRun>,
  [one, other]: readonly [string, string],
): string {
  const runs = figuresToJudge(metric, base, side)?.runs ?? []
  const blocks = countSideBlocks(runs)
  if (blocks.base > 1 || blocks.head > 1) return `${one} and ${other} ran in stretches, not in turns`
  const startOf = (which: 'base' | 'head') =>
    median(runs.flatMap((run) => (run.side === which ? (run.startS ?? []) : [])))
  return startOf('base') <= startOf('head') ? `${other} ran after ${one}` : `${one} ran after ${other}`
}

/** What bars a verdict, each reason once: for which figures, and for which candidates if not all of them. */
function leftOutWords(rows: readonly ComparisonRow[], sides: Sides): readonly string[] {
  const others = sides.slice(1)
  const whole = wholeBars(rows, others.length)
  const found = new Map<string, { readonly metrics: Set<Metric>; readonly at: Set<number> }>()
  for (const { metric, deltas } of rows) {
    for (const [at, { verdict, reason }] of deltas.entries()) {
      if (verdict !== 'undecided' || reason === null || whole.has(at)) continue
      const one = found.get(reason) ?? { metrics: new Set(), at: new Set() }
      found.set(reason, { metrics: one.metrics.add(metric), at: one.at.add(at) })
    }
  }
  const latencies = rows.flatMap(({ metric }) => (isLatency(metric) ? metric : []))
  const barred = [...found].map(([reason, { metrics, at }]) => {
    const isAll = latencies.length > 1 && latencies.every((metric) => metrics.has(metric))
    const names = [...metrics].flatMap((metric) => (isAll && isLatency(metric) ? [] : sentenceLabel(metric)))
    const on = joinWords(isAll ? ['latency', ...names] : names, 'and')
    const named = others.flatMap((side, index) => (at.has(index) ? sideName(side, sides) : []))
    const of = named.length === others.length ? '' : ` of ${joinWords(named, 'and')}`
    return `No verdict on ${on}${of}: ${reason}`
  })
  const isPartial = rows.some(({ deltas }) =>
    deltas.some(({ reason, warnings }) => reason === null && warnings.includes('invalid-runs')),
  )
  const left = isPartial && sides.some((side) => side.length > 1) ? ['Runs that are no measurement are left out'] : []
  return [...left, ...wholeWords(whole, others, sides), ...barred]
}

/** For several candidates, those without any verdict, and why; for one the figures are named instead. */
function wholeBars(rows: readonly ComparisonRow[], candidates: number): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (let at = 0; candidates > 1 && at < candidates; at += 1) {
    const judged = rows.flatMap(({ deltas }) => deltas[at] ?? []).filter(({ verdict }) => !isUnjudged(verdict))
    const reasons = judged.map(({ reason }) => reason?.split('; ') ?? [])
    const shared = reasons[0]?.find((part) => reasons.every((parts) => parts.includes(part)))
    if (shared !== undefined) found.set(at, shared)
  }
  return found
}

const isUnjudged = (verdict: Delta['verdict']): boolean => verdict === 'unknown' || verdict === 'neutral'

function wholeWords(whole: ReadonlyMap<number, string>, others: Sides, sides: Sides): readonly string[] {
  if (whole.size === 0) return []
  const reasons = [...new Set(whole.values())]
  const [only] = reasons
  if (whole.size === others.length && reasons.length === 1) return [`No verdict: ${only ?? ''}`]
  const named = reasons.map((reason) => {
    const names = others.flatMap((side, at) => (whole.get(at) === reason ? sideName(side, sides) : []))
    return `${joinWords(names, 'and')} (${reason})`
  })
  return [`No verdict on ${joinWords(named, 'or')}`]
}

/**
 * How many rounds show the smallest change that matters with 80 % probability, and how many remain; if rounds are
 * already promised, how far that promise holds: one number per page. Null: nothing to plan.
 */
function plannerWords(rows: readonly ComparisonRow[], sides: Sides): string | null {
  const row = leadingRow(rows)
  if (row === null || isReported(rows)) return null
  if (sides.every(([run]) => run.figures.requests === 1))
    return 'Repeat each, ideally a hundred times, before relying on it'
  const power = formatPercent(plannedPower)
  const open = rows.flatMap(({ deltas }) => deltas.filter((delta) => decidingWords(delta) !== null))
  if (open.some(({ moreRounds }) => moreRounds !== null)) return `So many more rounds decide with ${power} power`
  if (open.length > 0) return null
  const plans = row.deltas.flatMap((delta) => {
    if (delta.marginRatio === null || delta.reason !== null) return []
    const { pilot, marginRatio, rounds } = delta
    const have = Math.max(rounds, sides.every((side) => side.length === 1) ? 1 : 0)
    if (pilot === null) return [{ needed: firstRounds, have, isKnown: false, marginRatio }]
    return [{ needed: planRounds(pilot, marginRatio), have, isKnown: true, marginRatio }]
  })
  const [most] = plans.sort((a, b) => (b.needed ?? maxRounds + 1) - (a.needed ?? maxRounds + 1))
  if (!most) return null
  const { needed, have, isKnown, marginRatio } = most
  const effect = `a ${formatPercent(marginRatio)} change of ${sentenceLabel(row.metric)}`
  if (needed === null)
    return `Even ${maxRounds} rounds would not show ${effect} with ${power} power: longer runs or a quieter machine would`
  const more = needed > have ? `; ${formatCount(needed - have)} more to go` : ''
  if (!isKnown) return `${needed} rounds, a run of each side in turn, show how many are needed${more}`
  return `${needed} rounds would show ${effect} with ${power} power${more}`
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const numberWord = (value: number) => numbers[value] ?? String(value)
