import { Fragment } from 'react'
import { formatMetric } from '@/lib/format'
import { Link } from '../ui/links/link'
import { labelChanges } from '@/lib/levels/label-changes'
import { sharingPacker } from '@/components/charts/plot/sent/pack'
import { SmallPlot } from '@/components/charts/plot/panel'
import { prepareTrend, trendLink, type TrendOptions } from '@/components/charts/trend'
import type { Trend } from '@/lib/levels/trend'
import type { Metric } from '@/lib/run/metrics'
import styles from './trends.module.css'
import { trendsSearch, type TrendsQuery } from './trends-url'

interface Props {
  readonly path: string
  readonly query: TrendsQuery
  readonly trendsOf: ReadonlyMap<Metric, readonly Trend[]>
  readonly options: TrendOptions
}

/**
 * Every metric of the same profiles, small. A metric without values in the drawn part is left out, and one that never
 * changed is a figure, not a chart.
 */
export function AllMetrics({ path, query, trendsOf, options }: Props) {
  // The runs are the same for every metric.
  const [first] = trendsOf.values()
  const changes = labelChanges((first ?? []).map((trend) => trend.points))
  const packer = sharingPacker()
  const small = { ...options, labelChanges: changes, isSmall: true }
  const constant = [...trendsOf].flatMap(([metric, trends]) => {
    const value = constantOf(trends)
    return value === null ? [] : [{ metric, value }]
  })
  const varied = [...trendsOf].filter(([metric]) => !constant.some((one) => one.metric === metric))
  return (
    <>
      {constant.length > 0 && (
        <p className="muted">
          The same in all runs:{' '}
          {constant.map(({ metric, value }, at) => (
            <Fragment key={metric.id}>
              {at > 0 && ', '}
              <Link href={`${path}${trendsSearch(query, { metric })}`}>{metric.label}</Link>{' '}
              {formatMetric(value, metric.unit)}
            </Fragment>
          ))}
          .
        </p>
      )}
      <ul className={styles.grid}>
        {varied.map(([metric, trends]) => {
          const prepared = prepareTrend(metric, trends, { ...small, id: `small-${metric.id}` })
          return prepared === null ? null : (
            <li key={metric.id} className="card slim">
              <h3 className={`text-14 break ${styles.name}`}>
                <Link href={`${path}${trendsSearch(query, { metric })}`}>{prepared.plot.title}</Link>
              </h3>
              <SmallPlot plot={{ ...prepared.plot, link: trendLink }} packer={packer} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** The common value of all runs of all profiles; null: they differ. */
export function constantOf(trends: readonly Pick<Trend, 'points'>[]): number | null {
  const bounds = trends.flatMap(({ points }) => points.flatMap(({ low, high }) => [low ?? [], high ?? []].flat()))
  const [first] = bounds
  return first !== undefined && bounds.every((one) => one === first) ? first : null
}
