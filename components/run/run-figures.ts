import { missingReason } from '@/lib/judge/delta'
import { guardReason } from '@/lib/judge/guard-words'
import { verdictWords } from '@/lib/judge/judgement-sentence'
import { columnUnit, formatChange, formatCount, formatInColumn, formatMetric, formatPercent } from '@/lib/format'
import { isBarredBy } from '@/lib/run/guard'
import type { JudgedState } from '@/lib/run/judged-states'
import type { MetricJudgement } from '@/lib/run/judgement'
import { attemptsOfFigures, findMetric, isLatency, metrics, metricsOf, type Metric } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import { steadyMetrics, steadyPartOf } from '@/lib/run/steady-part'
import type { StoredRun } from '@/lib/run/stored'
import { boundSign, isAtTimeout, tools } from '@/lib/run/tools'
import { prepareBullet } from '../charts/bullet'
import type { Bullet } from '../charts/plot/bullet'

/** A figure of a run as its page shows it. */
export interface ShownFigure {
  readonly id: string
  readonly label: string
  /** With unit; – when missing. */
  readonly text: string
  /** As the tool printed it; null when it was computed or is missing. */
  readonly printed: string | null
  /** What it is. */
  readonly explain: string
  /** On hover: as printed, or unrounded, or why there is none. */
  readonly title: string
}

/** The text from which a metric was read; null when the tool did not print it. */
function printedOf(metric: Metric, run: ImportedRun): string | null {
  const key = metric.printedKey(run)
  return key === null ? null : (run.printed[key] ?? null)
}

/** A latency that stands at the timeout: nobody knows how long it would have been. */
const isCut = (metric: Metric, run: StoredRun, value: number | null): boolean =>
  value !== null && isLatency(metric) && isAtTimeout(run.tool, value)

function shownFigure(metric: Metric, run: StoredRun, label = metric.label): ShownFigure {
  const value = metric.read(run.figures)
  const printed = value === null ? null : printedOf(metric, run.imported)
  const unrounded = value === null ? missingReason(metric, run) : `computed: ${value}`
  return {
    id: metric.id,
    label,
    text: `${value !== null && isLatency(metric) ? boundSign(run.tool, value) : ''}${formatMetric(value, metric.unit)}`,
    printed,
    explain: metric.explain,
    title: printed === null ? unrounded : `printed: ${printed}`,
  }
}

/** How much a figure asks for somebody; null: it does not. */
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
  /** Null: nothing was expected of it. */
  readonly bullet: Bullet | null
  /** What was expected, or why there is no such range; empty: nothing to say. */
  readonly sub: string
  readonly title: string
}

/** The figures that lead the page: tail and throughput, or what an invocation takes and costs; failures first where requests failed. */
export function keyFigures(run: StoredRun): readonly KeyFigure[] {
  const isLambda = tools[run.tool].counts === 'invocation'
  const lead = metricsOf(isLambda ? 'lambda-lead' : 'lead')
  const known = lead.filter((metric) => metric.read(run.figures) !== null)
  // Of a tool that printed no percentile the mean is what says how long a request took.
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

function keyFigure(run: StoredRun, metric: Metric, label: string): KeyFigure {
  const value = metric.read(run.figures)
  const figure = shownFigure(metric, run, label)
  const judged = judgedOf(run, metric)
  const { range } = rangeOf(run, metric)
  const cut = isCut(metric, run, value)
  const sub = cut
    ? 'cut off by timeout'
    : judged?.state === 'barred'
      ? 'not judged'
      : range === null
        ? ''
        : judged?.change
          ? `before ${range}`
          : run.judgement?.judgedBy === 'steady'
            ? `after warm-up ${range}`
            : `expected ${range}`
  return {
    ...splitUnit(figure.text),
    id: metric.id,
    label,
    tone: toneOf(judged),
    bullet: cut ? null : bulletOf(judged),
    sub,
    title: judged?.state === 'barred' ? `${reasonOf(run, metric)}. ${figure.title}` : figure.title,
  }
}

/** Requests that failed: as a share where some did. */
function failedFigure(run: StoredRun, metric: Metric): KeyFigure {
  const { errorRatio, errorCount } = run.figures
  const attempts = attemptsOfFigures(run.figures)
  const judged = run.judgement?.metrics.find(({ metricId }) => metricId === 'error-ratio') ?? null
  const isSome = errorRatio !== null && errorRatio > 0
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
    tone: run.judgement?.state === 'failing' ? 'worse' : toneOf(judged),
    bullet: null,
    sub: of,
    title: shownFigure(metric, run).title,
  }
}

