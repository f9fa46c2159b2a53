import Link from 'next/link'
import { TrendPanel } from '@/components/charts/trend-panel'
import { prepareTrendPlot } from '@/components/charts/trend-plot'
import { TrendPlotSvg } from '@/components/charts/trend-plot-svg'
import type { BadgeSummary } from '@/lib/badge'
import type { Annotation } from '@/lib/annotations'
import { formatChange, formatDate, formatMetric, formatTime } from '@/lib/format'
import { metrics } from '@/lib/metrics'
import { lineName, linesOf, sortLines, type SeriesLine } from '@/lib/series'
import type { SeriesHistory } from '@/lib/stored'
import { metricsIn, trendOf, type Trend } from '@/lib/trend'
import { BadgePanel } from './badge-panel'
import { Annotations } from './annotations'
import { MetricChoice } from './metric-choice'
import { noiseSentence, trendSentence } from './scenario-trends'
import styles from './trends.module.css'
import { lastChoices, trendsSearch, type TrendsQuery } from './trends-url'

interface Props {
  readonly projectSlug: string
  /** The series of the address first, then the others of its scenario. */
  readonly histories: readonly SeriesHistory[]
  readonly query: TrendsQuery
  /** Of the series of the address. */
  readonly badges: readonly BadgeSummary[]
  /** Of the scenario and of the whole project, oldest first. */
  readonly annotations: readonly Annotation[]
}

const mostLines = 7

/** The history of a scenario: one metric of all its variants large, what each did in words, all metrics small. */
export function SeriesView({ projectSlug, histories, query, badges, annotations }: Props) {
  const [own] = histories
  if (own === undefined) return null
  const path = `/p/${projectSlug}/trends/${own.id}`
  const lines = sortLines(histories.flatMap(linesOf).slice(0, mostLines))
  const known = metrics.filter((metric) => lines.some((line) => metricsIn(line, [metric]).length > 0))
  const options = { ...query, projectSlug, annotations }
  const trends = lines.map((line) => trendOf(line, query.metric))
  const plot = prepareTrendPlot(query.metric, trends, options)
  const name = (line: SeriesLine) => lineName(line, lines.length > histories.length)
  return (
    <div className="page">
      <p className="muted">
        <Link href={`/p/${projectSlug}/trends${trendsSearch(query, whole)}`}>Trends</Link>
      </p>
      <h1 className="page-title">{own.scenario}</h1>
      <MetricChoice path={path} query={query} known={known} />
      {plot === null ? (
        <p className="muted">
          No run of this {isPart(query) ? 'part' : 'scenario'} has {query.metric.label}.{' '}
          {isPart(query) && <Link href={`${path}${trendsSearch(query, whole)}`}>Whole history</Link>}
        </p>
      ) : (
        <TrendPanel plot={plot} tools={<LastChoice path={path} query={query} />} zoomBase={zoomBaseOf(path, query)} />
      )}
      <section className={styles.lines} aria-label="What happened">
        {trends.map((trend) => (
          <LineStory key={trend.line.key} trend={trend} name={name(trend.line)} projectSlug={projectSlug} />
        ))}
      </section>
      <h2 className={`section-title ${styles.part}`}>What happened outside</h2>
      <Annotations projectSlug={projectSlug} scenario={own.scenario} annotations={annotations} />
      <h2 className={`section-title ${styles.part}`}>All metrics</h2>
      <ul className={styles.grid}>
        {known.map((metric) => {
          const small = prepareTrendPlot(
            metric,
            lines.map((line) => trendOf(line, metric)),
            options,
          )
          return small === null ? null : (
            <li key={metric.id} className={`card ${styles.card}`}>
              <h3 className={styles.name}>
                <Link href={`${path}${trendsSearch(query, { metric })}`}>{small.title}</Link>
              </h3>
              <TrendPlotSvg plot={small} small />
            </li>
          )
        })}
      </ul>
      <BadgePanel
        projectSlug={projectSlug}
        series={histories.map((one) => ({ id: one.id, name: seriesName(one) }))}
        metricId={query.metric.id}
        metricName={query.metric.shortLabel}
        scenario={own.scenario}
        badges={badges}
      />
    </div>
  )
}

const seriesName = ({ scenario, variant, environment }: SeriesHistory): string =>
  [variant, environment].filter((part) => part !== null).join(' · ') || scenario

/** What one line did: the last change, its noise, and every change with its comparison. */
function LineStory({ trend, name, projectSlug }: { trend: Trend; name: string; projectSlug: string }) {
  const { metric, changes, points } = trend
  const noise = noiseSentence(trend)
  return (
    <div>
      <h2 className={`section-title ${styles.part}`}>{name}</h2>
      <p className={styles.judgement}>{trendSentence(trend)}</p>
      {noise !== null && <p className="muted">{noise}</p>}
      {changes.length > 0 && (
        <div className="table-scroll">
          <table className="table">
            <caption className="visually-hidden">Changes of {name}, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Since</th>
                <th scope="col">Verdict</th>
                <th scope="col" className="num">
                  Before
                </th>
                <th scope="col" className="num">
                  After
                </th>
                <th scope="col" className="num">
                  95 % interval
                </th>
                <th scope="col">Kind</th>
                <th scope="col">Runs</th>
              </tr>
            </thead>
            <tbody>
              {[...changes].reverse().map((one) => (
                <tr key={one.at}>
                  <td className={styles.since}>{formatTime(points[one.at]?.orderedAt ?? '')}</td>
                  <td data-verdict={one.verdict}>{one.verdict}</td>
                  <td className="num">{formatMetric(one.before, metric.unit)}</td>
                  <td className="num">{formatMetric(one.after, metric.unit)}</td>
                  <td className="num">{intervalOf(one.change.effectLowRatio, one.change.effectHighRatio)}</td>
                  <td>{one.change.kind === 'drift' ? 'slow drift' : 'step'}</td>
                  <td>
                    <Link href={`/p/${projectSlug}/compare/${one.beforeRunId}...${one.afterRunId}`}>
                      before and after
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

const intervalOf = (low: number, high: number): string => `${formatChange(low)} … ${formatChange(high)}`

const whole = { from: null, to: null } as const

const isPart = ({ from, to }: TrendsQuery): boolean => from !== null || to !== null

/** The address that `from=…&to=…` is added to. */
function zoomBaseOf(path: string, query: TrendsQuery): string {
  const search = trendsSearch(query, whole)
  return `${path}${search === '' ? '?' : `${search}&`}`
}

function LastChoice({ path, query }: { path: string; query: TrendsQuery }) {
  return (
    <span className={styles.last}>
      {isPart(query) ? (
        <>
          <span>
            {query.from ? formatDate(query.from) : '…'} – {query.to ? formatDate(query.to) : '…'}
          </span>{' '}
          <Link href={`${path}${trendsSearch(query, whole)}`}>Whole history</Link>
          {' · '}
        </>
      ) : (
        <span className={styles.hint}>Drag over the chart to look closer · </span>
      )}
      Newest{' '}
      {lastChoices.map((last) => (
        <Link
          key={last}
          href={`${path}${trendsSearch(query, { last })}`}
          aria-current={last === query.last ? 'true' : undefined}
        >
          {last}
        </Link>
      ))}{' '}
      runs
    </span>
  )
}
