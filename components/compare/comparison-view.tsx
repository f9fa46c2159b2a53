import { differencesOf } from '@/lib/comparability'
import { compareRuns } from '@/lib/comparison'
import { defaultMetricIds } from '@/lib/metrics'
import type { StoredRun } from '@/lib/stored'
import { HdrPlotPanel } from '../charts/hdr-plot-panel'
import { LatencyHistogramPanel } from '../charts/latency-histogram-panel'
import { DeltaTable } from './delta-table'
import { Differences } from './differences'
import { distinctNames } from './distinct-names'
import { MetricChoice } from './metric-choice'
import { RunFindings } from './run-findings'
import { RunStrip } from './run-strip'
import styles from './comparison-view.module.css'

const lambdaMetricIds = ['billed', 'init', 'max-memory']

interface Props {
  readonly projectSlug: string
  /** The base first. */
  readonly runs: readonly [StoredRun, ...StoredRun[]]
  /** Null: the usual ones. */
  readonly metricIds: readonly string[] | null
}

/** A comparison: what differs in one sentence, then the figures, the distributions, and what to know about each run. */
export function ComparisonView({ projectSlug, runs, metricIds }: Props) {
  const [baseline, ...candidates] = runs
  const usual = runs.some((run) => run.tool === 'lambda') ? [...defaultMetricIds, ...lambdaMetricIds] : defaultMetricIds
  const comparison = compareRuns(baseline, candidates, metricIds ?? usual)
  const names = distinctNames(runs)
  const plotted = runs.map((run, at) => ({ id: run.id, name: names[at] ?? run.scenario, imported: run.imported }))
  const scenarios = [...new Set(runs.map((run) => run.scenario))]
  return (
    <div className="page">
      <RunStrip projectSlug={projectSlug} runs={runs} names={names} metricIds={metricIds} />
      <p className="muted">{scenarios.length === 1 ? scenarios[0] : `${scenarios.length} scenarios`}</p>
      <h1 className={styles.sentence}>{comparison.sentence}</h1>
      {comparison.caution !== '' && <p className={styles.caution}>{comparison.caution}</p>}
      <div className={styles.parts}>
        <Differences differences={differencesOf(runs)} names={names} />
        <section aria-label="Figures">
          <DeltaTable comparison={comparison} names={names} />
          <MetricChoice name="m" chosen={comparison.rows.map((row) => row.metric)} />
        </section>
        <section aria-label="Percentiles">
          <HdrPlotPanel runs={plotted} />
        </section>
        <section aria-label="Histogram">
          <LatencyHistogramPanel runs={plotted} />
        </section>
        <RunFindings runs={runs} names={names} />
      </div>
    </div>
  )
}
