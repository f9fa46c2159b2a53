import {
  commitWords,
  formatCount,
  formatDay,
  formatMetric,
  formatPercent,
  plural,
  roundChange,
  roundChangeWords,
} from '../format'
import { groupBy } from '../group-by'
import { maxFailedRatio, type JudgedState } from '../run/judged-states'
import type { MetricJudgement, RunJudgement } from '../run/judgement'
import { defaultMetric, findMetric, isLatency, sentenceLabel } from '../run/metrics'
import type { UtcIso } from '../run/run'
import type { SeriesSummary } from '../history/stored-series'
import { joinWords } from '../text'

/** The newest run of a series, as used for news. */
export interface NewsRun {
  /** Its series' name from `seriesNames`. */
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

/** One sentence about the effect of a document or commit. */
export interface NewsItem {
  readonly at: UtcIso
  readonly commit: string | null
  /** The document; null: an older change, whose commit the sentence names. */
  readonly upload: { readonly id: string; readonly name: string } | null
  /** Without a full stop. */
  readonly sentence: string
  /** The alert that reports it; null: none. */
  readonly alertId: string | null
}

const maxNamed = 3
const maxOlder = 2

/** Names that distinguish series: what all share is left out. In the order of the series. */
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
 * The effect of the newest document or commit, then at most two earlier changes of level that still hold, newest first.
 * Empty without runs. Requires the judgements of urgent and changed runs; others may be left out.
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
  const others = runs.filter((run) => !own.includes(run))
  const alertId = own.flatMap(({ judgement }) => changesOf(judgement).flatMap(({ change }) => change?.alertId ?? []))[0]
  return [
    { at: newest.orderedAt, commit, upload, sentence: newestSentence(own, begin), alertId: alertId ?? null },
    ...olderChanges(others, begin).slice(0, maxOlder),
  ]
}

/**
 * About the newest run of each series in a document or commit that began at this time: what failed, which levels
 * changed or are still changed, what is outside, then the rest. A run too short to judge still counts as failed.
 */
function newestSentence(own: readonly NewsRun[], begin: UtcIso): string {
  const groups = groupBy(own, kindOf)
  const said = urgency.flatMap((kind) => groups.get(kind) ?? [])
  const named = said.slice(0, maxNamed).map((run) => phraseOf(run, begin))
  const more = said.length - named.length
  const parts = [
    ...named,
    ...(more > 0 ? [`${formatCount(more)} more changed or need attention`] : []),
    ...restParts(own, groups),
  ]
  return capital(parts.join('; '))
}

type NewsKind = 'failing' | 'worse' | 'invalid' | 'unusual' | 'better' | 'few' | 'waiting' | 'fine'
const urgency = ['failing', 'worse', 'invalid', 'unusual', 'better'] as const satisfies readonly NewsKind[]

function kindOf({ state, judgement }: NewsRun): NewsKind {
  if ((judgement?.failedRatio ?? 0) > maxFailedRatio) return 'failing'
  if (state === null) return 'waiting'
  return state === 'as-expected' ? 'fine' : state === 'no-history' ? 'few' : state
}

/** Series with nothing of note: two by name, more of them counted. */
function restParts(own: readonly NewsRun[], groups: ReadonlyMap<NewsKind, readonly NewsRun[]>): readonly string[] {
  const [fine, few, waiting] = (['fine', 'few', 'waiting'] as const).map((kind) => groups.get(kind) ?? [])
  const words = (
    some: readonly NewsRun[] = [],
    verb: readonly [one: string, many: string],
    what: string,
  ): readonly string[] => {
    if (some.length === 0) return []
    const isAll = some.length === own.length
    if (some.length <= 2) {
      const names = joinWords(
        some.map(({ name }) => name),
        'and',
      )
      return [isAll ? `${names} ${some.length === 1 ? verb[0] : verb[1]} ${what}` : `${names} ${what}`]
    }
    const count = formatCount(some.length)
    return [isAll ? `all ${count} series ${verb[1]} ${what}` : `${count} series ${what}`]
  }
  return [
    ...words(fine, ['is', 'are'], 'as expected'),
    ...words(few, ['has', 'have'], few?.length === own.length ? 'too few runs to judge' : 'with too few runs'),
    ...words(waiting, ['is', 'are'], 'not judged yet'),
  ]
}

