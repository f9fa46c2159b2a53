import type { ReactNode } from 'react'
import { experimentLabels } from '@/lib/levels/points'
import { levelHistoryOf, type LevelHistory } from '@/lib/levels/level-runs'
import { formatCount, plural } from '@/lib/format'
import { isInvalidated } from '@/lib/run/guard'
import type { ImportedRun } from '@/lib/run/run'
import type { PastRun, RunPlace } from '@/lib/history/neighbours'
import type { RunPart, RunRow, StoredRun } from '@/lib/history/stored-runs'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import { namedLimits } from '@/lib/run/limits'
import { heldLimits, limitsOfSeries, type RuleLimit } from '@/lib/rules/limits'
import {
  barCounts,
  chartViewHref,
  chooseDistributions,
  distributionName,
  hasMoreThanFan,
  viewedLatencies,
  type ChartView,
} from './figures/chart-view'
import { CopyButton } from '../ui/actions/copy-button'
import { Link } from '../ui/links/link'
import { ViewLinks } from '../ui/links/view-links'
import { prepareHistogram, type PreparedHistogram } from '../charts/histogram'
import { noPercentiles, preparePercentiles } from '../charts/percentiles'
import type { Prepared } from '../charts/plot/model'
import { PlotPanel } from '../charts/plot/panel'
import { StripDrawing } from '../charts/plot/rows/strip'
import { StripTip } from '../charts/plot/rows/strip-tip'
import { ledBy, plottedFigures, type PlottedRun } from '../charts/plotted-run'
import { prepareTimeline } from '../charts/timeline'
import { boxChoiceOf, mayHaveBox } from './box/box-choice'
import { BoxForm } from './box/box-form'
import { ColdStartsPanel } from './figures/cold-starts'
import { FiguresTable } from './figures/figures-table'
import { KeyFigures } from './figures/key-figures'
import { mayBeExplained } from '@/lib/merge/may-be-explained'
import { compareWithBefore } from '@/lib/rules/compare-before'
import { repeatsLeft, repeatsWords } from '@/lib/gate/repeats'
import { prepareRunFan, prepareSeriesStrip } from './figures/level-charts'
import { rawLinesHref, type LineHref } from './provenance/line-link'
import { Markdown } from './markdown'
import { RawOutput, type RawEndsShown } from './provenance/raw-output'
import { RefreshOnChange } from '../live/refresh-on-change'
import { RelatedRuns, siblingName } from './related-runs'
import { RunActions, type Steps } from './run-actions'
import { RunContextCard } from './provenance/run-context'
import { downloadsOf } from './run-downloads'
import { keyFigures } from './figures/run-figures'
import { RunHead } from './run-head'
import { CountRun } from '../runs/count-run'
import { runName } from '../runs/run-name'
import { RunNotes } from './run-notes'
import { RunParts } from './run-parts'
import { RunMeasurementMethod } from './provenance/run-measurement-method'
import { unsaidRemarks } from './judgement/run-remarks'
import { RunRemarksList } from './judgement/run-remarks-list'
import { RunTables } from './figures/run-tables'
import { TargetsTable } from './figures/targets-table'
import { Verdict } from './judgement/verdict'
import linkStyles from '../ui/links/view-links.module.css'
import styles from './run-page.module.css'

interface RunPageProps {
  readonly run: StoredRun
  /** Of its project. */
  readonly version: string
  /** Where the project's commits are shown; null: not known. */
  readonly repositoryUrl: string | null
  /** Of its series, oldest first. */
  readonly past: readonly PastRun[]
  readonly previous: RunRow | null
  /** Baseline of the run's scenario and environment, perhaps itself; null: none was chosen. */
  readonly baseline: RunRow | null
  /** The runs that it was merged from; empty: it was not merged. */
  readonly parts: readonly RunPart[]
  readonly sameAttack: readonly RunRow[]
  /** Other runs of its document that are nearest to it, in the order of the file. */
  readonly siblings: readonly RunRow[]
  readonly inDocument: RunPlace
  readonly inSeries: RunPlace
  /** Limits of the project's rules. */
  readonly limits: readonly RuleLimit[]
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** Both ends of a file of raw results; null: `lines` are shown, or the file is not text. */
  readonly ends: RawEndsShown | null
  /** Why the file cannot be shown although it was never released; null: it can. */
  readonly rawMissing: 'lost' | 'away' | null
  /** What alerts report of its series. */
  readonly findings: readonly AlertFinding[]
  /** The view of the charts, from the address. */
  readonly view: ChartView
}

