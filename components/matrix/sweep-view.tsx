import { Link } from '../ui/links/link'
import type { MetricLimit, NamedLimit } from '@/lib/run/limits'
import type { Metric } from '@/lib/run/metrics'
import type { RunRow } from '@/lib/history/stored-runs'
import { buildSweep, chooseAxis, sweepAxes, type Sweep } from '@/lib/matrix/sweep'
import type { SweepAxis } from '@/lib/matrix/sweep-axis'
import { breakSentences, servedFromRatio, shapeSentences, sweepSentence } from '@/lib/matrix/sweep-findings'
import { formatPercent } from '@/lib/format'
import { figureFact } from '@/lib/run/fact'
import { PlotPanel } from '../charts/plot/panel'
import { Fact } from '../facts/fact'
import { Term } from '../learn/term'
import { prepareSweep } from '../charts/sweep'
import { capacityOf, SweepCapacity } from './sweep-capacity'
import { objectivesOf, ruleOf } from './sweep-objectives'
import type { MatrixQuery } from './matrix-url'
import styles from './sweep-view.module.css'

interface Props {
  /** Null: without links and choices. */
  readonly projectSlug: string | null
  readonly runs: readonly RunRow[]
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
  /** Of all its runs; absent: none is known. */
  readonly limits?: readonly MetricLimit[]
  /** The page, whose form asks for another objective; absent: it cannot be asked. */
  readonly path?: string
  /** Its verdict is the heading of the page. */
  readonly isHeaded?: boolean
}

/** Metrics over a number that was varied from run to run, with what their curves show. */
export function SweepView({ projectSlug, runs, metrics, query, limits = [], path, isHeaded = false }: Props) {
  const axes = sweepAxes(runs)
  const axis = chooseAxis(axes, query.axis)
  if (axis === null) return <NothingVaried isHeaded={isHeaded} />
  const ordered = [...runs].sort(
    (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.indexInUpload - b.indexInUpload,
  )
  const sweep = buildSweep(ordered, axis)
  const breaks = breakSentences(sweep)
  const objectives = objectivesOf(query, limits)
  const reports = capacityOf(runs, query, objectives)
  const [only] = reports.length === 1 ? reports : []
  return (
    <>
      {isHeaded && <h1 className={`headline ${styles.sentence}`}>{only?.sentence ?? sweepSentence(sweep, metrics)}</h1>}
      {breaks.slice(isHeaded && only === undefined ? 1 : 0).map((sentence) => (
        <p key={sentence} className="notice below-12">
          {sentence}.
        </p>
      ))}
      <SweepCapacity
        path={path ?? null}
        {...{ runs, query, objectives, reports }}
        isHeaded={isHeaded && only !== undefined}
      />
      <div className={`grid gap-16 ${styles.charts}`}>
        {metrics.map((metric) => (
          <MetricChart key={metric.id} {...{ sweep, metric, projectSlug, query }} limits={objectives.map(ruleOf)} />
        ))}
      </div>
      <p className="muted text-12 above-12">
        {footOf(sweep, axis)} {projectSlug === null ? 'Knee' : <Term of="knee">Knee</Term>}: by Kneedle, on linear axes.
      </p>
    </>
  )
}

interface ChartProps {
  readonly sweep: Sweep<RunRow>
  readonly metric: Metric
  readonly projectSlug: string | null
  readonly query: MatrixQuery
  readonly limits: readonly NamedLimit[]
}

function MetricChart({ sweep, metric, projectSlug, query, limits }: ChartProps) {
  const prepared = prepareSweep(sweep, metric, projectSlug, query.scales, limits)
  if (prepared === null) return <p className="muted">No run in the sweep has {metric.label}.</p>
  return (
    <section className="slim" aria-label={prepared.plot.title}>
      <PlotPanel prepared={prepared} tables={query.tables} />
      <ul className={`linked grid text-13 break above-8 ${styles.words}`}>
        {shapeSentences(sweep, metric).map((sentence) => (
          <li key={sentence}>{sentence}.</li>
        ))}
        <Without sweep={sweep} metric={metric} projectSlug={projectSlug} />
      </ul>
    </section>
  )
}

/** Runs off the axis: the swept ones can be compared with them. */
function Without({ sweep, metric, projectSlug }: Omit<ChartProps, 'query' | 'limits'>) {
  return sweep.without.slice(0, 5).map((run) => (
    <li key={run.id}>
      Without a number:{' '}
      {projectSlug === null ? (
        (run.variant ?? run.scenario)
      ) : (
        <Link href={`/p/${projectSlug}/runs/${run.id}`}>{run.variant ?? run.scenario}</Link>
      )}
      , <Fact of={figureFact(run.id, metric, metric.read(run.figures))} />.
    </li>
  ))
}

function NothingVaried({ isHeaded }: { readonly isHeaded: boolean }) {
  return (
    <>
      {isHeaded && <h1 className="page-title">Nothing to sweep over: no number varies between these runs</h1>}
      <p>A sweep draws a figure over a number. It needs two or more runs that differ in one of these:</p>
      <ul className={`grid ${styles.needs}`}>
        <li>
          a label with a number: <code>?label=payload=300kb</code>, <code>?label=memory=512 MB</code> with an upload, or
          added to a run later
        </li>
        <li>the offered rate or the number of connections</li>
        <li>
          a number in the name of the scenario or variant: <code>latency 100ms</code>, <code>latency 500ms</code>
        </li>
      </ul>
    </>
  )
}

/** How the figures were made, and how far to trust them. */
function footOf(sweep: Sweep<RunRow>, axis: SweepAxis): string {
  const counts = sweep.series.flatMap(({ points }) => points.map(({ runs }) => runs.length))
  const repeats = counts.some((count) => count > 1)
    ? 'Several runs of one value: median, with a bar from min to max.'
    : 'One run per value: small steps may be noise.'
  const unit = axis.unit === '' ? '' : ` Numbers as written, in ${axis.unit}.`
  return `${repeats}${unit} Breaks: fewer than ${formatPercent(servedFromRatio)} of requests served.`
}
