import { formatMetric, formatPercent, plural, roundChangeWords } from '../format'
import { urgentStates, type JudgedState } from '../run/judged-states'
import type { MetricJudgement, RunJudgement } from '../run/judgement'
import { defaultMetric, findMetric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import type { SeriesSummary } from '../run/stored'

/** The newest run of a series, as news are made of it. */
export interface NewsRun {
  /** As `seriesNames` calls its series. */
  readonly name: string
  readonly uploadId: string
  readonly uploadName: string
  /** Null: it has no such label. */
  readonly commit: string | null
  readonly orderedAt: UtcIso
  /** Null: not judged yet. */
  readonly state: JudgedState | null
  /** Null: not judged yet, or nothing of note. */
  readonly judgement: RunJudgement | null
}

/** One sentence of what a document or commit brought. */
export interface NewsItem {
  readonly at: UtcIso
  readonly commit: string | null
  /** The document; null: an older change, of which the commit is said. */
  readonly upload: { readonly id: string; readonly name: string } | null
  readonly sentence: string
  /** The alert that reports it; null: there is none. */
  readonly alertId: string | null
}

const maxNamed = 3
const maxOlder = 2

/** What series are called among each other: what all share is left out. In the order of the series. */
export function seriesNames(
  series: readonly Pick<SeriesSummary, 'scenario' | 'variant' | 'environment'>[],
): readonly string[] {
  const differ = (key: 'scenario' | 'variant' | 'environment') => new Set(series.map((one) => one[key])).size > 1
  const [hasVariants, hasEnvironments] = [differ('variant'), differ('environment')]
  const hasScenarios = differ('scenario') || !(hasVariants || hasEnvironments)
  return series.map(({ scenario, variant, environment }) => {
    const more = [hasVariants ? variant : null, hasEnvironments ? environment : null].filter((one) => one !== null)
    if (!hasScenarios) return more.length === 0 ? scenario : more.join(', ')
    return more.length === 0 ? scenario : `${scenario} (${more.join(', ')})`
  })
}

/**
 * What the newest document or commit brought, and before it the changes of level that still hold, the newest first, at
 * most two. Empty where there is no run. Judgements of urgent and changed runs are needed, others may be left out.
 */
export function boardNews(runs: readonly NewsRun[]): readonly NewsItem[] {
  const latest = runs
    .map(({ orderedAt }) => orderedAt)
    .sort()
    .at(-1)
  const newest = runs.find(({ orderedAt }) => orderedAt === latest)
  if (newest === undefined) return []
  const { commit, uploadId: id, uploadName: name } = newest
  const own = runs.filter((run) => (commit === null ? run.uploadId === id : run.commit === commit))
  const begin = own.map(({ orderedAt }) => orderedAt).sort()[0] ?? newest.orderedAt
  const upload = { id, name }
  return [
    { at: newest.orderedAt, commit, upload, sentence: newestSentence(own, begin), alertId: null },
    ...olderChanges(runs, begin).slice(0, maxOlder),
  ]
}

/** Of the runs of one document or commit, which began at this time. */
function newestSentence(own: readonly NewsRun[], begin: UtcIso): string {
  const isOld = ({ state, judgement }: NewsRun) =>
    (state === 'worse' || state === 'better') && (changesOf(judgement)[0]?.change?.since ?? begin) < begin
  const news = own.filter((run) => !isOld(run))
  const urgent = urgentStates.flatMap((state) => news.filter((run) => run.state === state))
  const better = news.filter(({ state }) => state === 'better')
  const [only] = own
  if (own.length === 1 && only !== undefined && urgent.length + better.length > 0) return `${phraseOf(only)}.`
  if (urgent.length > 0)
    return `${countWords(urgent.length, own.length)} ${need(urgent.length)} attention: ${listOf(urgent)}.`
  if (better.length > 0) return `${listOf(better)}. ${restWords(own, better.length)}`.trim()
  return restWords(own, 0)
}

const need = (count: number): string => (count === 1 ? 'needs' : 'need')

const smallNumbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const

/** `Two of eight series`; a lone one of a lone series: `The series`. */
function countWords(count: number, of: number): string {
  if (of === 1) return 'The series'
  const first = smallNumbers[count] ?? String(count)
  return count === of
    ? `All ${smallNumbers[of]?.toLowerCase() ?? of} series`
    : `${first} of ${smallNumbers[of]?.toLowerCase() ?? of} series`
}

function restWords(own: readonly NewsRun[], said: number): string {
  const [only] = own
  if (own.length === 1 && only !== undefined) {
    if (only.state === 'as-expected') return `${only.name} is as expected.`
    if (only.state === 'worse' || only.state === 'better') return `No further change of ${only.name}.`
  }
  const count = (state: JudgedState | null) => own.filter((one) => one.state === state).length
  const [few, waiting] = [count('no-history'), count(null)]
  const fine = own.length - few - waiting - said
  if (waiting === own.length) return `${plural(waiting, 'run')}, not judged yet.`
  if (few === own.length)
    return own.length === 1 ? 'Too few runs to judge it.' : `${countWords(few, few)} have too few runs to judge.`
  const parts = [
    fine === 0
      ? null
      : fine === own.length && fine > 1
        ? `All ${smallNumbers[fine]?.toLowerCase() ?? fine} series are as expected`
        : `${plural(fine, 'series', 'series')} as expected`,
    few === 0 ? null : `${plural(few, 'series', 'series')} with too few runs`,
    waiting === 0 ? null : `${plural(waiting, 'series', 'series')} not judged yet`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}

function listOf(runs: readonly NewsRun[]): string {
  const named = runs.slice(0, maxNamed).map(phraseOf)
  const more = runs.length - named.length
  return more > 0 ? `${named.join(', ')}, and ${plural(more, 'more', 'more')}` : named.join(', ')
}

/** What is said of one run, beginning with its name. */
function phraseOf({ name, state, judgement }: NewsRun): string {
  const metric = judgement?.metrics.find(({ metricId }) => metricId === judgement.metricId) ?? null
  if (state === 'failing')
    return judgement?.failedRatio
      ? `${name} fails ${formatPercent(judgement.failedRatio)} of requests`
      : `${name} fails requests`
  if (state === 'invalid') return `${name} is no valid measurement`
  if (metric?.change) return `${name} has ${changeWords(metric)}`
  if (state === 'worse') return `${name} is beyond a limit`
  if (metric === null || metric.expectedLow === null || metric.expectedHigh === null) return `${name} is unusual`
  const show = (value: number) => formatMetric(value, findMetric(metric.metricId)?.unit ?? 'count')
  const range = `expected ${show(metric.expectedLow)} to ${show(metric.expectedHigh)}`
  return `${name} ran outside its expected range (${labelOf(metric)} ${show(metric.value)}, ${range})`
}

const labelOf = ({ metricId }: Pick<MetricJudgement, 'metricId'>): string =>
  findMetric(metricId)?.shortLabel ?? metricId

function changeWords(metric: MetricJudgement): string {
  const { effectRatio, value, level } = metric
  const unit = findMetric(metric.metricId)?.unit ?? 'count'
  return effectRatio === null
    ? `${labelOf(metric)} ${formatMetric(value, unit)}, before ${formatMetric(level, unit)}`
    : `${labelOf(metric)} ${roundChangeWords(effectRatio)}`
}

/** Changes of level that a judgement names: what it is about first, then the metric that leads. */
function changesOf(judgement: RunJudgement | null): readonly MetricJudgement[] {
  const changed = (judgement?.metrics ?? []).filter(({ change }) => change !== null)
  const place = ({ metricId }: MetricJudgement) =>
    metricId === judgement?.metricId ? 0 : metricId === defaultMetric.id ? 1 : 2
  return [...changed].sort((a, b) => place(a) - place(b))
}

/** Changes from before this time that still hold, one item a cause, newest first. */
function olderChanges(runs: readonly NewsRun[], before: UtcIso): readonly NewsItem[] {
  const byCause = new Map<string, { readonly name: string; readonly metric: MetricJudgement }[]>()
  for (const { name, judgement } of runs) {
    const metric = changesOf(judgement).find(({ change }) => change !== null && change.since < before)
    if (metric?.change === undefined || metric.change === null) continue
    const cause = metric.change.cause ?? metric.change.since
    byCause.set(cause, [...(byCause.get(cause) ?? []), { name, metric }])
  }
  const items = [...byCause.values()].flatMap((changed): readonly NewsItem[] => {
    const change = changed[0]?.metric.change
    if (change === undefined || change === null) return []
    const commit = change.cause?.startsWith('commit ') ? change.cause.slice('commit '.length) : null
    const named = changed.slice(0, maxNamed).map(({ name, metric }) => sinceWords(name, metric))
    const more =
      changed.length > maxNamed ? `, and ${plural(changed.length - maxNamed, 'more series', 'more series')}` : ''
    const sentence = `${named.join(', ')}${more} since ${commit ?? 'then'}.`
    const alertId = changed.find(({ metric }) => metric.change?.alertId)?.metric.change?.alertId ?? null
    return [{ at: change.since, commit, upload: null, sentence, alertId }]
  })
  return items.sort((a, b) => (a.at < b.at ? 1 : -1))
}

function sinceWords(name: string, metric: MetricJudgement): string {
  if (metric.effectRatio === null) return `${name} has had ${changeWords(metric)}`
  return `${labelOf(metric)} of ${name} has been ${roundChangeWords(metric.effectRatio)}`
}