/**
 * All that is known of one run: what ran, whether it is as expected, the evidence, whether to trust it, and where it
 * was read.
 */
export function RunPage(props: RunPageProps) {
  const { run, past, siblings, lines, view } = props
  const limits = limitsOfSeries(props.limits, run)
  const { targets, requests } = run.imported
  const shown = new Set(lines.map(({ number }) => number))
  const lineHref = (line: number) => (shown.has(line) ? `#L${line}` : rawLinesHref(run.projectSlug, run.uploadId, line))
  const history = levelHistoryOf(run, past)
  const fan = prepareRunFan(run, history, limits)
  return (
    <article className="page grid one-column">
      {run.judgement === null && <RefreshOnChange slug={run.projectSlug} version={props.version} />}
      <RunHead run={run} repositoryUrl={props.repositoryUrl} />
      <Verdict run={run} limits={heldLimits(limits, run)}>
        <Acts run={run} history={history} findings={props.findings} />
      </Verdict>
      <KeyFigures figures={keyFigures(run)} canLearn />
      <Evidence
        {...props}
        lead={fan ?? preparedPercentiles(run, view, siblings, limits)}
        limits={limits}
        history={history}
        lineHref={lineHref}
      />
      <Distributions run={run} view={view} limits={limits} hasPercentiles={fan === null} />
      <RunTimeline run={run} view={view} />
      {targets !== null && targets.length > 0 && (
        <div className={styles.section}>
          <TargetsTable targets={targets} requests={requests} view={view} />
        </div>
      )}
      <Details {...props} lineHref={lineHref} />
    </article>
  )
}

interface EvidenceProps extends RunPageProps {
  /** The leading chart; null: nothing to draw, and the figures take its place. */
  readonly lead: Prepared | null
  readonly history: LevelHistory
  readonly lineHref: LineHref
}

/**
 * What the verdict rests on: the leading chart with the series beside it, then the figures and how they were measured.
 */
function Evidence({ lead, history, lineHref, ...props }: EvidenceProps) {
  const { run, siblings, parts } = props
  const figures = <FiguresTable run={run} canLearn />
  const method = <RunMeasurementMethod run={run} canLearn />
  return (
    <>
      <div className={styles.first}>
        <div className={styles.column}>
          {lead === null ? (
            <NoPercentiles run={run}>{figures}</NoPercentiles>
          ) : (
            <PlotPanel prepared={lead} tables={props.view.tables} />
          )}
        </div>
        <div className={styles.aside}>
          <SeriesStripPanel
            run={run}
            history={history}
            count={props.inSeries.place?.of ?? null}
            limits={props.limits}
          />
          <RunRemarksList remarks={unsaidRemarks(run)} lineHref={lineHref} canLearn />
          <RelatedRuns
            run={run}
            previous={props.previous}
            baseline={props.baseline}
            sameAttack={props.sameAttack}
            siblings={siblings}
            documentSize={props.inDocument.place?.of ?? siblings.length + 1}
          />
          {lead === null && method}
        </div>
      </div>
      {parts.length > 0 && (
        <div className={styles.section}>
          <RunParts parts={parts} />
        </div>
      )}
      {lead !== null && (
        <div className={`${styles.section} ${styles.columns}`}>
          {figures}
          {method}
        </div>
      )}
    </>
  )
}

/** The run over time; nothing if no timeline is known. */
function RunTimeline({ run, view }: Pick<RunPageProps, 'run' | 'view'>) {
  const { timeline } = run.imported
  if (!timeline) return null
  return (
    <div className={styles.section}>
      <PlotPanel
        prepared={prepareTimeline(timeline, view.range)}
        tables={view.tables}
        zoomBase={zoomBaseOf(run, view)}
        box={boxChoiceOf(run, null)}
        below={mayHaveBox(run) && <BoxForm run={run} box={null} />}
        tools={
          view.range !== null && (
            <Link className={linkStyles.tool} href={chartViewHref(view, { range: null })} scroll={false} replace>
              Whole run
            </Link>
          )
        }
      />
    </div>
  )
}

