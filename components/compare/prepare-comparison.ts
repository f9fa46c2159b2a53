import { differencesOf, type Difference } from '@/lib/judge/comparability'
import { compareSides, type Comparison } from '@/lib/judge/comparison'
import { canCompareSteady } from '@/lib/judge/steady-window'
import type { NoiseOf, Side, StepOf } from '@/lib/judge/sides'
import type { StoredRun } from '@/lib/run/stored'
import { comparedByDefault, metrics, type Metric } from '@/lib/run/metrics'
import type { PlottedRun } from '../charts/plotted-run'
import type { CompareView } from './compare-view-state'
import { costInputsOf } from './cost-rows'
import { distinctNames } from './distinct-names'
import { plottedSides } from './plotted-sides'

/** A comparison as its page, its share and every file made of it show it: decided once, so that they cannot differ. */
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
  readonly differences: readonly Difference[]
  /** Whether the runs can be judged after their warm-up; null: none had one, so there is no choice. */
  readonly hasSteady: boolean | null
  readonly plotted: readonly (PlottedRun & { readonly styleIndex: number })[]
  readonly view: CompareView
}

/** Prepares sides in a view, with what is known of their noise and what alerts report of the steps between them; sides without runs are left out. Null: no run at all. */
export function prepareComparison(
  wanted: readonly (readonly StoredRun[])[],
  view: CompareView,
  noiseOf: NoiseOf<StoredRun>,
  stepOf: StepOf<StoredRun> = () => null,
): PreparedComparison | null {
  const [base, ...others] = wanted.flatMap(([first, ...rest]): Side<StoredRun>[] => (first ? [[first, ...rest]] : []))
  if (!base) return null
  const sides = [base, ...others] as const
  const runs = sides.flat()
  const names = distinctNames(sides.map(([run]) => run))
  const plotted = plottedSides(sides, names)
  const isReported = (metric: Metric) => others.some((side) => stepOf(base, side, metric) !== null)
  const metricIds = view.metricIds ?? [
    ...new Set([...comparedByDefault(runs), ...metrics.flatMap((one) => (isReported(one) ? one.id : []))]),
  ]
  const hasSteady = canCompareSteady(runs)
  const window = view.window === 'steady' && hasSteady === true ? 'steady' : 'whole'
  return {
    sides,
    runs,
    names,
    runNames: plotted.map((one) => one.name),
    comparison: compareSides(base, others, {
      metricIds,
      noiseOf,
      stepOf,
      window,
      instancesOf: (run) => costInputsOf(run, view.cost).instances,
    }),
    hasSteady,
    differences: differencesOf(runs),
    plotted,
    view,
  }
}

/** What is compared, in a few words: the sides by name, or their scenario and number where they are many. */
export function comparisonTitle({ runs, names }: Pick<PreparedComparison, 'runs' | 'names'>): string {
  if (names.length < 4) return names.join(' vs ')
  const scenarios = new Set(runs.map((run) => run.scenario))
  const [only] = scenarios.size === 1 ? scenarios : []
  return [only, `${names.length} sides`].filter((part) => part !== undefined).join(', ')
}
