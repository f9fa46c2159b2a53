import type { ReactNode } from 'react'
import { noiseOfHistories } from '@/lib/judge/history-noise'
import { differencesOf } from '@/lib/judge/comparability'
import { compareSides, type Side } from '@/lib/judge/comparison'
import { defaultMetricIds } from '@/lib/run/metrics'
import type { SavedComparison, SeriesHistory, StoredRun } from '@/lib/run/stored'
import { tools } from '@/lib/run/tools'
import { DistributionPanel } from '../charts/distribution-panel'
import { hasHdrPlot } from '../charts/hdr-plot'
import { HdrPlotPanel } from '../charts/hdr-plot-panel'
import { ShiftPanel } from '../charts/shift-panel'
import { TimelinesPanel } from '../charts/timelines-panel'
import { changedView, type CompareView } from './compare-view-state'
import { ExportLinks } from '../share/export-links'
import { LearnLink } from '../learn/learn-link'
import { writeSides } from '../../lib/judge/compare-url'
import { CostPanel } from './cost-panel'
import { DeltaTable } from './delta-table'
import { Differences } from './differences'
import { distinctNames } from './distinct-names'
import { KeptFields, MetricChoice, SloForm } from './view-forms'
import { plottedSides } from './plotted-sides'
import { RunFindings } from './run-findings'
import { RunStrip } from './run-strip'
import styles from './comparison-view.module.css'

const lambdaMetricIds = ['billed', 'init', 'max-memory']

interface Props {
  readonly projectSlug: string
  /** The base first. */
  readonly sides: readonly [Side<StoredRun>, ...Side<StoredRun>[]]
  /** Histories of lone runs, for their noise. */
  readonly histories: readonly SeriesHistory[]
  readonly view: CompareView
  /** Buttons beside the runs. */
  readonly actions?: ReactNode
  /** What somebody saved of it: exports and shares take its words along. */
  readonly saved?: SavedComparison
  /** Said above the figures: name, notes and take-aways of a saved comparison. */
  readonly children?: ReactNode
}

/** A comparison: what differs in one sentence, then the figures, the distributions, and what to know about each run. */
export function ComparisonView({ projectSlug, sides, histories, view, actions, saved, children }: Props) {
  const [base, ...others] = sides
  const runs = sides.flat()
  const usual = runs.some((run) => tools[run.tool].counts === 'invocation')
    ? [...defaultMetricIds, ...lambdaMetricIds]
    : defaultMetricIds
  const noiseOf = noiseOfHistories(histories)
  const comparison = compareSides(base, others, { metricIds: view.metricIds ?? usual, noiseOf })
  const names = distinctNames(sides.map(([run]) => run))
  const plotted = plottedSides(sides, names)
  const runNames = plotted.map((one) => one.name)
  const tables = { isOpen: view.tables, href: `?${changedView(view, { tables: true }).query}` }
  const scenarios = [...new Set(runs.map((run) => run.scenario))]
  return (
    <div className="page">
      <RunStrip projectSlug={projectSlug} sides={sides} names={names} view={view.query} {...(saved && { saved })}>
        {actions}
      </RunStrip>
      {children}
      <p className="muted">{scenarios.length === 1 ? scenarios[0] : `${scenarios.length} scenarios`}</p>
      <h1 className={styles.sentence}>{comparison.sentence}</h1>
      {comparison.caution !== '' && (
        <p className={styles.caution}>
          {comparison.caution} <LearnLink topic="one-run" />
        </p>
      )}
      <div className={styles.parts}>
        <Differences differences={differencesOf(runs)} names={runNames} />
        <section aria-label="Figures">
          <DeltaTable comparison={comparison} names={names} />
          <MetricChoice name="m" chosen={comparison.rows.map((row) => row.metric)}>
            <KeptFields view={view} without={['m']} />
          </MetricChoice>
        </section>
        <section aria-label="Percentiles">
          <HdrPlotPanel runs={plotted} limitMs={view.sloMs} />
          {hasHdrPlot(plotted) && <SloForm view={view} />}
        </section>
        <section aria-label="Shift by percentile">
          <ShiftPanel sides={sides} names={names} address={tables} />
        </section>
        <section aria-label="Histogram">
          <DistributionPanel
            runs={plotted}
            shape={view.shape}
            axis={view.axis}
            href={(choice) => `?${changedView(view, choice).query}`}
          />
        </section>
        <TimelinesPanel
          runs={plotted.map((one, at) => ({ ...one, timeline: runs[at]?.imported.timeline ?? null }))}
          address={tables}
        />
        <CostPanel runs={sides.map(([run]) => run)} names={names} view={view} />
        <RunFindings runs={runs} names={runNames} sides={plotted.map((one) => one.styleIndex)} canLearn />
      </div>
      <ExportLinks
        base={`/api/v1/projects/${projectSlug}/compare/${writeSides(sides.map((side) => side.map((run) => run.id)))}`}
        hasChart={hasHdrPlot(plotted)}
        query={[view.query, saved === undefined ? '' : `saved=${saved.id}`].filter(Boolean).join('&')}
      />
    </div>
  )
}
