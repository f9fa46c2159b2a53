import type { ReactNode } from 'react'
import { compareUrl } from '@/lib/judge/compare-url'
import type { SeriesNoise } from '@/lib/judge/history-noise'
import { changeSides } from '../charts/change-sides'
import { EnvironmentLink } from '../ui/links/environment-link'
import { Link } from '../ui/links/link'
import { IfAllowed } from '../ui/actions/access'
import { pack } from '@/components/charts/plot/sent/pack'
import { PlotPanel, SmallPlot } from '@/components/charts/plot/panel'
import { prepareTrend, trendLink, trendNames, type TrendOptions } from '@/components/charts/trend'
import { prepareTrendMap } from '@/components/charts/trend-map'
import type { RuleLimit } from '@/lib/rules/limits'
import type { EnvironmentEvent } from '@/lib/rules/rule-events'
import type { BadgeSummary } from '@/lib/rules/badge'
import type { Annotation } from '@/lib/project/annotations'
import { formatChange, formatCount, formatDay, formatTime, plural } from '@/lib/format'
import { changeWord } from '@/lib/levels/change'
import { faintChanges } from '@/lib/levels/faint-changes'
import type { SeriesTrends, Trend, TrendChange } from '@/lib/levels/trend'
import { changeFact } from '@/lib/run/fact'
import { findMetric, type Metric } from '@/lib/run/metrics'
import { standingOf } from '@/lib/run/standing'
import type { SeriesSummary } from '@/lib/history/stored-series'
import type { RunJudgement } from '@/lib/run/judgement'
import { Term } from '../learn/term'
import { Fact } from '../facts/fact'
import { Icon } from '../ui/icon'
import { ListTable } from '../ui/list-table'
import { StandingMarks } from '../ui/standing-marks'
import { AllMetrics } from './all-metrics'
import { BadgePanel } from './badge-panel'
import { Annotations } from './annotations'
import { HistoryMap } from './history-map'
import { MetricChoice } from './metric-choice'
import { NewestFigures } from './newest-figures'
import {
  hasHistory,
  limitsOfTrends,
  linesToDraw,
  noiseSentence,
  plannerSentence,
  scenarioSentence,
  trendSentence,
} from './scenario-trends'
import styles from './trends.module.css'
import { lastChoices, trendsSearch, type TrendsQuery } from './trends-url'

interface Props {
  readonly projectSlug: string
  /** The series in the address first, then the others of its scenario. */
  readonly all: readonly SeriesSummary[]
  /** The metric in the address, for the drawn series. */
  readonly shown: readonly SeriesTrends[]
  /** Every metric of their newest `smallRuns`. */
  readonly small: ReadonlyMap<Metric, readonly SeriesTrends[]>
  readonly smallRuns: number
  readonly query: TrendsQuery
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
  /** Badges of the series in the address. */
  readonly badges: readonly BadgeSummary[]
  /** Judgement of the newest run of each drawn profile, by run id. */
  readonly judgements: ReadonlyMap<string, RunJudgement>
  /** The noise of the newest runs of the drawn series. */
  readonly noises: readonly SeriesNoise[]
  /** When environments of the project moved. */
  readonly shifts: readonly EnvironmentEvent[]
  /** Annotations of the scenario and of the whole project, oldest first. */
  readonly annotations: readonly Annotation[]
}

/** The history of a scenario: one metric of all its variants large, each one's changes in words, all metrics small. */
export function SeriesView(props: Props) {
  const { projectSlug, all, shown, small, smallRuns, query, judgements, noises, annotations, shifts } = props
  const [own] = all
  if (own === undefined) return null
  const path = `/p/${projectSlug}/trends/${own.id}`
  const trends = linesToDraw(shown)
  const names = trendNames(trends)
  const trendsOf = knownTrends(small, new Set(trends.map((trend) => trend.profile.key)))
  const options = { ...query, projectSlug, annotations, shifts, limits: limitsOfTrends(props.limits, trends) }
  const sentence = scenarioSentence(trends, names, shifts)
  return (
    <div className="page">
      {sentence !== null && <p className="muted flush break">{own.scenario}</p>}
      <h1 className="page-title">{sentence ?? own.scenario}</h1>
      <MetricChoice path={path} query={query} known={[...trendsOf.keys()]} />
      {trends.length > 0 && !hasHistory(trends) ? (
        <NewestFigures trends={trends} names={names} />
      ) : (
        <LargeTrend own={own} path={path} query={query} trends={trends} options={options} />
      )}
      <section className={styles.lines} aria-label="What happened">
        {trends.map((trend, at) => (
          <LineStory
            key={trend.profile.key}
            trend={trend}
            judgement={judgements.get(trend.points.at(-1)?.runIds.at(-1) ?? '') ?? null}
            plan={plannerSentence(trend, noiseOf(noises, trend))}
            name={names[at] ?? ''}
            projectSlug={projectSlug}
            shifts={shifts}
          />
        ))}
      </section>
      <h2 className={`section-title ${styles.part}`}>Deploys and other events</h2>
      <Annotations projectSlug={projectSlug} scenario={own.scenario} annotations={annotations} />
      <h2 className={`section-title ${styles.part}`}>All metrics</h2>
      <p className="muted">Of the newest {smallRuns} runs of each variant and environment.</p>
      <details className={styles.folded}>
        <summary>Show charts of {plural(trendsOf.size, 'metric')}</summary>
        <AllMetrics path={path} query={query} trendsOf={trendsOf} options={options} />
      </details>
      <Badges {...props} scenario={own.scenario} />
    </div>
  )
}

