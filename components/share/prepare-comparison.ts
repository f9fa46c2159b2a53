import { differencesOf, type Difference } from '@/lib/comparability'
import { compareRuns, type Comparison } from '@/lib/comparison'
import { defaultMetricIds } from '@/lib/metrics'
import type { StoredRun } from '@/lib/stored'
import type { PlottedRun } from '../charts/hdr-plot'
import { readMetricIds } from '../compare/compare-url'
import { distinctNames } from '../compare/distinct-names'

const lambdaMetricIds = ['billed', 'init', 'max-memory']

/** A comparison as the shared page and every file made of it show it: decided once, so that they cannot differ. */
export interface PreparedComparison {
  /** The base first. */
  readonly runs: readonly [StoredRun, ...StoredRun[]]
  /** What tells the runs apart, in their order. */
  readonly names: readonly string[]
  readonly comparison: Comparison<StoredRun>
  readonly differences: readonly Difference[]
  readonly plotted: readonly PlottedRun[]
}

/** Prepares runs in the view of an address's query (`m=p99,mean`); null for no run. */
export function prepareComparison(runs: readonly StoredRun[], view: string): PreparedComparison | null {
  const [baseline, ...candidates] = runs
  if (!baseline) return null
  const usual = runs.some((run) => run.tool === 'lambda') ? [...defaultMetricIds, ...lambdaMetricIds] : defaultMetricIds
  const chosen = readMetricIds(new URLSearchParams(view).getAll('m')) ?? usual
  const names = distinctNames(runs)
  return {
    runs: [baseline, ...candidates],
    names,
    comparison: compareRuns(baseline, candidates, chosen),
    differences: differencesOf(runs),
    plotted: runs.map((run, at) => ({ id: run.id, name: names[at] ?? run.scenario, imported: run.imported })),
  }
}
