import type { Instrument } from '../instrument/instrument'
import { trendPoints } from '../levels/points'
import { guardReason } from '../judge/guard-words'
import { isBarred, isInvalidated } from '../run/guard'
import type { MetricJudgement, RunJudgement } from '../run/judgement'
import { missedBy } from '../run/limits'
import { alertingMetrics, findMetric, type Metric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import { profileTitle, type LoadProfile } from '../history/series'
import { isBeyond, refusedThreshold, type RefusedThreshold } from './refused-threshold'
import { repeatsOf, settlingRepeats, type OffMetric, type Repeats } from './repeats'
import { barsOf, type Bar, type ReferenceRun } from '../rules/rule-events'
import { covers, isMuted, watchedMetrics, type Rule, type RuleSettings, type WatchedMetric } from '../rules/rules'
import { liveStates, seriesIdsOf, type AlertRow } from '../rules/stored-alerts'
import { findBreaches } from '../rules/breaches'

/**
 * The verdict on the newest runs: the state of their judgement, or how they compare with a limit or baseline. worse,
 * changed (in a metric without a good direction), and unusual unless better: the build fails, unless excused.
 */
export type GateVerdictWord = MetricJudgement['state'] | 'within'

/**
 * Why a verdict does not fail the build: its rule is muted, covers other changes only, or requires more runs that show
 * it; an alert raised by other runs already reports it; the whole environment is as far off; or the environment does not
 * show changes of this size.
 */
export type GateExcuse = 'muted' | 'not-asked' | 'unconfirmed' | 'reported' | 'environment' | 'instrument'

/** The verdict of a limit or baseline rule on the newest runs of a profile. Values in the metric's unit. */
export interface GateLevelRow {
  readonly kind: 'limit' | 'baseline'
  readonly profile: LoadProfile
  readonly metric: Metric
  readonly rule: Rule
  readonly verdict: GateVerdictWord
  /** Why the verdict does not fail the build; null: it counts. */
  readonly excuse: GateExcuse | null
  /** The limit, or the baseline's median; null: the baseline has no run under this load. */
  readonly expected: number | null
  /** The side on which values break the rule. */
  readonly side: 'above' | 'below'
  readonly value: number
  /** Experiments in a row, including this one, that broke the rule, and how many are required. */
  readonly broken: number
  readonly confirmRuns: number
  /** Runs that the value is the median of. */
  readonly runs: number
  /** The threshold of a baseline, if its environment does not show it; null: it does, or is not certified. */
  readonly refused: RefusedThreshold | null
}

/** One metric of one profile compared with earlier runs, according to the judgement of its newest runs. */
export interface GateChangeRow {
  readonly kind: 'change-point'
  readonly profile: LoadProfile
  readonly metric: Metric
  readonly rule: Rule
  readonly verdict: GateVerdictWord
  readonly excuse: GateExcuse | null
  readonly judged: MetricJudgement
  /** Why the metric is not judged, as a clause; null: it is judged, or there are too few runs. */
  readonly reason: string | null
  /** Runs of the newest experiment (commit, else upload) that the value is the median of. */
  readonly runs: number
}

/** The verdict of one rule on one metric of one profile. */
export type GateRow = GateChangeRow | GateLevelRow

/**
 * A run that fails a build whatever the rules: it is no valid measurement, or more of its requests fail than before.
 */
export interface RefusedRun {
  readonly runId: string
  readonly state: 'invalid' | 'failing'
  readonly sentence: string
}

/** Something in the upload could not be read, and a rule watches for that. */
export interface GateImport {
  readonly rule: Rule
  readonly message: string
  readonly excuse: GateExcuse | null
}

/**
 * The answer for a build. waiting: it asked for `missing` more runs of its commit; repeat: so many settle what is off;
 * pending: being judged.
 */
export interface GateVerdict {
  readonly result: 'passed' | 'failed' | 'not-judged' | 'waiting' | 'repeat' | 'pending'
  readonly missing: number
  /** What is off in the run that is repeated; null: nothing, or it is no measurement (`refused`). */
  readonly unsettled: OffMetric | null
  readonly rows: readonly GateRow[]
  readonly refused: readonly RefusedRun[]
  /** Null: all was read, or no rule watches for it. */
  readonly failedImport: GateImport | null
  /** The most severe problem in reading the upload; null: none, or not known yet. */
  readonly problem: string | null
  /**
   * Why there are no rows: its runs are truncated or gone, newer ones exist, no rule watches. Null: there are
   * rows.
   */
  readonly nothing: 'unread' | 'not-newest' | 'unwatched' | null
  /** Alerts of these series that still have to be closed and were raised by other runs: their level is not new. */
  readonly openAlerts: readonly AlertRow[]
}

interface GateInput {
  /** The profiles that received runs or candidates, with those runs. */
  readonly profiles: readonly { readonly profile: LoadProfile; readonly runIds: ReadonlySet<string> }[]
  /** Judgements of the upload's runs, by run id. */
  readonly judgements: ReadonlyMap<string, RunJudgement>
  /** Runs of one commit required before judging. */
  readonly wait: number
  /** The most repeats that may be asked for where a run is off; absent or 0: none. */
  readonly repeat?: number
  /** Runs of these commits that were no measurement, these included; absent: not known. */
  readonly invalidRuns?: number
  /** All rules of the project, and the runs that its baseline rules name. */
  readonly rules: readonly Rule[]
  readonly reference: readonly ReferenceRun[]
  /** Current time, for rules muted until later. */
  readonly at: UtcIso
  /** Ids of the alerts that these runs raised (`raisedBy`), and of those that others raised (`openAlertsOf`). */
  readonly raised: ReadonlySet<string>
  readonly openAlerts: readonly AlertRow[]
  /** The most severe problem in reading the upload; null: all was read. */
  readonly problem: string | null
  /** What environments show, by name; one that is absent refuses no threshold. */
  readonly instruments?: ReadonlyMap<string, Instrument> | undefined
  /** Whether the newest run of a row is off because its environment is. Absent: the build answers for all. */
  readonly isOffWithEnvironment?: ((row: Pick<GateChangeRow, 'profile' | 'metric' | 'judged'>) => boolean) | undefined
}

/** The alerts that these runs raised. */
export function raisedBy(
  alerts: readonly Pick<AlertRow, 'id' | 'raisedRunId'>[],
  runIds: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(alerts.filter((alert) => runIds.has(alert.raisedRunId ?? '')).map(({ id }) => id))
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
export const failsBuild = (row: GateRow): boolean => row.excuse === null && isAgainst(row)

/** Whether a row would fail a build if it were not excused. */
function isAgainst(row: GateRow): boolean {
  const { verdict } = row
  if (verdict === 'unusual') return row.kind === 'change-point' && row.judged.side !== 'better'
  return verdict === 'worse' || verdict === 'changed'
}

/**
 * Judges the newest runs of profiles, and candidates, by every enabled rule of the project: by the runs' judgement for
 * each metric watched for changes, and by limits and baselines according to their rules. A build fails when a metric is
 * worse or unusual, when its runs break a limit or fall short of a baseline, when one is no valid measurement, and when
 * requests fail as they did not before. Nothing is judged with too few earlier runs, nor are runs that are not the
 * newest of their profile. Improvements never fail a build, though a rule may report them.
 */
export function judgeForBuild(input: GateInput): GateVerdict {
  const { profiles, wait, rules, reference, at, judgements, instruments } = input
  const asked = profiles.map((one) => withRepeats(input, one))
  const rows = asked.flatMap(({ profile, runIds, judgement }): readonly GateRow[] => [
    ...judgeChanges(input, profile, runIds, judgement),
    ...judgeLevels({ profile, runIds, rules, reference, at, instruments }),
  ])
  const failedImport = judgeImport(input)
  const isExcused = rows.some((row) => row.kind === 'change-point' && isOfFailures(row) && row.excuse !== null)
  const refused = [...judgements]
    .flatMap(([runId, judgement]) => refusalOf(runId, judgement))
    .filter(({ state }) => state === 'invalid' || !isExcused)
  const nothing = rows.length > 0 ? null : whyNothing(profiles)
  const { problem, openAlerts } = input
  const told = { missing: 0, unsettled: null, rows, refused, failedImport, problem, nothing, openAlerts }
  if (failedImport?.excuse === null) return { result: 'failed', ...told }
  // A caller that wants one run need not wait: its run is there, even if older than others.
  const missing =
    wait === 1 ? 0 : Math.max(0, ...profiles.map(({ profile, runIds }) => wait - newestRunsOf(profile, runIds)))
  if (missing > 0) return { result: 'waiting', ...told, missing }
  const unsettled = asked.filter(({ repeats }) => repeats !== null && repeats.missing > 0)
  const isUnsettled = (row: GateRow) => unsettled.some(({ profile }) => profile === row.profile)
  const isRefused = refused.length > 0 && !isRepeated(input, refused)
  if (isRefused || rows.some((row) => failsBuild(row) && !isUnsettled(row))) return { result: 'failed', ...told }
  const [most] = unsettled.flatMap(({ repeats }) => repeats ?? []).sort((a, b) => b.missing - a.missing)
  if (most !== undefined) return { result: 'repeat', ...told, missing: most.missing, unsettled: most.off }
  if (refused.length > 0) return { result: 'repeat', ...told, missing: 1 }
  return { result: rows.some((row) => !isSilent(row)) ? 'passed' : 'not-judged', ...told }
}

/** Whether runs that are no measurement may be repeated: repeats are asked for, and few were in vain so far. */
function isRepeated({ repeat, invalidRuns = 0 }: GateInput, refused: readonly RefusedRun[]): boolean {
  return !!repeat && invalidRuns <= settlingRepeats && refused.every(({ state }) => state === 'invalid')
}

/** Whether a row has no verdict on the runs. */
export const isSilent = ({ verdict }: GateRow): boolean => verdict === 'no-history' || verdict === 'barred'

const isOfFailures = ({ metric }: GateChangeRow): boolean => metric.group === 'Failures'

/** A share of failures that is already in the history of its series does not fail a build. */
function refusalOf(runId: string, { state, sentence, metrics, guards }: RunJudgement): readonly RefusedRun[] {
  // The first of its series, and too short; or no valid measurement, with failures as well.
  if ((state === 'no-history' || state === 'failing') && isInvalidated(guards))
    return [{ runId, state: 'invalid', sentence }]
  if (state !== 'invalid' && state !== 'failing') return []
  const failures = metrics.find(({ metricId }) => findMetric(metricId)?.group === 'Failures')
  return state === 'failing' && failures?.state === 'as-expected' ? [] : [{ runId, state, sentence }]
}

interface JudgedProfile {
  readonly profile: LoadProfile
  readonly runIds: ReadonlySet<string>
  /** Of its newest run, if that is one of these. */
  readonly judgement: RunJudgement | null
  /** Null: no repeats are asked for. */
  readonly repeats: Repeats | null
}

/** A profile as its repeats show it, if they are asked for and its newest run was off by itself. */
function withRepeats(input: GateInput, { profile, runIds }: GateInput['profiles'][number]): JudgedProfile {
  const newest = profile.points.at(-1)?.runId ?? ''
  const judgement = runIds.has(newest) ? (input.judgements.get(newest) ?? null) : null
  const own = { profile, runIds, judgement, repeats: null }
  if (judgement === null || !input.repeat) return own
  const rows = judgeChanges(input, profile, runIds, judgement)
  const watched = watchedMetrics(input.rules, profile.series).filter(
    ({ metricId, rule, direction }) =>
      !isMuted(rule, input.at) &&
      direction !== 'better' &&
      rows.some((row) => row.metric.id === metricId && row.excuse === null),
  )
  const repeats = repeatsOf({ profile, judgement, watched, most: input.repeat })
  if (repeats === null) return own
  return { profile: repeats.missing > 0 ? profile : repeats.profile, runIds, judgement: repeats.judgement, repeats }
}

function judgeChanges(
  { rules, at, raised, isOffWithEnvironment = () => false }: GateInput,
  profile: LoadProfile,
  runIds: ReadonlySet<string>,
  judgement: RunJudgement | null,
): readonly GateChangeRow[] {
  if (judgement === null) return []
  return watchedMetrics(rules, profile.series).flatMap((watched): readonly GateChangeRow[] => {
    const metric = findMetric(watched.metricId)
    const judged = judgement.metrics.find((one) => one.metricId === watched.metricId)
    if (metric === null || judged === undefined) return []
    const { rule } = watched
    const guard = judgement.guards.find((one) => isBarred([one], metric.id))
    const reason = judged.state === 'barred' && guard ? guardReason(guard) : null
    const own = { kind: 'change-point', profile, metric, rule, judged, reason, runs: judgement.runs } as const
    const row = { ...own, verdict: judged.state, excuse: null }
    if (!isAgainst(row)) return [row]
    const excuse = excuseOf(watched, judged, raised, runIds, at)
    return [{ ...row, excuse: excuse ?? (isOffWithEnvironment(row) ? 'environment' : null) }]
  })
}

function excuseOf(
  { rule, direction, confirmRuns }: WatchedMetric,
  { state, side, change, outside }: MetricJudgement,
  raised: ReadonlySet<string>,
  runIds: ReadonlySet<string>,
  at: UtcIso,
): GateExcuse | null {
  if (isMuted(rule, at)) return 'muted'
  if (direction === 'better' || (side === 'neutral' && direction !== 'both')) return 'not-asked'
  if (state === 'unusual') return outside < confirmRuns ? 'unconfirmed' : null
  const isNews = change === null || runIds.has(change.afterRunId) || raised.has(change.alertId ?? '')
  return change?.alertId == null || isNews ? null : 'reported'
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

/** The name of a row's profile with its scenario. */
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
  readonly instruments: GateInput['instruments']
}

/** The verdicts of all enabled limit and baseline rules on the newest runs of a profile, in the order of the rules. */
function judgeLevels({ profile, runIds, rules, reference, at, instruments }: LevelsInput): readonly GateLevelRow[] {
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
        const refused = refusedOf(instruments?.get(profile.series.environment ?? ''), settings, bar, row)
        return [{ ...own, ...row, verdict, excuse: levelExcuseOf(rule, verdict, { ...row, refused }, at), refused }]
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
  const isFired = broken > 0 && findBreaches(values, bar.isBroken, confirmRuns).at(-1)?.last === values.length - 1
  return { metric, expected, side, value, broken, runs: newest.runIds.length, isFired }
}

/** How far the newest value is beyond the limit of a row; null: it meets it, or the row has no limit. */
export const missedByRow = (row: GateRow): number | null =>
  row.kind !== 'limit' || row.expected === null ? null : missedBy({ side: row.side, limit: row.expected }, row.value)

function levelVerdictOf(kind: 'limit' | 'baseline', bar: Bar, { broken }: JudgedBar): GateVerdictWord {
  if (broken === 0) return 'within'
  if (kind === 'limit') return 'worse'
  if (bar.metric.direction === 'neutral') return 'changed'
  return (bar.side === 'above') === (bar.metric.direction === 'lower-is-better') ? 'worse' : 'better'
}

/** Each of the experiments in a row that a rule requires must show it. */
function refusedOf(
  instrument: Instrument | undefined,
  settings: LevelSettings,
  { metric, referenceRunIds }: Bar,
  { runs }: JudgedBar,
): RefusedThreshold | null {
  if (settings.kind !== 'baseline') return null
  const asked = { metric, askedRatio: settings.leastEffectRatio, against: referenceRunIds.length }
  return refusedThreshold(instrument, { ...asked, runs: runs * settings.confirmRuns })
}

type LevelSettings = Extract<RuleSettings, { kind: 'baseline' | 'limit' }>

function levelExcuseOf(
  rule: Rule,
  verdict: GateVerdictWord,
  { isFired, refused, value, expected }: JudgedBar & Pick<GateLevelRow, 'refused'>,
  at: UtcIso,
): GateExcuse | null {
  if (verdict === 'within' || verdict === 'better') return null
  if (isMuted(rule, at)) return 'muted'
  if (!isFired) return 'unconfirmed'
  return refused !== null && expected !== null && !isBeyond(refused, value, expected) ? 'instrument' : null
}

/** Lists each rule that could give no verdict once. */
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
    const row = { metric, expected: null, side, value, broken: 0, runs: runs.length, refused: null } as const
    return [{ ...own, ...row, verdict: 'no-history', excuse: null }]
  }
  return []
}
