import Link from 'next/link'
import { prepareTrendPlot } from '@/components/charts/trend-plot'
import { TrendPlotSvg } from '@/components/charts/trend-plot-svg'
import { Legend } from '@/components/charts/panel-parts'
import type { SeriesHistory } from '@/lib/stored'
import { MetricChoice } from './metric-choice'
import { prepareScenarioTrends, trendSentence, type ScenarioTrends } from './scenario-trends'
import styles from './trends.module.css'
import { trendsSearch, type TrendsQuery } from './trends-url'

interface Props {
  readonly projectSlug: string
  readonly histories: readonly SeriesHistory[]
  readonly query: TrendsQuery
  /** There are series beyond these, whose newest runs are older. */
  readonly hasMore: boolean
}

/** Small multiples: a chart for each scenario, its variants as lines, what changed most first. */
export function TrendsView({ projectSlug, histories, query, hasMore }: Props) {
  const path = `/p/${projectSlug}/trends`
  const scenarios = prepareScenarioTrends(histories, query.metric)
  return (
    <div className="page">
      <h1 className="page-title">Trends</h1>
      <MetricChoice path={path} query={query} />
      {scenarios.length === 0 ? (
        <p className="muted">
          No runs yet. <Link href={`/p/${projectSlug}/upload`}>Upload some</Link>: from the second run of a scenario on,
          its history stands here.
        </p>
      ) : (
        <ul className={styles.grid}>
          {scenarios.map((one) => (
            <ScenarioCard key={one.scenario} path={path} scenario={one} query={query} projectSlug={projectSlug} />
          ))}
        </ul>
      )}
      {hasMore && (
        <p className="muted">
          Shown are the {histories.length} series with the newest runs. The page of a run leads to the trend of its own.
        </p>
      )}
    </div>
  )
}

interface CardProps {
  readonly path: string
  readonly projectSlug: string
  readonly scenario: ScenarioTrends
  readonly query: TrendsQuery
}

function ScenarioCard({ path, projectSlug, scenario, query }: CardProps) {
  const { metric } = query
  const plot = prepareTrendPlot(metric, scenario.trends, { ...query, projectSlug })
  const [only] = scenario.trends
  const leading = scenario.latest?.trend ?? only
  return (
    <li className={`card ${styles.card}`}>
      <h2 className={styles.name}>
        <Link href={`${path}/${scenario.seriesId}${trendsSearch(query)}`}>{scenario.scenario}</Link>
      </h2>
      {plot === null || leading === undefined ? (
        <p className="muted">No run of this scenario has {metric.label}.</p>
      ) : (
        <>
          <p className={styles.sentence} data-verdict={scenario.latest?.change.verdict}>
            {scenario.trends.length > 1 && scenario.latest !== null
              ? `${plot.lines[scenario.trends.indexOf(leading)]?.name ?? ''}: `
              : ''}
            {trendSentence(leading)}
          </p>
          <TrendPlotSvg plot={plot} small />
          <Legend
            series={plot.lines.map((line) => ({ id: line.key, name: line.name, style: line.style }))}
            markers={false}
          />
        </>
      )}
    </li>
  )
}
