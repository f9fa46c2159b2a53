import {
  certifyMetric,
  falseAlarmsOf,
  type ControlExperiment,
  type FalseAlarms,
  type MetricCertificate,
} from '../experiment/certificate'
import { orderOf } from '../experiment/order'
import type { PlaceEffect } from '../experiment/place-effect'
import { base, control, type Round } from '../experiment/round'
import { planLimits } from '../experiment/plan-limits'
import { fewestRounds, smallestVisible } from '../experiment/visible'
import { groupBy } from '../group-by'
import { profileName, profilesOf, type LoadProfile } from '../history/series'
import type { SeriesHistory, SeriesPoint } from '../history/stored-series'
import { repeats } from '../levels/points'
import { isBarred } from '../run/guard'
import { alertingMetrics, defaultMetric, findMetric, minEffectOf, type Metric } from '../run/metrics'
import type { UtcIso } from '../run/run'

/** Experiments on identical code from which on an environment is certified. */
export const minCertified = 8
/** Rounds for which it is said which change they show. */
export const shownRounds = [8, 12, 24] as const
const alpha = 0.05
/** Fewer rounds estimate nothing. */
const minRounds = 4
/** Pairs of repeats that count as one experiment. */
const repeatsInOne = 12
/** Repeats further apart are of another hour of the machine. */
const longestPairMs = 3_600_000

/** What is stored of an environment that runs of identical code say something about. */
export interface InstrumentRuns {
  readonly environment: string
  /** Runs of base and control, in order of time, with labels `experiment`, `round` and `arm`. */
  readonly controls: readonly SeriesPoint[]
  /** Id of the metric that decided, by experiment; absent: not known. */
  readonly deciding: ReadonlyMap<string, string>
  /** Series that ran on it last, with their newest runs. */
  readonly histories: readonly SeriesHistory[]
}

/** What the environment shows in one metric. */
export interface InstrumentMetric extends Pick<MetricCertificate, 'deviation' | 'df'> {
  readonly metric: Metric
  /** What runs second, against first, by experiments whose order was drawn; null: too few. */
  readonly place: PlaceEffect | null
  /** Smallest relative change that so many rounds show with 80 %. */
  readonly visible: readonly { readonly rounds: number; readonly ratio: number }[]
  /** Smallest relative change that matters, and the fewest rounds that show it; null: more than a plan may have. */
  readonly mattersRatio: number
  readonly roundsToShow: number | null
}

/** What an environment shows, by runs of identical code against each other. */
export interface Instrument {
  readonly environment: string
  /** Experiments with a control, and sets of repeats of one build. */
  readonly controls: number
  readonly repeats: number
  /** Of its newest run of identical code; null: none. */
  readonly newestAt: UtcIso | null
  /** Of all of them, in the metric that decided. */
  readonly falseAlarms: FalseAlarms
  readonly metrics: readonly InstrumentMetric[]
  /** Whether they are enough; else nothing is refused by it. */
  readonly isCertified: boolean
}

/** A round with its runs in the order in which they ran. */
type Pair = readonly [
  { readonly arm: string; readonly run: SeriesPoint },
  { readonly arm: string; readonly run: SeriesPoint },
]
interface PairSet {
  readonly pairs: readonly Pair[]
  readonly metricId: string | null
}

/**
 * What runs of identical code show of an environment: base against its control, round by round, and neighbouring
 * repeats of one build. `mattersRatioOf`: the smallest change that matters in a metric.
 */
export function instrumentOf(
  runs: InstrumentRuns,
  mattersRatioOf: (metricId: string) => number = minEffectOf,
): Instrument {
  const drawn = setsOfControls(runs).filter(isExperiment)
  const repeated = runs.histories.flatMap((history) => profilesOf(history).flatMap(setsOfRepeats)).filter(isExperiment)
  const all = [...drawn, ...repeated]
  const falseAlarms = falseAlarmsOf(all.flatMap(decidingRounds), alpha)
  const metrics = certified.flatMap((metric) => metricOf(metric, drawn, all, mattersRatioOf(metric.id)) ?? [])
  const times = all.flatMap(({ pairs }) => pairs.map(([, { run }]) => run.orderedAt))
  return {
    environment: runs.environment,
    ...{ controls: drawn.length, repeats: repeated.length },
    newestAt: times.toSorted().at(-1) ?? null,
    falseAlarms,
    metrics,
    isCertified: falseAlarms.total >= minCertified,
  }
}

/** Metrics that alerts watch and that are compared by ratio. */
const certified = alertingMetrics.flatMap(({ metricId }) => {
  const metric = findMetric(metricId)
  return metric === null || metric.unit === 'ratio' || metric.direction === 'neutral' ? [] : [metric]
})