/** What else was printed or written about the run, and the text that it was read from. */
function Details({ run, lines, ends, rawMissing, lineHref }: RunPageProps & { readonly lineHref: LineHref }) {
  const { imported, notes, upload } = run
  return (
    <>
      <div className={`${styles.section} ${styles.pair}`}>
        <div className={styles.column}>
          <RunTables run={run} lineHref={lineHref} />
        </div>
        <div className={styles.column}>
          <ColdStartsPanel run={imported} />
          <RunNotes url={`/api/v1/projects/${run.projectSlug}/runs/${run.id}`} notes={notes}>
            {notes === '' ? <p className="muted">No notes.</p> : <Markdown text={notes} />}
          </RunNotes>
          <RunContextCard run={run} lineHref={lineHref} />
        </div>
      </div>
      <div className={styles.section}>
        <RawOutput
          fileName={upload.name}
          removedAt={upload.rawRemovedAt}
          entry={imported.context.file}
          block={imported.context.lines}
          lines={lines}
          ends={ends}
          missing={rawMissing}
        />
      </div>
    </>
  )
}

/** The address that `from` and `to` are appended to. */
function zoomBaseOf({ projectSlug, id }: StoredRun, view: ChartView): string {
  const query = chartViewHref(view, { range: null })
  return `/p/${projectSlug}/runs/${id}${query}${query === '?' ? '' : '&'}`
}

/** Actions on the run, for the bar above it. */
export function RunBar({
  run,
  baseline,
  inSeries,
  inDocument,
  parts,
  otherProjects,
  view,
}: Pick<RunPageProps, 'run' | 'baseline' | 'inSeries' | 'inDocument' | 'parts' | 'view'> & {
  readonly otherProjects: readonly { readonly slug: string; readonly name: string }[]
}) {
  const { id, projectSlug, scenario, variant, environment, labels, startedAt, candidate, counted } = run
  return (
    <RunActions
      run={{ id, projectSlug, scenario, variant, environment, labels, startedAt, candidate, counted }}
      notes={run.notes}
      isBaseline={baseline?.id === id}
      isMerged={parts.length > 0}
      otherProjects={otherProjects.map(({ slug, name }) => ({ slug, name }))}
      downloads={downloadsOf(run, view.of)}
      steps={stepsOf('series', inSeries) ?? stepsOf('document', inDocument)}
    />
  )
}

/** Null: the run is alone there. */
function stepsOf(of: string, { previousId, nextId, place }: RunPlace): Steps | null {
  if (previousId === null && nextId === null) return null
  const count = place === null ? '' : `${formatCount(place.at)} of ${formatCount(place.of)}`
  const words = count !== '' && of === 'series' ? `${count} in series` : count
  return { words, of, previousId, nextId }
}

/** States that call for a second run, or for the runs before. */
const isOff = ({ judgement }: StoredRun): boolean =>
  judgement !== null && ['failing', 'worse', 'unusual', 'invalid'].includes(judgement.state)

/** Actions that follow from a run's judgement; nothing if none is needed. */
function Acts({ run, history, findings }: Pick<RunPageProps, 'run' | 'findings'> & { readonly history: LevelHistory }) {
  const alertId = run.judgement?.metrics.find(({ change }) => change?.alertId != null)?.change?.alertId ?? null
  const compare = isOff(run) ? compareWithBefore(run, history, findings) : null
  const command = isOff(run) ? run.imported.command : null
  const { complete, candidate, counted, judgement } = run
  const canCount = complete && !candidate && counted === null && judgement !== null && isInvalidated(judgement.guards)
  const left = judgement && experimentLabels.some((key) => run.labels[key]) ? repeatsLeft(judgement) : null
  if (alertId === null && compare === null && command === null && !canCount && left === null) return null
  return (
    <div className="row wrap gap-8">
      {compare !== null && (
        <Link className="button button-primary" href={compare.href} data-command={compare.words}>
          {compare.words}
        </Link>
      )}
      {compare !== null && mayBeExplained(run.form) && (
        <Link className="button" href={`${compare.href}/why`}>
          What the difference stands with
        </Link>
      )}
      {alertId !== null && (
        <Link className="button" href={`/p/${run.projectSlug}/alerts/${alertId}`}>
          Open alert
        </Link>
      )}
      {canCount && <CountRun url={`/api/v1/projects/${run.projectSlug}/runs/${run.id}`} />}
      {command !== null && (
        <CopyButton text={command} label="Copy command to repeat" command="Copy the command that repeats this run" />
      )}
      {left !== null && <span className="muted">{repeatsWords(left)}</span>}
    </div>
  )
}

