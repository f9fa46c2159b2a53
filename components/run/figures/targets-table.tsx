import { Link } from '../../ui/links/link'
import { columnUnit, formatCount, formatInColumn, formatPercent, plural } from '@/lib/format'
import type { Target } from '@/lib/run/run'
import { chartViewHref, type ChartView, type TargetSort } from './chart-view'
import { ListTable, type Head } from '../../ui/list-table'
import styles from './targets-table.module.css'

const valueOf: Readonly<Record<TargetSort, (target: Target) => number>> = {
  requests: ({ count }) => count,
  errors: ({ errors }) => errors,
  bytes: ({ bytesIn }) => bytesIn ?? 0,
  mean: ({ meanMs }) => meanMs,
  p99: ({ p99Ms }) => p99Ms,
  max: ({ maxMs }) => maxMs,
}

interface Props {
  readonly targets: readonly Target[] | null
  /** Of the run. */
  readonly requests: number | null
  readonly view: ChartView
}

/**
 * Requests to each address, the most frequent 50; a line below counts the rest. Nothing if none is known. Shares are of
 * the run's requests: the listed targets may cover only a part of them.
 */
export function TargetsTable({ targets, requests, view }: Props) {
  if (targets === null || targets.length === 0) return null
  const all = requests ?? targets.reduce((sum, target) => sum + target.count, 0)
  const rest = targets.find((target) => target.method === null && target.url === null)
  const sorted = targets.filter((one) => one !== rest).sort((a, b) => valueOf[view.sort](b) - valueOf[view.sort](a))
  if (sorted.length === 0) return null
  const units = unitsOf(sorted)
  const inMs = (ms: number) => formatInColumn(ms, 'ms', units.time)
  const heads = headsOf(units, view)
  return (
    <section className={styles.block}>
      <h2 className="section-title">Targets</h2>
      <ListTable label="Targets" head={['Address', ...heads]} numbers={heads.map(({ name }) => name)}>
        {sorted.map((one) => (
          <tr key={`${one.method} ${one.url}`}>
            <th scope="row" className={`break ${styles.address}`}>
              {one.method !== null && <span className="muted">{one.method} </span>}
              {one.url ?? 'no address'}
            </th>
            <td className="num">
              {formatCount(one.count)} <span className="muted">{formatPercent(one.count / all)}</span>
            </td>
            <td className="num">{formatCount(one.errors)}</td>
            <td className="num">{formatInColumn(one.bytesIn, 'bytes', units.size)}</td>
            <td className="num">{inMs(one.meanMs)}</td>
            <td className="num">{inMs(one.p99Ms)}</td>
            <td className="num">{inMs(one.maxMs)}</td>
          </tr>
        ))}
      </ListTable>
      {rest && (
        <p className="muted">
          Other targets: {plural(rest.count, 'request')}, {plural(rest.errors, 'error')}; max {inMs(rest.maxMs)}{' '}
          {units.time.label}.
        </p>
      )}
    </section>
  )
}

function unitsOf(targets: readonly Target[]) {
  const times = targets.map(({ p99Ms }) => p99Ms)
  const sizes = targets.map(({ bytesIn }) => bytesIn)
  return { time: columnUnit('ms', times), size: columnUnit('bytes', sizes) }
}

/** Heads that sort by their column. */
function headsOf({ time, size }: ReturnType<typeof unitsOf>, view: ChartView): readonly Head[] {
  const heads: readonly (readonly [TargetSort, string, string])[] = [
    ['requests', 'Requests', 'Requests and their share of the total'],
    ['errors', 'Errors', 'Failed requests'],
    ['bytes', `Received ${size.label}`, 'Total response bytes'],
    ['mean', `Mean ${time.label}`, 'Exact'],
    ['p99', `p99 ≈ ${time.label}`, 'From a histogram that is within 1.6 %, or as the tool rounds its times'],
    ['max', `Max ${time.label}`, 'Exact'],
  ]
  return heads.map(([sort, name, title]) => ({
    name,
    sort: view.sort === sort ? 'descending' : undefined,
    content: (
      <Link href={chartViewHref(view, { sort })} title={title} scroll={false} replace>
        {name}
        {view.sort === sort && ' ↓'}
      </Link>
    ),
  }))
}
