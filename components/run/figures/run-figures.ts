import { missingReason } from '@/lib/judge/delta'
import { guardReason } from '@/lib/judge/guard-words'
import { verdictWords } from '@/lib/judge/judgement-sentence'
import {
  columnUnit,
  formatChange,
  formatCompared,
  formatCount,
  formatInColumn,
  formatMetric,
  formatPercent,
  missing,
  plural,
  withUnit,
} from '@/lib/format'
import { fewWords, restsOnFew } from '@/lib/stats/sampled-run'
import { againstFact, beforeFact, expectedFact, figureFact, type Fact } from '@/lib/run/fact'
import { isBarredBy } from '@/lib/run/guard'
import type { JudgedState } from '@/lib/run/judged-states'
import { heldAgainst, sinceWords, type HeldAgainst, type MetricJudgement } from '@/lib/run/judgement'
import { attemptsOfFigures, boundOf, findMetric, isLatency, metrics, metricsOf, type Metric } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import { steadyMetrics, steadyPartOf } from '@/lib/run/steady-part'
import type { StoredRun } from '@/lib/history/stored-runs'
import { isAtTimeout, tools } from '@/lib/run/tools'
import { prepareBullet, type BulletInput } from '../../charts/bullet'
import type { Bullet } from '../../charts/plot/rows/bullet'

/** A figure of a run, for its page. */
export interface ShownFigure {
  readonly id: string
  readonly label: string
  /** With unit; – when missing. */
  readonly text: string
  /** As the tool printed it; null when it was computed or is missing. */
  readonly printed: string | null
  /** What it means. */
  readonly explain: string
  /** On hover: as printed, or unrounded, or why it is missing. */
  readonly title: string
  readonly fact: Fact
  /** It is a percentile that rests on few samples. */
  readonly isFew: boolean
}

/** The text from which a metric was read; null when the tool did not print it. */
function printedOf(metric: Metric, run: ImportedRun): string | null {
  const key = metric.printedKey(run)
  return key === null ? null : (run.printed[key] ?? null)
}

/** A latency at the timeout: how long it would have been is unknown. */
const isCut = (metric: Metric, run: StoredRun, value: number | null): boolean =>
  value !== null && isLatency(metric) && isAtTimeout(run.tool, value)

function shownFigure(metric: Metric, run: StoredRun, label = metric.label): ShownFigure {
  const value = metric.read(run.figures)
  const printed = value === null ? null : printedOf(metric, run.imported)
  const unrounded = value === null ? missingReason(metric, run) : `computed: ${value}`
  const isFew = value !== null && restsOnFew(metric, [run])
  const title = printed === null ? unrounded : `printed: ${printed}`
  return {
    id: metric.id,
    label,
    text: `${boundOf(run, metric, value)}${formatMetric(value, metric.unit)}`,
    printed,
    explain: metric.explain,
    title: isFew ? `${title}. ${fewWords(run)}` : title,
    isFew,
    fact: figureFact(run.id, metric, value, isCut(metric, run, value)),
  }
}

/** How urgently a figure needs attention; null: it does not. */
type Tone = 'worse' | 'unusual' | null

/** One of the large figures of a page. */
export interface KeyFigure {
  readonly id: string
  readonly label: string
  /** `97.6`, without its unit. */
  readonly text: string
  /** Empty: none. */
  readonly unit: string
  readonly tone: Tone
  /** Null: it has no expected range. */
  readonly bullet: Bullet | null
  /** The expected range, or why there is none; empty: nothing to show. */
  readonly sub: string
  readonly title: string
  /** It is a percentile that rests on few samples. */
  readonly isFew: boolean
  readonly fact: Fact | null
  /** The range, if `sub` shows it; null: it shows something else. */
  readonly expected: Fact | null
  /** How far the judged value is from the level that the range is of; null: not shown. */
  readonly against: { readonly fact: Fact; readonly words: string } | null
}

/**
 * The leading figures of the page: tail and throughput, or time and cost of an invocation; failures first if requests
 * failed. The metric that the judgement is about is among them.
 */