interface LargeProps {
  readonly own: SeriesSummary
  readonly path: string
  readonly query: TrendsQuery
  readonly trends: readonly Trend[]
  readonly options: TrendOptions
}

/** The chosen metric; a part of it is drawn by dragging, a run opened by a click, an event added with E. */
function LargeTrend({ own, path, query, trends, options }: LargeProps) {
  const drawn = trends.map((trend) => ({ ...trend, faint: faintChanges(trend) }))
  const prepared = prepareTrend(query.metric, drawn, options)
  const map = prepareTrendMap(query.metric, trends, options)
  const base = zoomBaseOf(path, query)
  if (prepared === null)
    return (
      <p className="muted">
        No run of this {isPart(query) ? 'part' : 'scenario'} has {query.metric.label}.{' '}
        {isPart(query) && <Link href={`${path}${trendsSearch(query, whole)}`}>Whole history</Link>}
      </p>
    )
  return (
    <PlotPanel
      prepared={{ ...prepared, plot: { ...prepared.plot, link: trendLink } }}
      tables={query.tables}
      tools={<LastChoice path={path} query={query} trends={trends} />}
      csvHref={csvOf(own, query)}
      zoomBase={base}
      picksPlaces
      below={
        map && (
          <HistoryMap sent={pack(map.times)} order={query.order} from={query.from} to={query.to} base={base}>
            <SmallPlot plot={map.plot} />
          </HistoryMap>
        )
      }
    />
  )
}

/** The badges of the series in the address, for those who may make them. */
function Badges({ projectSlug, all, query, badges, scenario }: Props & { readonly scenario: string }) {
  return (
    <IfAllowed need="edit">
      <BadgePanel
        projectSlug={projectSlug}
        series={all.map((one) => ({ id: one.id, name: seriesName(one) }))}
        metricId={query.metric.id}
        metricName={query.metric.shortLabel}
        scenario={scenario}
        badges={badges.map((badge) => ({
          ...badge,
          metricName: findMetric(badge.metricId)?.shortLabel ?? badge.metricId,
        }))}
      />
    </IfAllowed>
  )
}

/**
 * The metrics that at least three runs of one of these profiles have, with the profiles in the order of the large chart.
 */
function knownTrends(small: Props['small'], keys: ReadonlySet<string>): ReadonlyMap<Metric, readonly Trend[]> {
  const drawn = [...small].map(([metric, series]) => {
    const trends = series.flatMap((one) => one.trends.filter((trend) => keys.has(trend.profile.key)))
    return [metric, [...keys].flatMap((key) => trends.find((trend) => trend.profile.key === key) ?? [])] as const
  })
  return new Map(drawn.filter(([, trends]) => trends.some((trend) => figuresIn(trend) >= 3)))
}

const figuresIn = ({ points }: Trend): number =>
  points.reduce((sum, point) => sum + (point.value === null ? 0 : point.runIds.length), 0)

const noiseOf = (noises: readonly SeriesNoise[], { profile, metric }: Trend) =>
  noises.find((one) => one.seriesId === profile.series.id)?.byProfile[profile.name]?.[metric.id] ?? null

const seriesName = ({ scenario, variant, environment }: SeriesSummary): string =>
  [variant, environment].filter((part) => part !== null).join(' · ') || scenario

interface LineStoryProps {
  readonly trend: Trend
  /** Judgement of the newest run; null: not judged yet. */
  readonly judgement: RunJudgement | null
  /** How many rounds would show a change; null: not known. */
  readonly plan: string | null
  readonly name: string
  readonly projectSlug: string
  readonly shifts: readonly EnvironmentEvent[]
}

/**
 * The judgement of the newest run and the history of one profile: the last change, its noise, and every change with its
 * comparison.
 */
function LineStory({ trend, judgement, plan, name, projectSlug, shifts }: LineStoryProps) {
  const { changes, points } = trend
  const newest = points.at(-1)?.runIds.at(-1)
  const noise = noiseSentence(trend)
  const { environment } = trend.profile.series
  return (
    <div>
      <h2 className={`section-title ${styles.part}`}>{name}</h2>
      {judgement !== null && (
        <p className="below-4">
          <StandingMarks judged={judgement} standing={standingOf(judgement)} runId={newest ?? ''} />{' '}
          <Link href={`/p/${projectSlug}/runs/${newest ?? ''}`}>Newest run</Link>: {judgement.sentence}
        </p>
      )}
      <p className="below-4">{trendSentence(trend, shifts)}</p>
      {noise !== null && <p className="muted">{noise}</p>}
      {plan !== null && <p className="muted">{plan}</p>}
      {environment !== null && (
        <p className="muted">
          Environment <EnvironmentLink slug={projectSlug} name={environment} />
        </p>
      )}
      {changes.length > 0 && <Changes trend={trend} name={name} projectSlug={projectSlug} />}
    </div>
  )
}

