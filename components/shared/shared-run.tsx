import { formatTime } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { prepareHistogram } from '../charts/histogram'
import { noPercentiles, preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { viewedLatencies, type ChartView } from '../run/figures/chart-view'
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
import { Verdict } from '../run/judgement/verdict'
import { ShareNotes } from './share-notes'
import headStyles from '../run/run-head.module.css'
import styles from '../run/run-page.module.css'

/** One run for strangers. Lines are named; they are links only if the raw output is on the page. */
export function SharedRun({
  run,
  notes,
  hasRaw,
  view,
  tables,
}: {
  readonly run: StoredRun
  /** Markdown; empty: none. */
  readonly notes: string
  readonly hasRaw: boolean
  /** The settings of its charts when it was shared. */
  readonly view: ChartView
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}) {
  const { imported } = run
  const latencies = viewedLatencies(imported, view)
  const plotted = [{ id: run.id, name: runName(run), imported: { ...imported, latencies } }]
  const [first, last] = imported.context.lines
  const lineHref: LineHref = (line) => (hasRaw && line >= first && line <= last ? `#L${line}` : null)
  const percentiles = preparePercentiles(plotted, [], view.y)
  const histogram = prepareHistogram(plotted, { scale: view.axis, barCount: view.barCount })
  return (
    <div className="grid one-column">
      <p className={`row wrap muted text-13 above-4 ${headStyles.meta}`}>
        <Conditions run={run} />
        <span>{formatTime(run.orderedAt)}</span>
        {run.environment !== null && <span>on {run.environment}</span>}
      </p>
      <Verdict run={run} />
      <KeyFigures figures={keyFigures(run)} />
      <div className={styles.first}>
        <PlotPanel prepared={percentiles} otherwise={noPercentiles} tables={tables} />
        <div className={styles.aside}>
          <RunRemarksList remarks={unsaidRemarks(run)} lineHref={lineHref} />
          <ShareNotes notes={notes} />
        </div>
      </div>
      <div className={`${styles.section} ${styles.columns}`}>
        <FiguresTable run={run} />
        <RunMeasurementMethod run={run} />
      </div>
      {histogram !== null && (
        <div className={styles.section}>
          <PlotPanel prepared={histogram} tables={tables} />
        </div>
      )}
      <div className={`${styles.section} ${styles.column}`}>
        <RunTables run={run} lineHref={lineHref} />
      </div>
    </div>
  )
}