function metricOf(
  metric: Metric,
  drawn: readonly PairSet[],
  all: readonly PairSet[],
  mattersRatio: number,
): InstrumentMetric | null {
  const certificate = certifyMetric(roundsOf(all, metric))
  if (certificate === null) return null
  const { deviation, df } = certificate
  return {
    ...{ metric, deviation, df },
    place: certifyMetric(roundsOf(drawn, metric))?.place ?? null,
    visible: shownRounds.map((rounds) => ({ rounds, ratio: smallestVisible(deviation, rounds, alpha) })),
    mattersRatio,
    roundsToShow: fewestRounds(deviation, mattersRatio, {
      alpha,
      least: planLimits.leastRounds,
      most: planLimits.mostRounds,
    }),
  }
}

const roundsOf = (sets: readonly PairSet[], metric: Metric): readonly ControlExperiment[] =>
  sets.map(({ pairs }) => pairs.flatMap((pair) => roundOf(pair, metric) ?? [])).filter(isEnough)

/** Its rounds tell arms and places apart. */
const isExperiment = (set: PairSet): boolean => falseAlarmsOf(decidingRounds(set), alpha).total > 0

const isEnough = ({ length }: ControlExperiment): boolean => length >= minRounds

/** In the metric that decided, else the default, else the first one that its runs have. */
function decidingRounds({ pairs, metricId }: PairSet): readonly ControlExperiment[] {
  const own = metricId === null ? null : findMetric(metricId)
  const asked = own === null ? [defaultMetric, ...certified] : [own]
  for (const metric of asked) {
    const rounds = pairs.flatMap((pair) => roundOf(pair, metric) ?? [])
    if (isEnough(rounds)) return [rounds]
  }
  return []
}

function roundOf(pair: Pair, metric: Metric): Round | null {
  const values = pair.map(({ run }) => (isBarred(run.guards, metric.id) ? null : metric.read(run.figures)))
  const [one, other] = values
  if (one == null || other == null || one <= 0 || other <= 0) return null
  const [first, second] = pair
  return { order: [first.arm, second.arm], values: { [first.arm]: one, [second.arm]: other } }
}

/** Experiments with a control; of two runs for one place, the first counts. */
function setsOfControls({ controls, deciding }: InstrumentRuns): readonly PairSet[] {
  const byExperiment = groupBy(controls, ({ labels }) => labels['experiment'] ?? '')
  return [...byExperiment].flatMap(([experiment, runs]) => {
    const rounds = groupBy(runs, ({ labels }) => labels['round'] ?? '')
    const pairs = [...rounds.values()].flatMap((round): readonly Pair[] => {
      const [first] = round
      const arm = first?.labels['arm']
      const other = round.find(({ labels }) => labels['arm'] !== arm)
      if (first === undefined || arm === undefined || other === undefined || !isSameLoad(first, other)) return []
      return [
        [
          { arm, run: first },
          { arm: other.labels['arm'] ?? '', run: other },
        ],
      ]
    })
    return pairs.length < minRounds ? [] : [{ pairs, metricId: deciding.get(experiment) ?? null }]
  })
}

const isSameLoad = (a: SeriesPoint, b: SeriesPoint): boolean =>
  profileName(a.tool, a.load) === profileName(b.tool, b.load)

/**
 * Neighbouring repeats of one build, less its first run: further ones may have been asked for because that one was off.
 * Which of two is called base is drawn, so their order in time says nothing of places.
 */
function setsOfRepeats({ key, points }: LoadProfile): readonly PairSet[] {
  const pairs: Pair[] = []
  for (const group of groupsOf(points)) {
    const runs = group.slice(1)
    for (let at = 0; at + 1 < runs.length; at += 2) {
      const [first, second] = [runs[at], runs[at + 1]]
      if (first === undefined || second === undefined || gapOf(first, second) > longestPairMs) continue
      const [one = base, other = control] = orderOf([base, control], key, pairs.length)
      pairs.push([
        { arm: one, run: first },
        { arm: other, run: second },
      ])
    }
  }
  const sets = Array.from({ length: Math.ceil(pairs.length / repeatsInOne) }, (_, at) =>
    pairs.slice(at * repeatsInOne, (at + 1) * repeatsInOne),
  )
  return sets.flatMap((own) => (own.length < minRounds ? [] : [{ pairs: own, metricId: null }]))
}

function groupsOf(points: readonly SeriesPoint[]): readonly (readonly SeriesPoint[])[] {
  const groups: SeriesPoint[][] = []
  for (const point of points) {
    // Runs of an experiment are its rounds, of whatever code.
    if (point.labels['arm'] !== undefined || point.labels['experiment'] !== undefined) continue
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && repeats(last, point)) group.push(point)
    else groups.push([point])
  }
  return groups
}

const gapOf = (a: SeriesPoint, b: SeriesPoint): number => Date.parse(b.orderedAt) - Date.parse(a.orderedAt)