export function keyFigures(run: StoredRun): readonly KeyFigure[] {
  const isLambda = tools[run.tool].counts === 'invocation'
  const lead = withHeadline(metricsOf(isLambda ? 'lambda-lead' : 'lead'), run)
  const known = lead.filter((metric) => metric.read(run.figures) !== null)
  // For a tool that printed no percentile, the mean shows how long a request took.
  const instead = known.some(isLatency)
    ? []
    : metricsOf('previous').filter((metric) => metric.read(run.figures) !== null)
  const shown = [...instead.filter(isLatency).slice(0, 1), ...known].map((metric) => {
    const label = (isLambda ? metric.lambdaLabel : undefined) ?? metric.shortLabel
    return metric.id === 'error-count'
      ? failedFigure(run, metric)
      : metric.id === 'requests-per-second'
        ? servedFigure(run, metric)
        : keyFigure(run, metric, label)
  })
  if (run.judgement?.state !== 'failing') return shown
  const isFirst = ({ id }: KeyFigure) => id === 'error-count' || id === 'throughput'
  const first = shown.filter(isFirst)
  return [...first.sort((a, b) => a.id.localeCompare(b.id)), ...shown.filter((one) => !isFirst(one))]
}

/** Headlines about failures are covered by the number of failed requests. */
function withHeadline(lead: readonly Metric[], { judgement }: StoredRun): readonly Metric[] {
  const metric = findMetric(judgement?.metricId ?? '')
  if (metric === null || metric.group === 'Failures' || lead.includes(metric)) return lead
  return metric.id === 'throughput' ? lead : [metric, ...lead]
}

function keyFigure(run: StoredRun, metric: Metric, label: string): KeyFigure {
  const value = metric.read(run.figures)
  const figure = shownFigure(metric, run, label)
  const judged = judgedOf(run, metric)
  const held = heldOf(run, metric)
  const cut = isCut(metric, run, value)
  const sub = cut ? 'cut off by timeout' : judged?.state === 'barred' ? 'not judged' : expectedWords(run, metric, held)
  return {
    ...splitUnit(figure.text),
    id: metric.id,
    label,
    tone: toneOf(judged, held),
    bullet: cut ? null : bulletOf(judged, held),
    sub,
    title: judged?.state === 'barred' ? `${reasonOf(run, metric)}. ${figure.title}` : figure.title,
    fact: figure.fact,
    isFew: figure.isFew,
    expected: cut || judged?.state === 'barred' || held === null ? null : expectedFact(run.id, metric, held),
    against: cut || judged === null || judged.state === 'barred' ? null : againstLevel(run, metric, judged, held),
  }
}

/** Shares, and levels of 0, have no change relative to them. */
function againstLevel(run: StoredRun, metric: Metric, { value }: MetricJudgement, held: HeldAgainst | null) {
  if (held === null || metric.unit === 'ratio' || !(held.level > 0)) return null
  const words = held.of === 'before' ? 'against the level before' : 'against its level'
  return { fact: againstFact(run.id, metric, value, held.level), words }
}

/** Failed requests: as a share if there are any. */
function failedFigure(run: StoredRun, metric: Metric): KeyFigure {
  const { errorRatio, errorCount } = run.figures
  const attempts = attemptsOfFigures(run.figures)
  const judged = run.judgement?.metrics.find(({ metricId }) => metricId === 'error-ratio') ?? null
  const isSome = errorRatio !== null && errorRatio > 0
  const ratio = findMetric('error-ratio')
  const of =
    attempts === null
      ? ''
      : isSome
        ? `${formatCount(errorCount)} of ${formatCount(attempts)}`
        : `of ${formatCount(attempts)}`
  return {
    ...splitUnit(isSome ? formatPercent(errorRatio) : formatCount(errorCount)),
    id: metric.id,
    label: 'Failed',
    tone: run.judgement?.state === 'failing' ? 'worse' : toneOf(judged, judged && heldAgainst(judged)),
    bullet: null,
    sub: of,
    title: shownFigure(metric, run).title,
    isFew: false,
    fact: isSome && ratio !== null ? figureFact(run.id, ratio, errorRatio) : figureFact(run.id, metric, errorCount),
    expected: null,
    against: null,
  }
}

