import type { RunRow, StoredRun } from '@/lib/run/stored'
import { chartViewHref, viewedLatencies, type ChartView } from '../charts/chart-view'
import { HdrPlotPanel } from '../charts/hdr-plot-panel'
import { hasHdrPlot } from '../charts/hdr-plot'
import { prepareLatencyHistogram } from '../charts/latency-histogram'
import { LatencyHistogramPanel } from '../charts/latency-histogram-panel'
import { TimelinePanel } from '../charts/timeline-panel'
import { ColdStartsPanel } from './cold-starts-panel'
import { DistributionChoice } from './distribution-choice'
import { LambdaTables } from './lambda-tables'
import { DistributionsTable } from './distributions-table'
import { LeadFigures } from './lead-figures'
import { Markdown } from './markdown'
import { BaselineRun, PreviousRun } from './previous-run'
import { RawOutput, type RawEndsShown } from './raw-output'
import { RunActions } from './run-actions'
import { RunContextCard } from './run-context'
import { allFigures, leadFigures } from './run-figures'
import { BackToRuns, RunHead } from './run-head'
import { runName } from '../runs/run-name'
import { RunNotes } from './run-notes'
import { RunPassport } from './run-passport'
import { remarksOf } from './run-remarks'
import { RunRemarksList } from './run-remarks-list'
import { ErrorsTable, FiguresTable, MeasuresTable, PhasesTable, StatusCodesTable } from './run-tables'
import { SameAttack } from './same-attack'
import { RunDownloads } from './run-downloads'
import { TargetsTable } from './targets-table'
import styles from './run-page.module.css'

interface RunPageProps {
  readonly run: StoredRun
  readonly previous: RunRow | null
  /** Of the run's scenario and environment, perhaps itself; null: none was chosen. */
  readonly baseline: RunRow | null
  readonly sameAttack: readonly RunRow[]
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** Both ends of a file of raw results; null: `lines` are shown, or the file is no text. */
  readonly ends: RawEndsShown | null
  /** The store does not have the file, though nobody gave it up. */
  readonly isRawLost: boolean
  readonly otherProjects: readonly { readonly slug: string; readonly name: string }[]
  /** What the address says of the charts. */
  readonly view: ChartView
  readonly nowMs: number
}

/** All that is known of one run: what ran, how fast, how bad the tail is, whether to trust it, where it was read. */
export function RunPage(props: RunPageProps) {
  const { run, previous, baseline, sameAttack, lines, ends, isRawLost, otherProjects, view, nowMs } = props
  const { id, projectSlug, scenario, variant, environment, labels, startedAt, imported } = run
  const plotted = [
    {
      id,
      name: runName(run),
      imported: { latencies: viewedLatencies(imported, view), tool: run.tool, requests: imported.requests },
    },
  ]
  const project = `/api/v1/projects/${projectSlug}`
  const raw = `${project}/uploads/${run.uploadId}/raw`
  const hasBoth = hasHdrPlot(plotted) === (prepareLatencyHistogram(plotted) !== null)
  const reason = run.complete ? undefined : 'The output was truncated before the data of this plot.'
  const shown = new Set(lines.map(({ number }) => number))
  const lineHref = (line: number) =>
    shown.has(line) ? `#L${line}` : `${raw}?lines=${Math.max(1, line - 5)}-${line + 5}`
  return (
    <article className="page">
      <BackToRuns slug={projectSlug} />
      <div className={styles.top}>
        <RunHead run={run} nowMs={nowMs} />
        <RunActions
          run={{ id, projectSlug, scenario, variant, environment, labels, startedAt }}
          notes={run.notes}
          isBaseline={baseline?.id === id}
          otherProjects={otherProjects.map(({ slug, name }) => ({ slug, name }))}
        />
      </div>
      <LeadFigures figures={leadFigures(run)}>
        <BaselineRun run={run} baseline={baseline} />
        <PreviousRun run={run} previous={previous} />
      </LeadFigures>
      <SameAttack run={run} others={sameAttack} />
      <RunRemarksList remarks={remarksOf(imported)} lineHref={lineHref} canLearn />
      <DistributionChoice run={imported} view={view} />
      <div className={hasBoth ? styles.pair : styles.column}>
        <HdrPlotPanel runs={plotted} reason={reason} />
        <LatencyHistogramPanel runs={plotted} reason={reason} view={view} />
      </div>
      {imported.timeline && (
        <div className={styles.column}>
          <TimelinePanel
            timeline={imported.timeline}
            address={{ isOpen: view.tables, href: chartViewHref(view, { tables: true }) }}
          />
        </div>
      )}
      <TargetsTable targets={imported.targets} view={view} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <FiguresTable figures={allFigures(run)} />
          <DistributionsTable run={imported} />
          <LambdaTables lambda={imported.lambda} />
          <StatusCodesTable run={imported} />
          <ErrorsTable run={imported} />
          <PhasesTable run={imported} />
          <MeasuresTable run={imported} lineHref={lineHref} />
        </div>
        <div className={styles.column}>
          <ColdStartsPanel run={imported} />
          <RunPassport run={run} canLearn />
          <RunNotes url={`${project}/runs/${id}`} notes={run.notes}>
            {run.notes === '' ? <p className="muted">No notes.</p> : <Markdown text={run.notes} />}
          </RunNotes>
          <RunContextCard run={run} lineHref={lineHref} />
        </div>
      </div>
      <RawOutput
        fileName={run.upload.name}
        removedAt={run.upload.rawRemovedAt}
        entry={imported.context.file}
        block={imported.context.lines}
        lines={lines}
        ends={ends}
        isLost={isRawLost}
        actions={<RunDownloads run={run} of={view.of} />}
      />
    </article>
  )
}