const numbers = ['Before', 'After', 'Change', '95 % interval']

/** Each change of level with its comparison, newest first. */
function Changes({ trend, name, projectSlug }: Pick<LineStoryProps, 'trend' | 'name' | 'projectSlug'>) {
  const { changes, points } = trend
  const since = { name: 'Since', content: <Term of="change-point">Since</Term> }
  return (
    <ListTable
      label={`Changes of ${name}, newest first`}
      head={[since, 'Verdict', ...numbers, 'Kind', 'Runs']}
      numbers={numbers}
      isStacked
    >
      {changes.toReversed().map((one) => (
        <Change key={one.at} trend={trend} change={one} since={points[one.at]?.orderedAt ?? ''}>
          <Link href={compareUrl(projectSlug, changeSides(trend, one), null)}>before and after</Link>
        </Change>
      ))}
    </ListTable>
  )
}

interface ChangeProps {
  readonly trend: Trend
  readonly change: TrendChange
  /** Time of its first run. */
  readonly since: string
  /** The link to its comparison. */
  readonly children: ReactNode
}

function Change({ trend, change, since, children }: ChangeProps) {
  const fact = factOf(trend, change)
  return (
    <tr>
      <th scope="row" className="nowrap">
        {formatTime(since)}
      </th>
      <td data-verdict={change.verdict}>{changeWord(change)}</td>
      <Fact of={fact} part="before" as="td" className="num" data-label="before" />
      <Fact of={fact} part="after" as="td" className="num" data-label="after" />
      <Fact of={fact} part="effect" as="td" className="num" />
      <Fact of={fact} part="interval" as="td" className="num">
        {intervalOf(change.effectLowRatio, change.effectHighRatio)}
      </Fact>
      <td>{change.kind === 'drift' ? 'slow drift' : 'step'}</td>
      <td>{children}</td>
    </tr>
  )
}

const factOf = ({ profile, metric }: Trend, change: TrendChange) =>
  changeFact(metric, { ...change, seriesId: profile.series.id, profile: profile.name })

const intervalOf = (low: number, high: number): string => `${formatChange(low)} … ${formatChange(high)}`

const whole = { from: null, to: null } as const

const isPart = ({ from, to }: TrendsQuery): boolean => from !== null || to !== null

/** The address that `from=…&to=…` is appended to. */
function zoomBaseOf(path: string, query: TrendsQuery): string {
  const search = trendsSearch(query, whole)
  return `${path}${search === '' ? '?' : `${search}&`}`
}

/** The figures of the chart as a file: the runs of its scenario, oldest first, unrounded. */
function csvOf({ projectSlug, scenario }: SeriesSummary, { metric, from, to }: TrendsQuery): string {
  const asked = new URLSearchParams({ scenario, columns: metric.id, direction: 'asc' })
  if (from) asked.set('from', from.slice(0, 10))
  if (to) asked.set('to', to.slice(0, 10))
  return `/api/v1/projects/${projectSlug}/runs.csv?${asked.toString()}`
}

/** How many runs of the history are drawn: `96 of 120 runs`. */
function shownWords(trends: readonly Trend[], { from, to }: TrendsQuery): string {
  const counts = trends.flatMap(({ points }) =>
    points.map(({ orderedAt, runIds }) => {
      const isShown = (from === null || orderedAt >= from) && (to === null || orderedAt <= to)
      return [isShown ? runIds.length : 0, runIds.length] as const
    }),
  )
  const [shown, all] = [0, 1].map((at) => counts.reduce((sum, one) => sum + (one[at] ?? 0), 0))
  return `${formatCount(shown ?? 0)} of ${plural(all ?? 0, 'run')}`
}

interface LastProps {
  readonly path: string
  readonly query: TrendsQuery
  readonly trends: readonly Trend[]
}

function LastChoice({ path, query, trends }: LastProps) {
  return (
    <span className={`row wrap gap-4 muted text-12 ${styles.last}`}>
      {isPart(query) ? (
        <Link className={`inline-row gap-6 ${styles.shown}`} href={`${path}${trendsSearch(query, whole)}`}>
          <span>
            Shown{' '}
            <strong>
              {query.from ? formatDay(query.from) : '…'} – {query.to ? formatDay(query.to) : '…'},{' '}
              {shownWords(trends, query)}
            </strong>
          </span>
          <Icon name="close" />
          <span className="visually-hidden">Whole history</span>
        </Link>
      ) : (
        <span className={styles.hint}>Drag to zoom, click to open a run, E to add an event · </span>
      )}
      <span>Newest</span>
      {lastChoices.map((last) => (
        <Link
          key={last}
          href={`${path}${trendsSearch(query, { last })}`}
          aria-current={last === query.last ? 'true' : undefined}
        >
          {last}
        </Link>
      ))}
      <span>runs</span>
    </span>
  )
}