interface SeriesStripProps {
  readonly run: StoredRun
  readonly history: LevelHistory
  /** Runs of the series; null: too many to count. */
  readonly count: number | null
  readonly limits: readonly RuleLimit[]
}

/** The run's place in its series, and the link to its trend; nothing if it is alone. */
function SeriesStripPanel({ run, history, count, limits }: SeriesStripProps) {
  const shown = prepareSeriesStrip(run, history, limits)
  if (shown === null) return null
  return (
    <section>
      <div className={`flex baseline gap-8 ${styles.stripHead}`}>
        <h2 className="text-14">{shown.metric.shortLabel} of this series</h2>
        {count !== null && <span className="muted">{plural(count, 'run')}</span>}
        <Link href={`/p/${run.projectSlug}/trends/${run.seriesId}`}>Trend</Link>
      </div>
      <StripDrawing strip={shown.strip} height={84} />
      <StripTip />
    </section>
  )
}

/** The run in the form that charts of this view take. */
function plottedRun(run: StoredRun, view: ChartView, name: string): PlottedRun {
  const { latencies, requests } = { latencies: viewedLatencies(run.imported, view), requests: run.imported.requests }
  return { id: run.id, name, imported: { latencies, tool: run.tool, requests } }
}

/** Percentiles of the run, beside those of its document with the same scenario; null: none was printed. */
function preparedPercentiles(
  run: StoredRun,
  view: ChartView,
  siblings: readonly RunRow[],
  limits: readonly RuleLimit[],
): Prepared | null {
  const beside = siblings
    .filter(({ scenario }) => scenario === run.scenario)
    .map((one) => plottedFigures(one, one.figures, siblingName(run, one)))
  const name = beside.length > 0 ? 'this run' : runName(run)
  const plotted = ledBy(run.judgement?.state ?? null, [plottedRun(run, view, name), ...beside])
  return preparePercentiles(plotted, namedLimits(limits), view.y)
}

/** Why there is no plot, and its replacement. */
function NoPercentiles({ run, children }: { readonly run: StoredRun; readonly children: ReactNode }) {
  return (
    <>
      <p className="muted">
        {run.complete ? noPercentiles.reason : 'The output was truncated before its percentiles.'}
      </p>
      {children}
    </>
  )
}

/** The distribution of all latencies: every known percentile, if the fan showed only some, and the histogram. */
function Distributions({
  run,
  view,
  limits,
  hasPercentiles,
}: {
  readonly run: StoredRun
  readonly view: ChartView
  readonly limits: readonly RuleLimit[]
  /** They are above. */
  readonly hasPercentiles: boolean
}) {
  const plotted = [plottedRun(run, view, runName(run))]
  const percentiles =
    hasPercentiles || !hasMoreThanFan(run) ? null : preparePercentiles(plotted, namedLimits(limits), view.y)
  const histogram = prepareHistogram(plotted, { scale: view.axis, barCount: view.barCount })
  if (percentiles === null && histogram === null) return null
  return (
    <div className={styles.section}>
      <DistributionChoice run={run.imported} view={view} />
      <div className={percentiles !== null && histogram !== null ? styles.pair : undefined}>
        <PlotPanel prepared={percentiles} tables={view.tables} />
        <PlotPanel
          prepared={histogram}
          tables={view.tables}
          tools={histogram && <HistogramTools histogram={histogram} view={view} />}
        />
      </div>
    </div>
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

/** Choice of the requests in the latency charts; nothing if the run has one distribution. */
function DistributionChoice({ run, view }: { run: ImportedRun; view: ChartView }) {
  const choices = chooseDistributions(run)
  const [leading] = choices
  if (leading === undefined || choices.length < 2) return null
  const chosen = view.of !== null && choices.includes(view.of) ? view.of : leading
  return (
    <div className={`row wrap muted text-12 below-8 ${linkStyles.bar}`}>
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