/** Requests per second; if fewer were served than sent, the served ones. */
function servedFigure(run: StoredRun, metric: Metric): KeyFigure {
  const { throughputPerSecond: served, requestsPerSecond: offered, errorRatio } = run.figures
  const throughput = findMetric('throughput')
  if (served === null || offered === null || served >= 0.99 * offered || throughput === null)
    return keyFigure(run, metric, errorRatio === 0 ? 'Served' : 'Requests')
  return {
    ...splitUnit(formatMetric(served, 'per-second')),
    id: throughput.id,
    label: 'Served',
    tone: 'worse',
    bullet: null,
    sub: `of ${formatMetric(offered, 'per-second')} offered, ${formatPercent(Number((served / offered).toFixed(3)))}`,
    title: shownFigure(throughput, run).title,
    isFew: false,
    fact: figureFact(run.id, throughput, served),
    expected: null,
    against: null,
  }
}

/** `97.6 ms` as number and unit. */
function splitUnit(text: string): Pick<KeyFigure, 'text' | 'unit'> {
  const [, number = text, unit = ''] = /^(.*?)(?:\u00a0([^\d\u00a0]+)|(\/s))$/.exec(text) ?? []
  return { text: number, unit: unit === '' && text.endsWith('/s') ? '/s' : unit }
}

const judgedOf = (run: StoredRun, metric: Metric): MetricJudgement | null =>
  run.judgement?.metrics.find(({ metricId }) => metricId === metric.id) ?? null

function reasonOf(run: StoredRun, metric: Metric): string | null {
  const guard = run.judgement?.guards.find((each) => isBarredBy(each, metric.id))
  return guard === undefined ? null : guardReason(guard)
}

/**
 * What the shown value is compared with. For repeats that value is the run's own, after a warm-up the judged part's.
 */
function heldOf(run: StoredRun, metric: Metric): HeldAgainst | null {
  const judged = judgedOf(run, metric)
  const own = run.judgement?.judgedBy === 'steady' ? null : metric.read(run.figures)
  return judged === null ? null : heldAgainst(judged, own ?? judged.value)
}

/** No value inside the range printed beside it is coloured, whatever happened to the level. */
function toneOf(judged: MetricJudgement | null, held: HeldAgainst | null): Tone {
  if (judged === null || held?.isOutside === false) return null
  if (held?.of !== 'since' && judged.state === 'worse') return 'worse'
  const isOff = judged.state === 'unusual' || held?.of === 'since'
  return isOff && sideOfHeld(judged, held) !== 'better' ? 'unusual' : null
}

/** The side of its range that a value is on. */
function sideOfHeld(judged: MetricJudgement, held: HeldAgainst | null): MetricJudgement['side'] {
  const metric = findMetric(judged.metricId)
  if (held?.of !== 'since' || metric === null || metric.direction === 'neutral') return judged.side
  return judged.value > held.high === (metric.direction === 'lower-is-better') ? 'worse' : 'better'
}

/** The mark of a metric's value in its range. */
const markOf: Readonly<Record<MetricJudgement['state'], JudgedState | null>> = {
  worse: 'worse',
  better: 'better',
  unusual: 'unusual',
  'as-expected': 'as-expected',
  changed: null,
  'no-history': null,
  barred: null,
}

function bulletOf(judged: MetricJudgement | null, held: HeldAgainst | null): Bullet | null {
  return judged === null || held === null ? null : prepareBullet(placeOf(judged, held))
}

/** A judged value and what it is held against, as its drawing has them. */
function placeOf(judged: MetricJudgement, held: HeldAgainst): BulletInput {
  const outside = held.of === 'since' ? 'unusual' : markOf[judged.state]
  const { level, low, high } = held
  const before = rangeBefore(judged, held) ?? undefined
  return { value: judged.value, level, low, high, before, state: held.isOutside ? outside : 'as-expected' }
}