/** Requests per second; where fewer were served than sent, those that were. */
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

function toneOf(judged: MetricJudgement | null): Tone {
  if (judged?.state === 'worse') return 'worse'
  return judged?.state === 'unusual' && judged.side !== 'better' ? 'unusual' : null
}

/** How the value of a metric is marked in its range. */
const markOf: Readonly<Record<MetricJudgement['state'], JudgedState | null>> = {
  worse: 'worse',
  better: 'better',
  unusual: 'unusual',
  'as-expected': 'as-expected',
  changed: null,
  'no-history': null,
  barred: null,
}

function bulletOf(judged: MetricJudgement | null): Bullet | null {
  if (judged === null || judged.expectedLow === null || judged.expectedHigh === null) return null
  const { value, level, expectedLow: low, expectedHigh: high, state } = judged
  return prepareBullet({ value, level, low, high, state: markOf[state] })
}

/** `51.0–79.7`, in the unit of the run's own value; and with that unit. Null: none is stored. */
function rangeOf(run: StoredRun, metric: Metric): { readonly range: string | null } {
  const judged = judgedOf(run, metric)
  if (judged === null || judged.expectedLow === null || judged.expectedHigh === null) return { range: null }
  const unit = columnUnit(metric.unit, [metric.read(run.figures)])
  const show = (value: number) => formatInColumn(value, metric.unit, unit)
  return { range: `${show(judged.expectedLow)}–${show(judged.expectedHigh)}` }
}

/** A figure with what was expected of it. */
export interface ExpectedFigure extends ShownFigure {
  readonly tone: Tone
  /** Null: nothing was expected of it. */
  readonly expected: {
    readonly bullet: Bullet | null
    readonly range: string
    readonly level: string
    readonly change: string
    /** On hover: 95 % interval of the change. */
    readonly interval: string
  } | null
  /** What is judged, where that is not the run's own figure: a median of repeats, or its steady part; null: it is. */
  readonly judged: string | null
  /** What is said of it: `unusual, worse`; empty: nothing. */
  readonly words: string
}

/** Every figure that the run has, in reading order, with what was expected of it. */
export function allFigures(run: StoredRun): readonly ExpectedFigure[] {
  return metrics
    .filter((metric) => metric.read(run.figures) !== null)
    .map((metric) => {
      const judged = judgedOf(run, metric)
      const { range } = rangeOf(run, metric)
      const { effectRatio, effectLowRatio, effectHighRatio } = judged ?? {}
      return {
        ...shownFigure(metric, run),
        tone: toneOf(judged),
        expected:
          judged === null || range === null
            ? null
            : {
                bullet: bulletOf(judged),
                range,
                level: formatMetric(judged.level, metric.unit),
                change: formatChange(effectRatio ?? null),
                interval:
                  effectLowRatio == null
                    ? ''
                    : `95 % interval ${formatChange(effectLowRatio)} to ${formatChange(effectHighRatio ?? null)}; ${formatCount(judged.before)} runs before`,
              },
        judged: judged === null || judgedFigureWords(run) === null ? null : formatMetric(judged.value, metric.unit),
        words: judged === null || judged.state === 'no-history' ? '' : verdictWords(judged, reasonOf(run, metric)),
      }
    })
}

/** What the judged figures of a run are, where they are not its own; null: they are. */
export function judgedFigureWords({ judgement }: StoredRun): string | null {
  if (judgement === null) return null
  if (judgement.runs > 1) return `Median of ${judgement.runs}`
  return judgement.judgedBy === 'steady' ? 'After warm-up' : null
}

/** A figure after the warm-up beside that of the whole run. */
export interface SteadyFigure {
  readonly id: string
  readonly label: string
  /** What it is. */
  readonly explain: string
  /** With unit; – when missing. */
  readonly steady: string
  readonly whole: string
}

/** The figures after the warm-up, in reading order; empty: no part of the run is known to be steady, or all of it is. */
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
