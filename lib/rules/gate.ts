import type { DetectorSettings } from '../detect/change-points'
import { checkNewest, type NewestCheck } from '../detect/newest-check'
import { settingsFor } from '../detect/sensitivity'
import { judgedValues, matters, trendPoints } from '../detect/trend'
import { alertingMetrics, findMetric, type Metric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import { profileTitle, type LoadProfile } from '../run/series'
import { barsOf, type Bar, type ReferenceRun } from './rule-events'
import { covers, isMuted, watchedMetrics, type Rule, type WatchedMetric } from './rules'
import { liveStates, seriesIdsOf, type AlertRow } from './stored-alerts'
import { findStretches } from './stretches'

/** How the newest runs stand. worse, changed (of a metric that has no good side): a build fails, unless excused. */
export type GateVerdictWord = 'worse' | 'changed' | 'better' | 'same' | 'not-judged'

/** Why a verdict fails no build: its rule is muted, asks of other changes only, or wants more runs that show it. */
export type GateExcuse = 'muted' | 'not-asked' | 'unconfirmed'

/** What a limit or baseline rule says of the newest runs of a profile. Values in the metric's unit. */
export interface GateLevelRow {
  readonly kind: 'limit' | 'baseline'
  readonly profile: LoadProfile
  readonly metric: Metric
  readonly rule: Rule
  readonly verdict: GateVerdictWord
  /** Why the verdict fails no build; null: it counts. */
  readonly excuse: GateExcuse | null
  /** The limit, or the baseline's median; null: the baseline has no run under this load. */
  readonly expected: number | null
  /** Where values break the rule. */
  readonly side: 'above' | 'below'
  readonly value: number
  /** Experiments in a row, this one included, that broke the rule, and how many must. */
  readonly broken: number
  readonly confirmRuns: number
  /** Runs that the value is the median of. */
  readonly runs: number
}

/** One metric of one profile against the runs before. Values in the metric's unit. */
export interface GateChangeRow {
  readonly kind: 'change-point'
  readonly profile: LoadProfile
  readonly metric: Metric
  readonly rule: Rule
  readonly verdict: GateVerdictWord
  readonly excuse: GateExcuse | null
  readonly check: NewestCheck
  /** Runs of the newest experiment (commit, else upload) that the value is the median of. */
  readonly runs: number
}

/** What one rule says of one metric of one profile. */
export type GateRow = GateChangeRow | GateLevelRow

/** Something in the upload could not be read, and a rule asks for that. */
export interface GateImport {
  readonly rule: Rule
  readonly message: string
  readonly excuse: GateExcuse | null
}

/** The answer for a build. waiting: `missing` more runs of its commit were asked for; pending: it is being judged. */
export interface GateVerdict {
  readonly result: 'passed' | 'failed' | 'not-judged' | 'waiting' | 'pending'
  readonly missing: number
  readonly rows: readonly GateRow[]
  /** Null: all was read, or no rule asks. */
  readonly failedImport: GateImport | null
  /** The worst of what could not be read of the upload; null: all was read, or it is not known yet. */
  readonly problem: string | null
  /** Why no row stands: its runs were cut short or are gone, newer ones are there, no rule watches. Null: rows stand. */
  readonly nothing: 'unread' | 'not-newest' | 'unwatched' | null
  /** Alerts of these series that somebody still has to close, and that other runs raised: their level is no news. */
  readonly openAlerts: readonly AlertRow[]
}

interface GateInput {
  /** The profiles that got runs, with those runs. */
  readonly profiles: readonly { readonly profile: LoadProfile; readonly runIds: ReadonlySet<string> }[]
  /** Runs of one commit that are wanted before judging. */
  readonly wait: number
  /** All rules of the project, and the runs that its baseline rules name. */
  readonly rules: readonly Rule[]
  readonly reference: readonly ReferenceRun[]
  /** Now: rules may be muted until later. */
  readonly at: UtcIso
  /** Series and metric pairs of alerts that these runs raised: `raisedBy`; and those that others raised: `openAlertsOf`. */
  readonly raised: ReadonlySet<string>
  readonly openAlerts: readonly AlertRow[]
  /** The worst of what could not be read of the upload; null: all was read. */
  readonly problem: string | null
}

const raisedKey = (seriesId: string, profile: string, metricId: string): string => `${seriesId}|${profile}|${metricId}`

/** The metrics of profiles that got worse by open alerts which these runs raised. */
export function raisedBy(
  alerts: readonly Pick<AlertRow, 'state' | 'raisedRunId' | 'findings'>[],
  runIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const own = alerts.filter((alert) => alert.state === 'open' && runIds.has(alert.raisedRunId ?? ''))
  const worse = own.flatMap((alert) =>
    alert.findings.filter(({ metricId, before, after }) => {
      const direction = findMetric(metricId)?.direction
      return direction === 'neutral' || (direction === 'lower-is-better') === after > before
    }),
  )
  return new Set(worse.map((one) => raisedKey(one.seriesId, one.profile, one.metricId)))
}

/** The alerts of series that are open or acknowledged, without those that `runIds` raised. */
export function openAlertsOf(
  alerts: readonly AlertRow[],
  seriesIds: ReadonlySet<string>,
  runIds: ReadonlySet<string>,
): readonly AlertRow[] {
  return alerts.filter(
    (alert) =>
      liveStates.includes(alert.state) &&
      !runIds.has(alert.raisedRunId ?? '') &&
      seriesIdsOf(alert).some((id) => seriesIds.has(id)),
  )
}

/** Whether a row fails its build. */
export const failsBuild = ({ verdict, excuse }: GateRow): boolean =>
  excuse === null && (verdict === 'worse' || verdict === 'changed')

/**
 * Judges the newest runs of profiles for a build, by every rule of the project that is on: each metric that is watched for
 * changes against the current level and noise of its profile, and limits and baselines as their rules say. A build fails
 * when a metric is beyond what its noise predicts and over its floor, when its runs raised an alert, or when they break
 * a limit or fall short of a baseline. With fewer than 5 runs before, no change is judged. Runs that are not the newest
 * of their profile are not judged. What got better fails no build, though a rule may report it.
 */
export function judgeForBuild(input: GateInput): GateVerdict {
  const { profiles, wait, rules, reference, at, raised } = input
  const rows = profiles.flatMap(({ profile, runIds }): readonly GateRow[] => {
    const changes = watchedMetrics(rules, profile.series).flatMap((watched): readonly GateRow[] => {
      const metric = findMetric(watched.metricId)
      const isRaised = raised.has(raisedKey(profile.series.id, profile.name, watched.metricId))
      const row = metric && judgeMetric(profile, metric, runIds, watched, isRaised)
      if (!row) return []
      const isMutedNow = isMuted(watched.rule, at) && (row.verdict === 'worse' || row.verdict === 'changed')
      return [isMutedNow ? { ...row, excuse: 'muted' } : row]
    })
    return [...changes, ...judgeLevels({ profile, runIds, rules, reference, at })]
  })
  const failedImport = judgeImport(input)
  const nothing = rows.length > 0 ? null : whyNothing(profiles)
  const common = { missing: 0, rows, failedImport, problem: input.problem, nothing, openAlerts: input.openAlerts }
  if (failedImport?.excuse === null) return { result: 'failed', ...common }
  // Nobody who waits for one run waits at all: theirs is there, if older than others.
  const missing =
    wait === 1 ? 0 : Math.max(0, ...profiles.map(({ profile, runIds }) => wait - newestRunsOf(profile, runIds)))
  if (missing > 0) return { result: 'waiting', ...common, missing }
  if (rows.some(failsBuild)) return { result: 'failed', ...common }
  return { result: rows.some((row) => row.verdict !== 'not-judged') ? 'passed' : 'not-judged', ...common }
}

function whyNothing(profiles: GateInput['profiles']): GateVerdict['nothing'] {
  if (profiles.length === 0) return 'unread'
  return profiles.every(({ profile, runIds }) => newestRunsOf(profile, runIds) === 0) ? 'not-newest' : 'unwatched'
}

function judgeImport({ rules, problem, at }: GateInput): GateImport | null {
  const asking = rules.filter((rule) => rule.isEnabled && rule.settings.kind === 'failed-import')
  const rule = asking.find((one) => !isMuted(one, at)) ?? asking[0]
  if (problem === null || rule === undefined) return null
  return { rule, message: problem, excuse: isMuted(rule, at) ? 'muted' : null }
}

function newestRunsOf(profile: LoadProfile, runIds: ReadonlySet<string>): number {
  const metric = findMetric('requests-per-second')
  const newest = metric === null ? undefined : trendPoints(profile, metric).at(-1)
  return newest?.runIds.some((id) => runIds.has(id)) ? newest.runIds.length : 0
}

function judgeMetric(
  profile: LoadProfile,
  metric: Metric,
  runIds: ReadonlySet<string>,
  watched: WatchedMetric,
  isRaised: boolean,
): GateChangeRow | null {
  const points = trendPoints(profile, metric).filter((point) => point.value !== null)
  const newest = points.at(-1)
  if (newest === undefined || !newest.runIds.some((id) => runIds.has(id))) return null
  const raw = points.map((point) => point.value ?? 0)
  const settings = settingsFor(watched.sensitivity, watched.minEffect)
  const check = checkNewest(judgedValues(profile, metric, raw), { settings })
  const shown = metric.unit === 'ratio' ? { ...check, ...sharesOf(raw, check.before) } : check
  const isLarge = metric.unit !== 'ratio' || (shown.level !== null && matters(metric, shown.level, shown.value))
  const own = {
    kind: 'change-point',
    profile,
    metric,
    rule: watched.rule,
    check: shown,
    runs: newest.runIds.length,
  } as const
  if (isRaised) return { ...own, verdict: metric.direction === 'neutral' ? 'changed' : 'worse', excuse: null }
  const verdict = verdictOf(metric, check, isLarge)
  if (verdict !== 'worse' && verdict !== 'changed') return { ...own, verdict, excuse: null }
  if (watched.direction === 'better' || (verdict === 'changed' && watched.direction !== 'both'))
    return { ...own, verdict, excuse: 'not-asked' }
  const isConfirmed = isShiftedThrough(judgedValues(profile, metric, raw), watched.confirmRuns, settings, check.shifted)
  return { ...own, verdict, excuse: isConfirmed ? null : 'unconfirmed' }
}

/** Whether the mildest of the newest `count` values, held against those before them all, is as far off. */
function isShiftedThrough(
  values: readonly number[],
  count: number,
  settings: DetectorSettings,
  shifted: NewestCheck['shifted'],
): boolean {
  if (count === 1) return true
  const newest = values.slice(-count)
  const mildest = shifted === 'up' ? Math.min(...newest) : Math.max(...newest)
  return checkNewest([...values.slice(0, -count), mildest], { settings }).shifted === shifted
}

/** Shares are judged by transformed values, but shown as they are: the median of the runs compared, and the newest. */
function sharesOf(
  raw: readonly number[],
  compared: number,
): Pick<NewestCheck, 'level' | 'value' | 'expectedLow' | 'expectedHigh'> {
  const before = raw
    .slice(0, -1)
    .slice(raw.length - 1 - compared)
    .sort((a, b) => a - b)
  const level = before[Math.floor((before.length - 1) / 2)] ?? null
  return { level, value: raw.at(-1) ?? 0, expectedLow: null, expectedHigh: null }
}

function verdictOf(metric: Metric, check: NewestCheck, isLarge: boolean): GateVerdictWord {
  if (check.kind !== 'judged') return 'not-judged'
  if (check.shifted === null || !isLarge) return 'same'
  if (metric.direction === 'neutral') return 'changed'
  const worse = metric.direction === 'higher-is-better' && metric.unit !== 'ratio' ? 'down' : 'up'
  return check.shifted === worse ? 'worse' : 'better'
}

/** The name of a row's load profile with its scenario. */
export function gateRowName({ profile }: Pick<GateRow, 'profile'>): string {
  const name = profileTitle(profile, false)
  const { scenario } = profile.series
  return name === scenario ? scenario : `${scenario} · ${name}`
}

interface LevelsInput {
  readonly profile: LoadProfile
  readonly runIds: ReadonlySet<string>
  readonly rules: readonly Rule[]
  readonly reference: readonly ReferenceRun[]
  readonly at: UtcIso
}

/** What all limit and baseline rules that are on say of the newest runs of a profile, in the order of the rules. */
function judgeLevels({ profile, runIds, rules, reference, at }: LevelsInput): readonly GateLevelRow[] {
  return rules
    .filter((rule) => rule.isEnabled && covers(rule, profile.series))
    .flatMap((rule): readonly GateLevelRow[] => {
      const { settings } = rule
      if (settings.kind !== 'limit' && settings.kind !== 'baseline') return []
      const bars = barsOf(settings, profile, reference)
      const own = { kind: settings.kind, profile, rule, confirmRuns: settings.confirmRuns }
      const rows = bars.flatMap((bar): readonly GateLevelRow[] => {
        const row = judgeBar(profile, runIds, bar, settings.confirmRuns)
        if (row === null) return []
        const verdict = levelVerdictOf(settings.kind, bar, row)
        return [{ ...own, ...row, verdict, excuse: levelExcuseOf(rule, verdict, row, at) }]
      })
      return bars.length > 0 || settings.kind === 'limit' ? rows : withoutBaseline(own, settings.metricIds, runIds)
    })
}

type JudgedBar = Pick<GateLevelRow, 'metric' | 'expected' | 'side' | 'value' | 'broken' | 'runs'> & {
  readonly isFired: boolean
}

/** Null: the newest experiment that has the figure is none of these runs, or is the baseline itself. */
function judgeBar(profile: LoadProfile, runIds: ReadonlySet<string>, bar: Bar, confirmRuns: number): JudgedBar | null {
  const { metric, expected, side } = bar
  const baseline = new Set(bar.referenceRunIds)
  const points = trendPoints(profile, metric).filter((point) => !point.runIds.some((id) => baseline.has(id)))
  const values = points.flatMap((point) => point.value ?? [])
  const newest = points.findLast((point) => point.value !== null)
  const value = values.at(-1)
  if (value === undefined || !newest?.runIds.some((id) => runIds.has(id))) return null
  const broken = values.length - 1 - values.findLastIndex((one) => !bar.isBroken(one))
  const isFired = broken > 0 && findStretches(values, bar.isBroken, confirmRuns).at(-1)?.last === values.length - 1
  return { metric, expected, side, value, broken, runs: newest.runIds.length, isFired }
}

function levelVerdictOf(kind: 'limit' | 'baseline', bar: Bar, { broken }: JudgedBar): GateVerdictWord {
  if (broken === 0) return 'same'
  if (kind === 'limit') return 'worse'
  if (bar.metric.direction === 'neutral') return 'changed'
  return (bar.side === 'above') === (bar.metric.direction === 'lower-is-better') ? 'worse' : 'better'
}

function levelExcuseOf(rule: Rule, verdict: GateVerdictWord, row: JudgedBar, at: UtcIso): GateExcuse | null {
  if (verdict === 'same' || verdict === 'better') return null
  if (isMuted(rule, at)) return 'muted'
  return row.isFired ? null : 'unconfirmed'
}

/** A rule that could say nothing says so, once. */
function withoutBaseline(
  own: Pick<GateLevelRow, 'kind' | 'profile' | 'rule' | 'confirmRuns'>,
  metricIds: readonly string[],
  runIds: ReadonlySet<string>,
): readonly GateLevelRow[] {
  for (const id of metricIds.length > 0 ? metricIds : alertingMetrics.map((one) => one.metricId)) {
    const metric = findMetric(id)
    const newest = metric && trendPoints(own.profile, metric).at(-1)
    if (!metric || newest?.value == null || !newest.runIds.some((run) => runIds.has(run))) continue
    const { value, runIds: runs } = newest
    const side = metric.direction === 'higher-is-better' ? 'below' : 'above'
    const row = { metric, expected: null, side, value, broken: 0, runs: runs.length } as const
    return [{ ...own, ...row, verdict: 'not-judged', excuse: null }]
  }
  return []
}
