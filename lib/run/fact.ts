import type { HeldAgainst } from './judgement'
import type { JudgedRow } from './judgement'
import type { Metric, MetricUnit } from './metrics'

/** A number about something. Equal statements about the same thing have the same key, wherever they are shown. */
export interface Fact {
  /** Its kind, then its subject, each part encoded: `figure RUN METRIC`. */
  readonly key: string
  /** Unrounded, by part: `{ value }` of a figure, `{ low, high, … }` of a range. */
  readonly value: Readonly<Record<string, number | string | null>>
  /** For the parts that are in the unit of a metric; null: none are. */
  readonly unit: MetricUnit | null
  /** Cut off by a timeout: the true value is unknown and at least this. */
  readonly bound: '≥' | null
}

/** The key of a fact, from its kind and subject. */
export const factKey = (kind: string, ...of: readonly (string | number)[]): string =>
  [kind, ...of.map(encodeURIComponent)].join(' ')

const plain = (key: string, value: Fact['value'], unit: MetricUnit | null = null): Fact => {
  return { key, value, unit, bound: null }
}

/** A figure of a run, null when missing; `isCut`: cut off at the timeout. */
export const figureFact = (runId: string, metric: Metric, value: number | null, isCut = false): Fact => {
  return {
    ...plain(factKey('figure', runId, metric.id), { value }, metric.unit),
    bound: isCut && value !== null ? '≥' : null,
  }
}

/** The expected range of a figure of a run, which decides; its level, and the experiments behind both. */
export const expectedFact = (runId: string, metric: Metric, { low, high, level, runs, of }: HeldAgainst): Fact =>
  plain(factKey('expected', runId, metric.id), { low, high, level, runs, of }, metric.unit)

/** What was expected of the level before, if a run is compared with the one since. */
export const beforeFact = (
  runId: string,
  metric: Metric,
  { low, high, runs }: Omit<HeldAgainst, 'of' | 'level' | 'isOutside'>,
): Fact => plain(factKey('expected-before', runId, metric.id), { low, high, runs }, metric.unit)

/** How far the judged value is from the level it is compared with. */
export const againstFact = (runId: string, metric: Metric, value: number, level: number): Fact =>
  plain(factKey('against', runId, metric.id), { value, level, effect: value / level - 1 }, metric.unit)

/** The judgement of a run against its series. */
export const stateFact = (runId: string, { state, sentence }: JudgedRow): Fact =>
  plain(factKey('state', runId), { state, sentence })

/** How far a run is beyond a limit of its series; null: it meets it. */
export const limitFact = (runId: string, held: { readonly ruleId: string; readonly missedBy: number | null }): Fact =>
  plain(factKey('limit', runId, held.ruleId), { missedBy: held.missedBy })

/** A change of level, at the run that begins the new level. */
export interface ChangedLevel {
  readonly seriesId: string
  /** Its load profile. */
  readonly profile: string
  readonly afterRunId: string
  /** Levels, in the metric's unit. */
  readonly before: number
  readonly after: number
  /** Relative, with its 95 % interval. */
  readonly effectRatio: number
  readonly effectLowRatio: number
  readonly effectHighRatio: number
  readonly verdict: string
}

/** A change of level: between levels, never single runs. */
export const changeFact = (metric: Metric, one: ChangedLevel): Fact =>
  plain(
    factKey('change', one.seriesId, one.profile, metric.id, one.afterRunId),
    {
      before: one.before,
      after: one.after,
      effect: one.effectRatio,
      low: one.effectLowRatio,
      high: one.effectHighRatio,
      verdict: one.verdict,
    },
    metric.unit,
  )

/** The same as an alert states it; for a closed one as it was then, whatever later runs show. */
export function alertChangeFact(alert: AlertOfChange, metric: Metric, one: ChangedLevel): Fact {
  const fact = changeFact(metric, one)
  return alert.closedAt === null
    ? fact
    : { ...fact, key: factKey('change-then', alert.id, one.seriesId, metric.id, one.profile, one.afterRunId) }
}

interface AlertOfChange {
  readonly id: string
  readonly closedAt: string | null
}

/** The value of a side of a comparison; 0 is the base. `comparison`: its sides, and what is compared. */
export const sideFact = (comparison: string, side: number, metric: Metric, value: number | null): Fact =>
  plain(factKey('side', comparison, side, metric.id), { value }, metric.unit)

/** The judgement of a side against the base. */
export interface SaidDelta {
  readonly value: number | null
  readonly changeRatio: number | null
  readonly lowRatio: number | null
  readonly highRatio: number | null
  readonly marginRatio: number | null
}

/**
 * How far a side of a comparison is from its base, with its word: *differs* if the verdict is about less than matters.
 */
export const deltaFact = (
  comparison: string,
  side: number,
  metric: Metric,
  base: number | null,
  { word, ...one }: SaidDelta & { readonly word: string },
): Fact =>
  plain(
    factKey('delta', comparison, side, metric.id),
    {
      base,
      value: one.value,
      effect: one.changeRatio,
      low: one.lowRatio,
      high: one.highRatio,
      margin: one.marginRatio,
      verdict: word,
    },
    metric.unit,
  )

/** The same for one run per side, without further knowledge. */
export const loneDeltaFact = (comparison: string, metric: Metric, base: number, value: number): Fact =>
  plain(factKey('delta', comparison, 1, metric.id), { base, value, effect: value / base - 1 }, metric.unit)

/** What an experiment shows. */
export interface SaidExperiment {
  /** `running`, `worse`. */
  readonly word: string
  readonly sentence: string
  /** Head against base, with the interval that decides; null: too few rounds. */
  readonly effect: { readonly effectRatio: number; readonly low: number; readonly high: number } | null
  /** Rounds that count. */
  readonly rounds: number
  readonly maxRounds: number
}

/** An experiment: its verdict, head against base, and the rounds spent of those planned. */
export const experimentFact = (id: string, { word, sentence, effect, rounds, maxRounds }: SaidExperiment): Fact =>
  plain(factKey('experiment', id), {
    ...{ verdict: word, sentence, rounds, planned: maxRounds },
    ...{ effect: effect?.effectRatio ?? null, low: effect?.low ?? null, high: effect?.high ?? null },
  })

/** The leading sentence about something: a project, a comparison, an alert. */
export const headlineFact = (kind: string, id: string, sentence: string): Fact =>
  plain(factKey('headline', kind, id), { sentence })

/** How many there are of something: `count PROJECT attention`. */
export const countFact = (of: string, what: string, count: number): Fact =>
  plain(factKey('count', of, what), { value: count }, 'count')