/** Names at the start stay as they are. */
const capital = (sentence: string): string => sentence.replace(/^all /, 'All ')

/** The judgement of one run as a phrase, beginning with its name. */
function phraseOf(run: NewsRun, begin: UtcIso): string {
  const { name, state, judgement } = run
  const kind = kindOf(run)
  if (kind === 'failing')
    return judgement?.failedRatio
      ? `${name} fails ${formatPercent(judgement.failedRatio)} of requests`
      : `${name} fails requests`
  if (kind === 'invalid') return `${name} is no valid measurement`
  const [changed] = changesOf(judgement)
  if (changed?.change) {
    const { since, cause } = changed.change
    const isOld = since < begin
    const commit = cause?.startsWith('commit ') ? commitWords(cause.slice('commit '.length)) : formatDay(since)
    return `${name} ${isOld ? 'still ' : ''}${changeWords(changed)}${isOld ? ` since ${commit}` : ''}`
  }
  if (state === 'worse') return `${name} is beyond a limit`
  const metric = judgement?.metrics.find(({ metricId }) => metricId === judgement.metricId) ?? null
  if (metric === null || metric.expectedLow === null || metric.expectedHigh === null) return `${name} is unusual`
  const show = (value: number) => formatMetric(value, findMetric(metric.metricId)?.unit ?? 'count')
  const range = `expected ${show(metric.expectedLow)} to ${show(metric.expectedHigh)}`
  return `${name} ran outside its expected range (${labelOf(metric)} ${show(metric.value)}, ${range})`
}

const labelOf = ({ metricId }: Pick<MetricJudgement, 'metricId'>): string =>
  findMetric(metricId)?.shortLabel ?? metricId

/** `13 % slower at p95`, `serves 20 % fewer requests`, `with Errors 2 %, before 0 %`. */
function changeWords({ metricId, effectRatio, value, level }: MetricJudgement): string {
  const metric = findMetric(metricId)
  const unit = metric?.unit ?? 'count'
  const label = labelOf({ metricId })
  if (effectRatio === null) return `with ${label} ${formatMetric(value, unit)}, before ${formatMetric(level, unit)}`
  const size = roundChange(Math.abs(effectRatio)).replace('+', '')
  if (metric?.unit === 'per-second') return `serves ${size} ${effectRatio < 0 ? 'fewer' : 'more'} requests`
  if (metric !== null && isLatency(metric))
    return effectRatio >= 2
      ? `with ${label} ${roundChangeWords(effectRatio)}`
      : `${size} ${effectRatio > 0 ? 'slower' : 'faster'} at ${sentenceLabel(metric)}`
  return `with ${label} ${roundChangeWords(effectRatio)}`
}

/** Changes of level in a judgement: those of its main metric first, then of the leading metric. */
function changesOf(judgement: RunJudgement | null): readonly MetricJudgement[] {
  const changed = (judgement?.metrics ?? []).filter(({ change }) => change !== null)
  const place = ({ metricId }: MetricJudgement) =>
    metricId === judgement?.metricId ? 0 : metricId === defaultMetric.id ? 1 : 2
  return [...changed].sort((a, b) => place(a) - place(b))
}

/** Changes from before this time that still hold, one item per cause, newest first. */
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
    const named = changed.slice(0, maxNamed).map(({ name, metric }) => `${name} still ${changeWords(metric)}`)
    const more =
      changed.length > maxNamed ? `, and ${plural(changed.length - maxNamed, 'more series', 'more series')}` : ''
    const sentence = `${named.join(', ')}${more} since ${commit === null ? formatDay(change.since) : commitWords(commit)}`
    const alertId = changed.find(({ metric }) => metric.change?.alertId)?.metric.change?.alertId ?? null
    return [{ at: change.since, commit, upload: null, sentence, alertId }]
  })
  return items.sort((a, b) => (a.at < b.at ? 1 : -1))
}
