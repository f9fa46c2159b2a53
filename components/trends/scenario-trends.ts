import { formatChange, formatCount, formatDay, formatMetric, formatPercent, plural } from '@/lib/format'
import { noiseWord, type SeriesTrends, type Trend, type TrendChange } from '@/lib/levels/trend'
import { verdictAlpha } from '@/lib/judge/delta'
import { othersShare, primaryShare, type ExperimentHistory } from '@/lib/judge/experiment'
import { historyPilot, maxRounds, plannedPower, planRounds } from '@/lib/judge/rounds-needed'
import { sortProfiles } from '@/lib/history/series'
import type { RuleLimit } from '@/lib/rules/limits'
import { shiftAt } from '@/lib/rules/project-environments'
import type { EnvironmentEvent } from '@/lib/rules/rule-events'
import { driftWords, eventWords, levelsWords } from '@/lib/rules/rule-words'
import { covers } from '@/lib/rules/rules'
import { figureFact, type Fact } from '@/lib/run/fact'
import { defaultMetric, minEffectOf, sentenceLabel } from '@/lib/run/metrics'

/** All profiles of a scenario, judged by one metric. */
export interface ScenarioTrends {
  readonly scenario: string
  /** The series whose page shows all of them: the one with the newest run. */
  readonly seriesId: string
  readonly trends: readonly Trend[]
  readonly latest: { readonly trend: Trend; readonly change: TrendChange } | null
}

/** One entry per scenario, the largest change first; scenarios in which no series has the metric come last. */
export function prepareScenarioTrends(all: readonly SeriesTrends[]): readonly ScenarioTrends[] {
  const byScenario = new Map<string, SeriesTrends[]>()
  for (const one of all) {
    const known = byScenario.get(one.series.scenario)
    if (known) known.push(one)
    else byScenario.set(one.series.scenario, [one])
  }
  return [...byScenario]
    .map(([scenario, own]): ScenarioTrends => {
      const trends = linesToDraw(own).filter(hasFigure)
      return { scenario, seriesId: own[0]?.series.id ?? '', trends, latest: largestOf(trends) }
    })
    .sort((a, b) => weightOf(b) - weightOf(a))
}

/** The limits of any of these trends. */
export const limitsOfTrends = (limits: readonly RuleLimit[], trends: readonly Pick<Trend, 'profile'>[]) =>
  limits.filter((one) => trends.some(({ profile }) => covers(one, profile.series)))

/** Most profiles a chart can distinguish. */
const maxLines = 7

/** The profiles of these series that a chart shows, by name. */
export function linesToDraw(all: readonly SeriesTrends[]): readonly Trend[] {
  const first = all.flatMap((one) => one.trends).slice(0, maxLines)
  const byKey = new Map(first.map((trend) => [trend.profile.key, trend]))
  return sortProfiles(first.map((trend) => trend.profile)).flatMap((profile) => byKey.get(profile.key) ?? [])
}

const hasFigure = (trend: Trend): boolean => trend.points.some((point) => point.value !== null)

/** The last change of the profile that changed most. */
function largestOf(trends: readonly Trend[]): ScenarioTrends['latest'] {
  const last = trends.flatMap((trend) => trend.changes.slice(-1).map((change) => ({ trend, change })))
  return last.sort((a, b) => sizeOf(b.change) - sizeOf(a.change))[0] ?? null
}

const sizeOf = ({ effectRatio }: TrendChange): number => Math.abs(Math.log1p(effectRatio))

function weightOf({ latest, trends }: ScenarioTrends): number {
  if (latest !== null) return 1 + sizeOf(latest.change)
  return trends.length > 0 ? 0.5 : 0
}

/** Fewer figures are no line. */
const minFigures = 3

/** Whether a line of these has enough figures to be drawn. */
export const hasHistory = (trends: readonly Pick<Trend, 'points'>[]): boolean =>
  trends.some(({ points }) => points.filter(({ value }) => value !== null).length >= minFigures)

/** The newest figure of a profile; its fact is that of its run, null of several. */
export function newestFigure({ points, metric }: Trend): { readonly text: string; readonly fact: Fact | null } {
  const newest = points.findLast(({ value }) => value !== null)
  const value = newest?.value ?? null
  const [runId, ...others] = newest?.runIds ?? []
  const isOne = runId !== undefined && others.length === 0
  return { text: formatMetric(value, metric.unit), fact: isOne ? figureFact(runId, metric, value) : null }
}