/** The same of one figure of a run; null: nothing is expected of it. */
export function bulletInputOf(run: StoredRun, metric: Metric): BulletInput | null {
  const [judged, held] = [judgedOf(run, metric), heldOf(run, metric)]
  return judged === null || held === null || judged.state === 'barred' ? null : placeOf(judged, held)
}

/** The expected range before the level changed, if the run is judged against the new level; null: it is not. */
function rangeBefore({ expectedLow: low, expectedHigh: high }: MetricJudgement, held: HeldAgainst) {
  return held.of === 'since' && low !== null && high !== null ? { low, high } : null
}

/** `51.0–79.7`, in the unit of the run's own value. */
function rangeWords(run: StoredRun, metric: Metric, { low, high }: Pick<HeldAgainst, 'low' | 'high'>): string {
  const unit = columnUnit(metric.unit, [metric.read(run.figures)])
  const show = (value: number) => formatInColumn(value, metric.unit, unit)
  return `${show(low)}–${show(high)}`
}

/** A range with its basis: `expected 58.6–70.8 since 8de2d48`. */
function expectedWords(run: StoredRun, metric: Metric, held: HeldAgainst | null): string {
  if (held === null) return ''
  const range = rangeWords(run, metric, held)
  const change = judgedOf(run, metric)?.change ?? null
  if (held.of === 'before') return `before ${range}`
  if (held.of === 'since' && change !== null) return `since ${sinceWords(change)} ${range}`
  return run.judgement?.judgedBy === 'steady' ? `after warm-up ${range}` : `expected ${range}`
}

/** A figure with its expected range. */
export interface ExpectedFigure extends ShownFigure {
  readonly tone: Tone
  /** Null: it has no expected range. */
  readonly expected: {
    readonly bullet: Bullet | null
    readonly range: string
    /** The range of the level before; null: it did not change, or `range` is already that. */
    readonly before: string | null
    /** The judged value and its level. */
    readonly value: string
    readonly level: string
    /** Distance of the judged value from that level. */
    readonly against: string
    /** On hover: 95 % interval of that, and how many runs the range rests on. */
    readonly interval: string
    readonly fact: Fact
    readonly beforeFact: Fact | null
    /** Null: not shown. */
    readonly againstFact: Fact | null
  } | null
  /** What is judged instead of the run's own figure: a median of repeats, or its steady part; null: its own. */
  readonly judged: string | null
  /** Its verdict: `unusual, worse`; empty: none. */
  readonly words: string
}

/** Every figure that the run has, in reading order, with its expected range. */
export function allFigures(run: StoredRun): readonly ExpectedFigure[] {
  return metrics
    .filter((metric) => metric.read(run.figures) !== null)
    .map((metric) => {
      const judged = judgedOf(run, metric)
      const held = heldOf(run, metric)
      const shown = shownFigure(metric, run)
      const expected = judged === null || held === null ? null : expectedFigure(run, metric, judged, held)
      const plain = judged && formatMetric(judged.value, metric.unit)
      const isOther = judgedFigureWords(run) !== null
      return {
        ...shown,
        text: !isOther && expected !== null && shown.text === plain ? expected.value : shown.text,
        tone: toneOf(judged, held),
        expected,
        judged: isOther ? (expected?.value ?? plain) : null,
        words:
          judged === null || judged.state === 'no-history' ? '' : standingWords(judged, held, reasonOf(run, metric)),
      }
    })
}

/** A judged value and its level, with as many digits as it takes to read the change off them. */
function besideLevel({ unit }: Metric, value: number, level: number) {
  const column = columnUnit(unit, [value])
  const change = level > 0 ? value / level - 1 : null
  const [base = missing, own = missing] = formatCompared([level, value], [null, change], unit, column)
  return { level: withUnit(base, column), value: withUnit(own, column) }
}

