import { Link } from '../ui/links/link'
import { Legend } from '@/components/charts/plot/legend'
import { SmallPlot } from '@/components/charts/plot/panel'
import { prepareTrend } from '@/components/charts/trend'
import type { SeriesTrends } from '@/lib/levels/trend'
import type { RuleLimit } from '@/lib/rules/limits'
import type { EnvironmentEvent } from '@/lib/rules/rule-events'
import { RefreshSoon } from './refresh-soon'
import { MetricChoice } from './metric-choice'
import { NewestFigures } from './newest-figures'
import {
  hasHistory,
  limitsOfTrends,
  prepareScenarioTrends,
  scenarioSentence,
  type ScenarioTrends,
} from './scenario-trends'
import styles from './trends.module.css'
import { trendsSearch, type TrendsQuery } from './trends-url'

interface Props {
  readonly projectSlug: string
  readonly series: readonly SeriesTrends[]
  /** Ids of those that are still being judged: what is shown of them is older than their runs. */
  readonly waiting: readonly string[]
  readonly query: TrendsQuery
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
  /** When environments of the project moved. */
  readonly shifts: readonly EnvironmentEvent[]
  /** There are more series, whose newest runs are older. */
  readonly hasMore: boolean
}

/** Small multiples: a chart for each scenario, its variants as lines, largest change first. */
export function TrendsView({ projectSlug, series, waiting, query, limits, shifts, hasMore }: Props) {
  const path = `/p/${projectSlug}/trends`
  const all = prepareScenarioTrends(series)
  const underWay = new Set(series.filter((one) => waiting.includes(one.series.id)).map((one) => one.series.scenario))
  const first = (query.part - 1) * cardsAtOnce
  const scenarios = all.slice(first, first + cardsAtOnce)
  const isFew = all.filter(({ trends }) => hasHistory(trends)).length === all.length && all.length <= mostLarge
  return (
    <div className="page">
      <MetricChoice path={path} query={query} />
      {underWay.size > 0 && (
        <p className="notice" role="status">
          {underWay.size === 1
            ? '1 scenario has new runs that are being evaluated'
            : `${underWay.size} scenarios have new runs that are being evaluated`}
          ; then they are sorted by size of change.
          <RefreshSoon />
        </p>
      )}
      {all.length === 0 ? (
        <p className="muted">
          No runs yet. <Link href={`/p/${projectSlug}/upload`}>Upload some</Link>: a history appears from the second run
          of a scenario on.
        </p>
      ) : (
        <ul className={`${styles.grid} ${isFew ? 'one-column' : ''}`}>
          {scenarios.map((one) => (
            <ScenarioCard
              key={one.scenario}
              path={path}
              scenario={one}
              isUnderWay={underWay.has(one.scenario)}
              query={query}
              limits={limits}
              shifts={shifts}
              projectSlug={projectSlug}
              isSmall={!isFew}
            />
          ))}
        </ul>
      )}
      <Parts path={path} query={query} count={all.length} />
      {hasMore && (
        <p className="muted">
          These are the {series.length} series with the newest runs. Each run page links to the trend of its series.
        </p>
      )}
    </div>
  )
}

/** Cards per page. */
const cardsAtOnce = 20
/** So few charts have the width of the page, and the height that their dots and dates need. */
const mostLarge = 2

/** Links to the other cards; nothing if there are none. */
function Parts({ path, query, count }: { path: string; query: TrendsQuery; count: number }) {
  const parts = Math.ceil(count / cardsAtOnce)
  if (parts < 2) return null
  const { part } = query
  return (
    <p className={`flex wrap above-16 ${styles.parts}`}>
      <span className="muted">
        Scenarios {(part - 1) * cardsAtOnce + 1} to {Math.min(count, part * cardsAtOnce)} of {count}, largest change
        first.
      </span>{' '}
      {part > 1 && <Link href={`${path}${trendsSearch(query, { part: part - 1 })}`}>Previous</Link>}{' '}
      {part < parts && (
        <Link href={`${path}${trendsSearch(query, { part: part + 1 })}`}>
          Next {Math.min(cardsAtOnce, count - part * cardsAtOnce)}
        </Link>
      )}
    </p>
  )
}

interface CardProps {
  readonly path: string
  readonly projectSlug: string
  readonly scenario: ScenarioTrends
  /** Its newer runs are not judged yet. */
  readonly isUnderWay: boolean
  readonly query: TrendsQuery
  readonly limits: readonly RuleLimit[]
  readonly shifts: readonly EnvironmentEvent[]
  readonly isSmall: boolean
}

function ScenarioCard({ path, projectSlug, scenario, isUnderWay, query, shifts, isSmall, ...rest }: CardProps) {
  const { metric } = query
  const id = `trend-${scenario.seriesId}`
  const limits = limitsOfTrends(rest.limits, scenario.trends)
  const plot = prepareTrend(metric, scenario.trends, { ...query, projectSlug, id, limits, shifts, isSmall })?.plot
  const names = plot?.series.map(({ name }) => name) ?? []
  return (
    <li className="card slim">
      <h2 className={`text-14 break ${styles.name}`}>
        <Link href={`${path}/${scenario.seriesId}${trendsSearch(query, { part: 1 })}`}>{scenario.scenario}</Link>
      </h2>
      {plot === undefined ? (
        <p className="muted">{isUnderWay ? 'Evaluating.' : `No run of this scenario has ${metric.label}.`}</p>
      ) : (
        <>
          {isUnderWay && <p className={`muted below-4 ${styles.sentence}`}>Updating: latest runs not included.</p>}
          <p className={`muted below-4 ${styles.sentence}`} data-verdict={scenario.latest?.change.verdict}>
            {scenarioSentence(scenario.trends, names, shifts)}
          </p>
          {hasHistory(scenario.trends) ? (
            <>
              <SmallPlot plot={plot} />
              <Legend plot={plot} />
            </>
          ) : (
            <NewestFigures trends={scenario.trends} names={names} />
          )}
        </>
      )}
    </li>
  )
}
