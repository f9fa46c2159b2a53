import { Link } from '../ui/links/link'
import { metrics, metricsOf, type Metric } from '@/lib/run/metrics'
import styles from './trends.module.css'
import { trendsSearch, type TrendsQuery } from './trends-url'

interface Props {
  readonly path: string
  readonly query: TrendsQuery
  /** Metrics that some run has, offered if they are in the choice; absent: all. */
  readonly known?: readonly Metric[]
}

/** Links that choose the metric and how runs are placed: the view is in the address. */
export function MetricChoice({ path, query, known = metrics }: Props) {
  const offered = metricsOf('trends').filter((metric) => known.includes(metric))
  const shown = offered.includes(query.metric) ? offered : [...offered, query.metric]
  return (
    <nav className={`flex wrap ${styles.choice}`} aria-label="Shown metric">
      <ul>
        {shown.map((metric) => (
          <li key={metric.id}>
            <Link
              href={`${path}${trendsSearch(query, { metric })}`}
              aria-current={metric === query.metric ? 'true' : undefined}
              title={metric.explain}
            >
              {metric.shortLabel}
            </Link>
          </li>
        ))}
      </ul>
      <ul>
        <Option path={path} query={query} change={{ order: 'time' }} name="By time" on={query.order === 'time'} />
        <Option path={path} query={query} change={{ order: 'runs' }} name="Run by run" on={query.order === 'runs'} />
        <Option
          path={path}
          query={query}
          change={{ scale: query.scale === 'log' ? 'linear' : 'log' }}
          name="Log scale"
          on={query.scale === 'log'}
        />
      </ul>
    </nav>
  )
}

interface OptionProps {
  readonly path: string
  readonly query: TrendsQuery
  readonly change: Partial<TrendsQuery>
  readonly name: string
  readonly on: boolean
}

function Option({ path, query, change, name, on }: OptionProps) {
  return (
    <li>
      <Link href={`${path}${trendsSearch(query, change)}`} aria-current={on ? 'true' : undefined}>
        {name}
      </Link>
    </li>
  )
}