/** What happened in a scenario: of the profile that changed most, with its name if there are several. Null: no profile. */
export function scenarioSentence(
  trends: readonly Trend[],
  names: readonly string[],
  shifts: readonly EnvironmentEvent[],
): string | null {
  const latest = largestOf(trends)
  const [only] = trends
  const leading = latest?.trend ?? only
  if (leading === undefined) return null
  const name = trends.length > 1 && latest !== null ? `${names[trends.indexOf(leading)] ?? ''}: ` : ''
  return name + trendSentence(leading, shifts)
}

/**
 * A profile's history in a sentence or two, without its name: its last change, and any slow drift since. `shifts`: of
 * environments; a change with one of them is no verdict on the code.
 */
export function trendSentence(trend: Trend, shifts: readonly EnvironmentEvent[]): string {
  const { drift } = trend
  if (drift === null) return changeSentence(trend, shifts)
  const crept = `${driftWords(drift)}: ${levelsWords(drift)}.`
  const steps = trend.changes.filter(({ origin }) => origin !== 'drift')
  return steps.length === 0 ? crept : `${changeSentence({ ...trend, changes: steps }, shifts)} Now ${crept}`
}

function changeSentence(trend: Trend, shifts: readonly EnvironmentEvent[]): string {
  const { changes, metric, points, level, noiseRatio } = trend
  const known = points.filter((point) => point.value !== null).length
  const last = changes.at(-1)
  if (last !== undefined) {
    const since = formatDay(points[last.at]?.orderedAt ?? '')
    const move = `from ${formatMetric(last.before, metric.unit)} to ${formatMetric(last.after, metric.unit)}`
    const size = last.before > 0 && metric.unit !== 'ratio' ? `${formatChange(last.effectRatio)}, ${move}` : move
    const shift = shiftAt(shifts, trend.profile.series, last.since)
    if (shift !== null) return `Since ${since}, when ${eventWords(shift)}: ${size}.`
    if (last.origin === 'environment') {
      const name = trend.profile.series.environment ?? 'its environment'
      const isFaster = last.effectRatio > 0 === (metric.direction === 'higher-is-better')
      return `Since ${since}, when ${name} itself became ${isFaster ? 'faster' : 'slower'}: ${size}.`
    }
    if (last.origin === 'drift') return `Part of a slow drift, since ${since}: ${size}.`
    return `${last.verdict === 'changed' ? 'Changed' : last.verdict === 'worse' ? 'Worse' : 'Better'} since ${since}: ${size}.`
  }
  if (level === null || noiseRatio === null) {
    const judged = points.filter(({ value, isBarred }) => value !== null && !isBarred).length
    const runs = judged < known ? `${judged} of ${plural(known, 'run')} can be judged` : plural(known, 'run')
    return `${runs}: at least 5 are needed to detect a change.`
  }
  return `No change in ${plural(known, 'run')}.`
}

/** The noise of a profile, and the change that it can show; null if too little is known. */
export function noiseSentence(trend: Trend): string | null {
  const { noiseRatio, visibleRatio } = trend
  if (noiseRatio === null || visibleRatio === null) return null
  const advice = visibleRatio > 0.2 ? ' Add repeats, or use a quieter machine.' : ''
  return `Run-to-run noise: ±${formatPercent(Number(noiseRatio.toPrecision(2)))} (${noiseWord(noiseRatio)}); a change of ${formatPercent(Number(visibleRatio.toPrecision(2)))} would be detected within 5 runs.${advice}`
}

/**
 * How many rounds of an experiment show the smallest change that matters with 80 %, given how much the newest runs of
 * this profile differ; null: that is not known.
 */
export function plannerSentence({ metric }: Pick<Trend, 'metric'>, history: ExperimentHistory | null): string | null {
  if (history === null) return null
  const share = metric === defaultMetric ? primaryShare : othersShare
  const marginRatio = minEffectOf(metric.id)
  const rounds = planRounds(historyPilot(history, share * verdictAlpha), marginRatio)
  const effect = `a ${formatPercent(marginRatio)} change of ${sentenceLabel(metric)}`
  const power = formatPercent(plannedPower)
  return rounds === null
    ? `To compare two versions: even ${maxRounds} rounds would not show ${effect} with ${power} power. Longer runs or a quieter machine would.`
    : `To compare two versions: ${formatCount(rounds)} rounds, a run of each in turn, would show ${effect} with ${power} power.`
}
