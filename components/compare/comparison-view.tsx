import type { ReactNode } from 'react'
import type { SavedComparison } from '@/lib/run/stored'
import { noDistribution, prepareDistribution, type PreparedDistribution } from '../charts/distribution'
import { noPercentiles, preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { prepareShift } from '../charts/shift'
import { prepareTimelines } from '../charts/timelines'
import { ViewLinks } from '../ui/view-links'
import { changedView, type CompareView } from './compare-view-state'
import { ExportLinks } from '../share/export-links'
import { LearnLink } from '../learn/learn-link'
import { writeSides } from '../../lib/judge/compare-url'
import { CostPanel } from './cost-panel'
import { DeltaTable } from './delta-table'
import { Differences } from './differences'
import { CarriedFields, MetricChoice, SloForm } from './view-forms'
import type { PreparedComparison } from './prepare-comparison'
import { RunFindings } from './run-findings'
import { RunStrip } from './run-strip'
import linkStyles from '../ui/view-links.module.css'
import styles from './comparison-view.module.css'

interface Props {
  readonly projectSlug: string
  readonly prepared: PreparedComparison
  /** Buttons beside the runs. */
  readonly actions?: ReactNode
  /** What somebody saved of it: exports and shares take its words along. */
  readonly saved?: SavedComparison
  /** Said above the figures: name, notes and take-aways of a saved comparison. */
  readonly children?: ReactNode
}

/** A comparison: what differs in one sentence, then the figures, the distributions, and what to know about each run. */
export function ComparisonView({ projectSlug, prepared, actions, saved, children }: Props) {
  const { sides, runs, names, runNames, comparison, differences, plotted, view } = prepared
  const { tables } = view
  const percentiles = preparePercentiles(plotted, view.sloMs, view.y)
  const distribution = prepareDistribution(plotted, view.shape, view.axis)
  const timelines = prepareTimelines(
    plotted.map((one, at) => ({ ...one, timeline: runs[at]?.imported.timeline ?? null })),
  )
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
        <Differences differences={differences} names={runNames} />
        <section aria-label="Figures">
          <WindowChoice prepared={prepared} />
          <DeltaTable comparison={comparison} names={names} />
          <MetricChoice name="m" chosen={comparison.rows.map((row) => row.metric)}>
            <CarriedFields view={view} without={['m']} />
          </MetricChoice>
        </section>
        <section aria-label="Percentiles">
          <PlotPanel prepared={percentiles} otherwise={noPercentiles} tables={tables} />
          {percentiles && <SloForm view={view} />}
        </section>
        <section aria-label="Shift by percentile">
          <PlotPanel prepared={prepareShift(sides, names)} tables={tables} />
        </section>
        <section aria-label="Histogram">
          <PlotPanel
            prepared={distribution}
            otherwise={noDistribution}
            tables={tables}
            tools={distribution && <DistributionTools distribution={distribution} view={view} />}
          />
        </section>
        {timelines && (
          <section aria-label="Over time">
            <PlotPanel prepared={timelines} tables={tables} />
          </section>
        )}
        <CostPanel runs={sides.map(([run]) => run)} names={names} view={view} />
        <RunFindings runs={runs} names={runNames} sides={plotted.map((one) => one.styleIndex)} canLearn />
      </div>
      <ExportLinks
        base={`/api/v1/projects/${projectSlug}/compare/${writeSides(sides.map((side) => side.map((run) => run.id)))}`}
        hasChart={percentiles !== null}
        query={[view.query, saved === undefined ? '' : `saved=${saved.id}`].filter(Boolean).join('&')}
      />
    </div>
  )
}

const shapeNames = { histogram: 'Histogram', ecdf: 'Cumulative' } as const

/** Whole runs, or what was measured after their warm-up; nothing where no run had one. */
function WindowChoice({ prepared: { hasSteady, view } }: { prepared: PreparedComparison }) {
  if (hasSteady === null) return null
  if (!hasSteady)
    return (
      <p className="muted">
        By whole runs: not every run has a part after its warm-up that could be compared. <LearnLink topic="warm-up" />
      </p>
    )
  const isSteady = view.window === 'steady'
  return (
    <div className={linkStyles.bar}>
      <span>Judged by</span>
      <ViewLinks
        label="Judged by"
        choices={[
          { name: 'Whole runs', href: `?${changedView(view, { window: null }).query}`, isChosen: !isSteady },
          { name: 'After warm-up', href: `?${changedView(view, { window: 'steady' }).query}`, isChosen: isSteady },
        ]}
      />
    </div>
  )
}

function DistributionTools({ distribution, view }: { distribution: PreparedDistribution; view: CompareView }) {
  const href = (choice: Partial<CompareView>) => `?${changedView(view, choice).query}`
  return (
    <>
      {distribution.hasHistogram && (
        <ViewLinks
          label="Shape"
          choices={(['histogram', 'ecdf'] as const).map((shape) => {
            return { name: shapeNames[shape], href: href({ shape }), isChosen: distribution.shape === shape }
          })}
        />
      )}
      <ViewLinks
        label="Latency axis"
        choices={(['linear', 'log'] as const).map((axis) => ({
          name: axis === 'log' ? 'Log' : 'Linear',
          href: href({ axis }),
          isChosen: distribution.plot.x.scale === axis,
        }))}
      />
    </>
  )
}
