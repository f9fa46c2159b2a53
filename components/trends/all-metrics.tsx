import { Link } from '../ui/link'
import { labelChanges } from '@/lib/detect/label-changes'
import { SmallPlot } from '@/components/charts/plot/small'
import { prepareTrend, type TrendOptions } from '@/components/charts/trend'
import type { JudgedTrend } from '@/lib/detect/judged-trend'
import type { Metric } from '@/lib/run/metrics'
import styles from './trends.module.css'
import { trendsSearch, type TrendsQuery } from './trends-url'

interface Props {
  readonly path: string
  readonly query: TrendsQuery
  readonly trendsOf: ReadonlyMap<Metric, readonly JudgedTrend[]>
  readonly options: TrendOptions
}

/** Every metric of the same profiles, small; a metric that nobody has in what is drawn is left out. */
export function AllMetrics({ path, query, trendsOf, options }: Props) {
  // The same runs whatever the metric.
  const [first] = trendsOf.values()
  const changes = labelChanges((first ?? []).map((trend) => trend.points))
  const small = { ...options, labelChanges: changes, isSmall: true }
  return (
    <ul className={styles.grid}>
      {[...trendsOf].map(([metric, trends]) => {
        const prepared = prepareTrend(metric, trends, { ...small, id: `small-${metric.id}` })
        return prepared === null ? null : (
          <li key={metric.id} className={`card ${styles.card}`}>
            <h3 className={styles.name}>
              <Link href={`${path}${trendsSearch(query, { metric })}`}>{prepared.plot.title}</Link>
            </h3>
            <SmallPlot plot={prepared.plot} />
          </li>
        )
      })}
    </ul>
  )
}
