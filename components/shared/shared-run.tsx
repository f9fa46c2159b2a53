import { formatTime } from '@/lib/format'
import { judgedPartWords } from '@/lib/judge/judged-window'
import type { StoredRun } from '@/lib/history/stored-runs'
import { prepareHistogram } from '../charts/histogram'
import { noPercentiles, preparePercentiles } from '../charts/percentiles'
import type { Prepared } from '../charts/plot/model'
import { PlotPanel } from '../charts/plot/panel'
import { hasMoreThanFan, viewedLatencies, type ChartView } from '../run/figures/chart-view'
import { prepareExpectedFan, preparePlaceInLevels } from '../run/figures/expected-charts'
import { FiguresTable } from '../run/figures/figures-table'
import { KeyFigures } from '../run/figures/key-figures'
import type { LineHref } from '../run/provenance/line-link'
import { keyFigures } from '../run/figures/run-figures'
import { Conditions } from '../run/run-head'
import { runName } from '../runs/run-name'
import { RunMeasurementMethod } from '../run/provenance/run-measurement-method'
import { unsaidRemarks } from '../run/judgement/run-remarks'
import { RunRemarksList } from '../run/judgement/run-remarks-list'
import { RunTables } from '../run/figures/run-tables'
import { StatusBar } from '../run/judgement/verdict'
import { ShareNotes } from './share-notes'
import styles from '../run/run-page.module.css'

/** One run for strangers. Lines are named; they are links only if the raw output is on the page. */
export function SharedRun({
  run,
  notes,
  hasRaw,
  view,
  tables,
  isAlone = false,
}: {
  readonly run: StoredRun
  /** Markdown; empty: none. */
  readonly notes: string
  readonly hasRaw: boolean
  /** The settings of its charts when it was shared. */
  readonly view: ChartView
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** It has no series that could judge it. */
  readonly isAlone?: boolean
}) {
  const { imported } = run
  const latencies = viewedLatencies(imported, view)
  const plotted = [{ id: run.id, name: runName(run), imported: { ...imported, latencies } }]
  const [first, last] = imported.context.lines
  const lineHref: LineHref = (line) => (hasRaw && line >= first && line <= last ? `#L${line}` : null)
  const [place, fan] = [preparePlaceInLevels(run), prepareExpectedFan(run)]
  // A fan has few percentiles.
  const percentiles = fan !== null && !hasMoreThanFan(run) ? null : preparePercentiles(plotted, [], view.y)
  const histogram = prepareHistogram(plotted, { scale: view.axis, barCount: view.barCount })
  const ofPart = run.judgement === null ? null : judgedPartWords[run.judgement.judgedBy]
  const hasEvidence = place !== null || fan !== null
  const distribution = (
    <Distribution
      {...{ percentiles, histogram, tables, hasFan: fan !== null }}
      className={hasEvidence ? styles.section : styles.evidence}
    />
  )
  return (
    <div className="grid one-column">
      {run.judgement === null && !isAlone && (
        <p className="muted flush">Not judged yet: its series is being evaluated.</p>
      )}
      {ofPart !== null && <p className="muted flush">{ofPart}</p>}
      {run.judgement?.state === 'failing' && <StatusBar run={run} />}
      <KeyFigures figures={keyFigures(run)} />
      {hasEvidence && (
        <div className={`${styles.pair} ${styles.evidence}`}>
          <PlotPanel prepared={place} tables={tables} />
          <PlotPanel prepared={fan} tables={tables} />
        </div>
      )}
      {hasEvidence || distribution}
      <div className={`${styles.section} ${styles.columns}`}>
        <FiguresTable run={run} />
        <div className={styles.aside}>
          <RunMeasurementMethod run={run} />
          <RunRemarksList remarks={unsaidRemarks(run)} lineHref={lineHref} />
          <ShareNotes notes={notes} />
        </div>
      </div>
      {hasEvidence && distribution}
      <div className={`${styles.section} ${styles.column}`}>
        <RunTables run={run} lineHref={lineHref} />
      </div>
    </div>
  )
}

interface DistributionProps {
  readonly percentiles: Prepared | null
  readonly histogram: Prepared | null
  readonly hasFan: boolean
  readonly className: string | undefined
  readonly tables: readonly string[]
}

/** Every known percentile, unless the fan shows them all, and the histogram. */
function Distribution({ percentiles, histogram, hasFan, className = '', tables }: DistributionProps) {
  const first = hasFan && percentiles === null ? null : { prepared: percentiles, otherwise: noPercentiles }
  if (first === null && histogram === null) return null
  return (
    <div className={`${className} ${first !== null && histogram !== null ? styles.pair : ''}`}>
      {first !== null && <PlotPanel {...first} tables={tables} />}
      <PlotPanel prepared={histogram} tables={tables} />
    </div>
  )
}

/** How a run was measured and when, beside its name. */
export function SharedConditions({ run }: { readonly run: StoredRun }) {
  return (
    <>
      <Conditions run={run} />
      <span>{formatTime(run.orderedAt)}</span>
      {run.environment !== null && <span>on {run.environment}</span>}
    </>
  )
}
