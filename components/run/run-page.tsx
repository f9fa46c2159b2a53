import { formatCount } from '@/lib/format'
import type { ImportedRun } from '@/lib/run/run'
import type { RunRow, StoredRun } from '@/lib/run/stored'
import {
  barCounts,
  chartViewHref,
  chooseDistributions,
  distributionName,
  viewedLatencies,
  type ChartView,
} from './chart-view'
import { ViewLinks } from '../ui/view-links'
import { noHistogram, prepareHistogram, type PreparedHistogram } from '../charts/histogram'
import { noPercentiles, preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { prepareTimeline } from '../charts/timeline'
import { ColdStartsPanel } from './cold-starts'
import { DistributionsTable } from './distributions-table'
import { JudgementCard } from './judgement-card'
import { LeadFigures } from './lead-figures'
import { Markdown } from './markdown'
import { BaselineRun, PreviousRun } from './previous-run'
import { RawOutput, type RawEndsShown } from './raw-output'
import { RunActions } from './run-actions'
import { RunContextCard } from './run-context'
import { leadFigures } from './run-figures'
import { RunHead } from './run-head'
import { runName } from '../runs/run-name'
import { RunNotes } from './run-notes'
import { RunPassport } from './run-passport'
import { remarksOf } from './run-remarks'
import { RunRemarksList } from './run-remarks-list'
import { RunTables } from './run-tables'
import { SameAttack } from './same-attack'
import { RunDownloads } from './run-downloads'
import { TargetsTable } from './targets-table'
import linkStyles from '../ui/view-links.module.css'
import styles from './run-page.module.css'

interface RunPageProps {
  readonly run: StoredRun
  /** Where the project's commits are seen; null: not known. */
  readonly repositoryUrl: string | null
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
  const { run, repositoryUrl, previous, baseline, sameAttack, lines, ends, isRawLost, otherProjects, view, nowMs } =
    props
  const { id, projectSlug, scenario, variant, environment, labels, startedAt, candidate, counted, imported } = run
  const plotted = [
    {
      id,
      name: runName(run),
      imported: { latencies: viewedLatencies(imported, view), tool: run.tool, requests: imported.requests },
    },
  ]
  const project = `/api/v1/projects/${projectSlug}`
  const raw = `${project}/uploads/${run.uploadId}/raw`
  const percentiles = preparePercentiles(plotted, null, view.y)
  const histogram = prepareHistogram(plotted, { scale: view.axis, barCount: view.barCount })
  const hasBoth = (percentiles === null) === (histogram === null)
  const cut = run.complete ? {} : { reason: 'The output was truncated before the data of this plot.' }
  const { tables } = view
  const shown = new Set(lines.map(({ number }) => number))
  const lineHref = (line: number) =>
    shown.has(line) ? `#L${line}` : `${raw}?lines=${Math.max(1, line - 5)}-${line + 5}`
  return (
    <article className="page">
      <div className={styles.top}>
        <RunHead run={run} repositoryUrl={repositoryUrl} nowMs={nowMs} />
        <RunActions
          run={{ id, projectSlug, scenario, variant, environment, labels, startedAt, candidate, counted }}
          notes={run.notes}
          isBaseline={baseline?.id === id}
          otherProjects={otherProjects.map(({ slug, name }) => ({ slug, name }))}
        />
      </div>
      <JudgementCard run={run} canAct />
      <LeadFigures figures={leadFigures(run)}>
        <BaselineRun run={run} baseline={baseline} />
        <PreviousRun run={run} previous={previous} />
      </LeadFigures>
      <SameAttack run={run} others={sameAttack} />
      <RunRemarksList remarks={remarksOf(imported)} lineHref={lineHref} canLearn />
      <DistributionChoice run={imported} view={view} />
      <div className={hasBoth ? styles.pair : styles.column}>
        <PlotPanel prepared={percentiles} otherwise={{ ...noPercentiles, ...cut }} tables={tables} />
        <PlotPanel
          prepared={histogram}
          otherwise={{ ...noHistogram, ...cut }}
          tables={tables}
          tools={histogram && <HistogramTools histogram={histogram} view={view} />}
        />
      </div>
      {imported.timeline && (
        <div className={styles.column}>
          <PlotPanel prepared={prepareTimeline(imported.timeline)} tables={tables} />
        </div>
      )}
      <TargetsTable targets={imported.targets} view={view} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <RunTables run={run} lineHref={lineHref}>
            <DistributionsTable run={imported} />
          </RunTables>
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

function HistogramTools({ histogram, view }: { histogram: PreparedHistogram; view: ChartView }) {
  return (
    <>
      <ViewLinks
        label="Latency axis"
        choices={(['linear', 'log'] as const).map((axis) => ({
          name: axis === 'log' ? 'Log' : 'Linear',
          href: chartViewHref(view, { axis }),
          isChosen: histogram.plot.x.scale === axis,
        }))}
      />
      {histogram.hasBarChoice && (
        <ViewLinks
          label="Number of bars"
          choices={barCounts.map((barCount) => ({
            name: `${barCount}`,
            href: chartViewHref(view, { barCount }),
            isChosen: view.barCount === barCount,
          }))}
        />
      )}
    </>
  )
}

/** Which requests the latency charts show; nothing where the run has one distribution. */
function DistributionChoice({ run, view }: { run: ImportedRun; view: ChartView }) {
  const choices = chooseDistributions(run)
  const [leading] = choices
  if (leading === undefined || choices.length < 2) return null
  const chosen = view.of !== null && choices.includes(view.of) ? view.of : leading
  return (
    <div className={linkStyles.bar}>
      <span>Latency of</span>
      <ViewLinks
        label="Latency of"
        choices={choices.map((of) => {
          const count = run.latencies.find((latency) => latency.of === of)?.count ?? null
          return {
            name: count === null ? distributionName(of) : `${distributionName(of)} (${formatCount(count)})`,
            href: chartViewHref(view, { of: of === leading ? null : of }),
            isChosen: of === chosen,
          }
        })}
      />
    </div>
  )
}