function expectedFigure(
  run: StoredRun,
  metric: Metric,
  judged: MetricJudgement,
  held: HeldAgainst,
): NonNullable<ExpectedFigure['expected']> {
  const { effectLowRatio, effectHighRatio, value } = judged
  const before = held.of === 'before' ? 'before ' : ''
  // The interval stored with a change is the level's.
  const interval =
    effectLowRatio === null || held.of !== 'own'
      ? ''
      : `95 % interval ${formatChange(effectLowRatio)} to ${formatChange(effectHighRatio)}; `
  const against = againstLevel(run, metric, judged, held)
  const beside = besideLevel(metric, value, held.level)
  const old = rangeBefore(judged, held)
  return {
    bullet: bulletOf(judged, held),
    range: `${before}${rangeWords(run, metric, held)}`,
    before: old && rangeWords(run, metric, old),
    beforeFact: old && beforeFact(run.id, metric, { ...old, runs: judged.before }),
    value: beside.value,
    level: `${before}${beside.level}`,
    against: against === null ? missing : formatChange(value / held.level - 1),
    interval: `${interval}${plural(held.runs, 'run')} before`,
    fact: expectedFact(run.id, metric, held),
    againstFact: against?.fact ?? null,
  }
}

/** The number of runs behind the ranges of a run, each of its level: `19`, `19 to 59`. Null: it has no range. */
export function runsOfRanges(run: StoredRun): string | null {
  return runsWords(metrics.flatMap((metric) => heldOf(run, metric)?.runs ?? []))
}

/** The same for the ranges before a change of level: `before 8de2d48, by 40 runs`. Null: none changed. */
export function runsBeforeChange(run: StoredRun): string | null {
  const changed = metrics.flatMap((metric) => {
    const [judged, held] = [judgedOf(run, metric), heldOf(run, metric)]
    return judged?.change != null && held !== null && rangeBefore(judged, held) !== null ? judged : []
  })
  const runs = runsWords(changed.map(({ before }) => before))
  const names = new Set(changed.flatMap(({ change }) => (change === null ? [] : sinceWords(change))))
  return runs === null ? null : `before ${names.size === 1 ? [...names].join('') : 'it changed'}, by ${runs}`
}

function runsWords(counts: readonly number[]): string | null {
  if (counts.length === 0) return null
  const [low, high] = [Math.min(...counts), Math.max(...counts)]
  return low === high ? plural(low, 'run') : `${formatCount(low)} to ${plural(high, 'run')}`
}

/** The verdict on a value; if its level changed, on the level and the value separately. */
function standingWords(judged: MetricJudgement, held: HeldAgainst | null, reason: string | null): string {
  if (judged.change === null || held === null) return verdictWords(judged, reason)
  const level = `level ${verdictWords(judged, reason)} since ${sinceWords(judged.change)}`
  return held.of === 'since' ? `${level}, this run ${held.isOutside ? 'outside' : 'as expected'} there` : level
}

/** What the judged figures of a run are, if not its own; null: its own. */
export function judgedFigureWords({ judgement }: StoredRun): string | null {
  if (judgement === null) return null
  if (judgement.runs > 1) return `Median of ${judgement.runs}`
  return judgement.judgedBy === 'steady' ? 'After warm-up' : null
}

/** A figure after the warm-up beside that of the whole run. */
export interface SteadyFigure {
  readonly id: string
  readonly label: string
  /** What it means. */
  readonly explain: string
  /** With unit; – when missing. */
  readonly steady: string
  readonly whole: string
}

/**
 * The figures after the warm-up, in reading order; empty: no steady part of the run is known, or all of it is steady.
 */
export function steadyFigures(run: StoredRun): readonly SteadyFigure[] {
  const part = steadyPartOf(run.imported)
  if (part === null) return []
  return [...steadyMetrics].flatMap(([id, read]) => {
    const metric = findMetric(id)
    if (metric === null) return []
    const { label, explain, unit } = metric
    return [{ id, label, explain, steady: formatMetric(read(part), unit), whole: shownFigure(metric, run).text }]
  })
}
