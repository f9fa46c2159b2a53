import type { StoredRun } from '@/lib/run/stored'
import { noHistogram, prepareHistogram } from '../charts/histogram'
import { noPercentiles, preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { viewedLatencies, type ChartView } from '../run/chart-view'
import { JudgementCard } from '../run/judgement-card'
import { LeadFigures } from '../run/lead-figures'
import type { LineHref } from '../run/line-link'
import { leadFigures } from '../run/run-figures'
import { runName } from '../runs/run-name'
import { RunPassport } from '../run/run-passport'
import { remarksOf } from '../run/run-remarks'
import { RunRemarksList } from '../run/run-remarks-list'
import { RunTables } from '../run/run-tables'
import { ShareNotes } from './share-notes'
import styles from '../run/run-page.module.css'

/** One run for strangers. Lines are named; they are links only where the raw output is on the page. */
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
  /** How its charts were set when it was shared. */
  readonly view: ChartView
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}) {
  const { imported } = run
  const latencies = viewedLatencies(imported, view)
  const plotted = [{ id: run.id, name: runName(run), imported: { ...imported, latencies } }]
  const [first, last] = imported.context.lines
  const lineHref: LineHref = (line) => (hasRaw && line >= first && line <= last ? `#L${line}` : null)
  return (
    <>
      <JudgementCard run={run} />
      <LeadFigures figures={leadFigures(run)} />
      <RunRemarksList remarks={remarksOf(imported)} lineHref={lineHref} />
      <div className={styles.column}>
        <PlotPanel prepared={preparePercentiles(plotted, null, view.y)} otherwise={noPercentiles} tables={tables} />
        <PlotPanel
          prepared={prepareHistogram(plotted, { scale: view.axis, barCount: view.barCount })}
          otherwise={noHistogram}
          tables={tables}
        />
      </div>
      <div className={styles.columns}>
        <div className={styles.column}>
          <RunTables run={run} lineHref={lineHref} />
        </div>
        <div className={styles.column}>
          <RunPassport run={run} />
          <ShareNotes notes={notes} />
        </div>
      </div>
    </>
  )
}
