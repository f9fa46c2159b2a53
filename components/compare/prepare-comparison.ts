import { differencesOf, type Difference } from '@/lib/judge/comparability'
import { compareSides, type Comparison } from '@/lib/judge/comparison'
import { withMiddles, withoutSmallMiddles } from '@/lib/judge/middle-percentiles'
import { canCompareSteady } from '@/lib/judge/steady-window'
import type { NoiseOf, Side, StepOf } from '@/lib/judge/sides'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import type { StoredRun } from '@/lib/history/stored-runs'
import { comparedByDefault, metrics, type Metric } from '@/lib/run/metrics'
import type { CompareView } from './compare-view-state'
import { costInputsOf } from './cost-rows'
import { asJudged, judgedRunOf, type JudgedRun } from './judged-run'
import { distinctNames, minShort } from './distinct-names'
import type { SideIds } from './group-repeats'
import { namesOfRuns, plottedSides, type PlottedRepeat } from './plotted-sides'

/** A comparison as its page, its share and all of its files show it: prepared once, so that they cannot differ. */
export interface PreparedComparison {
  /** The base first; runs of one side repeat each other. */
  readonly sides: readonly [Side<StoredRun>, ...Side<StoredRun>[]]
  /** All runs, in the order of the sides. */
  readonly runs: readonly StoredRun[]
  /** What distinguishes the sides, in their order. */
  readonly names: readonly string[]
  /** What distinguishes the runs, in their order. */
  readonly runNames: readonly string[]
  readonly comparison: Comparison<StoredRun>
  /** The run that is compared with earlier ones of its series; null: these are sides of equal standing. */
  readonly judged: JudgedRun | null
  readonly differences: readonly Difference[]
  /** Whether the runs can be judged after their warm-up; null: none had one, so there is no choice. */
  readonly hasSteady: boolean | null
  /** The runs that charts draw: of many, only some. */
  readonly plotted: readonly PlottedRepeat[]
  /** Position of each run's side, in the order of the runs. */
  readonly sideOfRun: readonly number[]
  /** What represents the runs of each side in addresses. */
  readonly refs: SideIds
  /**
   * The same sides with all of the runs that they repeat, if there are more; null: there are none, or they were not
   * looked up.
   */
  readonly whole: WholeSides | null
  readonly view: CompareView
}

/** Sides by their refs, and how many runs each has. */
export interface WholeSides {
  readonly refs: SideIds
  readonly counts: readonly number[]
}

/**
 * Prepares sides in a view, with what is known of their noise and what alerts report of them; leaves out sides without
 * runs. Null: no run at all.
 */
export function prepareComparison(
  wanted: readonly (readonly StoredRun[])[],
  view: CompareView,
  noiseOf: NoiseOf<StoredRun>,
  stepOf: StepOf<StoredRun> = () => null,
  findings: readonly AlertFinding[] = [],
): PreparedComparison | null {
  const [base, ...others] = wanted.flatMap(([first, ...rest]): Side<StoredRun>[] => (first ? [[first, ...rest]] : []))
  if (!base) return null
  const sides = [base, ...others] as const
  const runs = sides.flat()
  const names = distinctNames(sides)
  const runNames = namesOfRuns(sides, names)
  const isReported = (metric: Metric) => others.some((side) => stepOf(base, side, metric) !== null)
  const reported = metrics.flatMap((one) => (isReported(one) ? one.id : []))
  const metricIds = view.metricIds ?? [...new Set([...withMiddles(comparedByDefault(runs)), ...reported])]
  const hasSteady = canCompareSteady(runs)
  const window = view.window === 'steady' && hasSteady === true ? 'steady' : 'whole'
  const judged = judgedRunOf(sides, findings)
  const compared = compareSides(base, others, {
    metricIds,
    noiseOf,
    stepOf,
    window,
    instancesOf: (run) => costInputsOf(run, view.cost).instances,
  })
  const rows = withoutSmallMiddles(compared.rows, new Set(view.metricIds ?? reported))
  const comparison = { ...compared, rows }
  return {
    sides,
    runs,
    names,
    runNames: runNames.flat(),
    comparison: judged === null ? comparison : asJudged(comparison, judged),
    judged,
    hasSteady,
    differences: differencesOf(runs),
    plotted: plottedSides(sides, names, runNames),
    sideOfRun: sides.flatMap((side, at) => side.map(() => at)),
    refs: sides.map((side) => side.map(({ id }) => id)),
    whole: null,
    view,
  }
}

/** What is compared, in a few words: the sides by name, or their scenario and number if there are many. */
export function comparisonTitle({ runs, names }: Pick<PreparedComparison, 'runs' | 'names'>): string {
  if (names.length < minShort) return names.join(' vs ')
  const shared = (['scenario', 'variant'] as const).flatMap((field) => {
    const values = new Set(runs.map((run) => run[field]))
    return values.size === 1 ? [...values] : []
  })
  const of = shared.filter((part) => part !== null && part !== '').join(' › ')
  return [of, `${names.length} sides`].filter((part) => part !== '').join(', ')
}

/** A sentence that charts draw only some of the runs; null: they draw all. */
export const drawnWords = ({ plotted, runs }: Pick<PreparedComparison, 'plotted' | 'runs'>): string | null =>
  plotted.length < runs.length
    ? `Charts draw ${plotted.length} of ${runs.length} runs, evenly over time; figures and verdicts are of all.`
    : null
