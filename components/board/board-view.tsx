import type { NewsItem } from '@/lib/headline/project-headline'
import { plural } from '@/lib/format'
import { stateWords } from '@/lib/run/judged-states'
import type { Metric } from '@/lib/run/metrics'
import type { ReportedShift } from '@/lib/rules/project-environments'
import { EnvironmentNews } from '../environment/environment-news'
import { Legend } from '../charts/plot/legend'
import { SmallPlot } from '../charts/plot/panel'
import { Term } from '../learn/term'
import { Link } from '../ui/links/link'
import { ViewLinks } from '../ui/links/view-links'
import { BoardCells } from './board-cells'
import type { BoardChart } from './board-chart'
import type { ShownFan } from './board-fan'
import { BoardGrid } from './board-grid'
import type { BoardPage } from './board-list'
import { BoardNews } from './board-news'
import { leadLabel, type BoardRow } from './board-rows'
import { boardHref, type BoardQuery } from './board-url'
import styles from './board.module.css'

interface Props {
  readonly project: { readonly slug: string; readonly name: string; readonly repositoryUrl: string | null }
  readonly query: BoardQuery
  readonly metric: Metric
  /** Metrics that strips may show. */
  readonly choices: readonly Metric[]
  /** The common environment of all series; null: they differ. */
  readonly shared: string | null
  readonly news: readonly NewsItem[]
  /** When environments of the project moved. */
  readonly shifts: readonly ReportedShift[]
  readonly page: BoardPage
  /** Number of the project's series, without the filters of the address. */
  readonly total: number
  readonly rows: readonly BoardRow[]
  readonly fan: ShownFan | null
  /** Null: its rows fill the page. */
  readonly chart: BoardChart | null
}

/** A filter is offered from this many series on. */
const minFiltered = 12

/** The judgement of each series, and its newest run within its history. */
export function BoardView(props: Props) {
  const { project, query, metric, news, page, rows, fan } = props
  const path = `/p/${project.slug}`
  const above = <Head {...props} path={path} />
  return (
    <>
      <BoardNews news={news} slug={project.slug} repositoryUrl={project.repositoryUrl} />
      <EnvironmentNews slug={project.slug} shifts={props.shifts} />
      {rows.length === 0 ? (
        <>
          {above}
          <p>
            No series has these words. <Link href={path}>Show all</Link>
          </p>
        </>
      ) : (
        <BoardGrid
          key={boardHref('', query, { page: page.page, seriesId: query.seriesId })}
          fansPath={`/api/v1/projects/${project.slug}/series/`}
          query={`?metric=${metric.id}`}
          caption="Series"
          above={above}
          below={
            <>
              <Pages path={path} query={query} page={page} />
              <p className={`muted above-10 ${styles.legend}`}>
                Band: <Term of="expected-range">where the next run is expected</Term>. Dotted line:{' '}
                <Term of="change-point">the level changed</Term>. Hollow: a past run outside.
              </p>
              <Chart chart={props.chart} path={path} metric={metric} />
            </>
          }
          fan={fan}
          head={<HeadRow metric={metric} />}
          rows={rows.map((row) => ({
            id: row.id,
            cells: (
              <BoardCells
                row={row}
                href={row.runId === null ? null : `${path}/runs/${row.runId}`}
                fanHref={boardHref(path, query, { page: page.page, seriesId: row.id })}
                leadLabel={leadLabel(metric)}
              />
            ),
          }))}
        />
      )}
    </>
  )
}

function Chart({ chart, path, metric }: { chart: BoardChart | null; path: string; metric: Metric }) {
  if (chart === null) return null
  const { scenario, seriesId, plot } = chart
  const name = `${scenario}: ${metric.shortLabel}`
  return (
    <section className="above-24" aria-label={name}>
      <div className={`row wrap ${styles.head}`}>
        <h2 className="break">{name}</h2>
        <Legend plot={plot} />
        <Link className="push" href={`${path}/trends/${seriesId}?metric=${metric.id}`}>
          Open trend
        </Link>
      </div>
      <SmallPlot plot={plot} />
    </section>
  )
}

/** How many series there are, what they share, and in which order and metric they are shown. */
function Head({ path, query, metric, choices, shared, page, total }: Props & { readonly path: string }) {
  const all = plural(total, 'series', 'series')
  const order = (name: string, value: BoardQuery['order']) => {
    return { name, href: boardHref(path, query, { order: value }), isChosen: query.order === value }
  }
  return (
    <div className={`row wrap ${styles.head}`}>
      <h2>{page.count === total ? all : `${page.count} of ${all}`}</h2>
      {shared === null ? null : <span className="muted">{shared}</span>}
      {query.state === null ? null : (
        <Link href={boardHref(path, query, { state: null })}>{stateWords[query.state]} only: show all</Link>
      )}
      {total >= minFiltered || query.text !== '' ? <Narrow path={path} query={query} /> : null}
      <div className={`flex wrap gap-8 push ${styles.choices}`}>
        <ViewLinks label="Order" choices={[order('By attention', 'attention'), order('By scenario', 'scenario')]} />
        <ViewLinks
          label="Metric"
          choices={choices.map((one) => ({
            name: one.shortLabel,
            href: boardHref(path, query, { metric: one }),
            isChosen: one === metric,
          }))}
        />
      </div>
    </div>
  )
}

function HeadRow({ metric: { id, shortLabel } }: Pick<Props, 'metric'>) {
  return (
    <tr>
      <th scope="col">Series and judgement</th>
      <th scope="col">{id === 'p99' ? <Term of="p99">p99</Term> : shortLabel}, last 30 runs</th>
      <th scope="col" className="num">
        {shortLabel}
      </th>
      <th scope="col" className="num">
        <Term of="served">Served/s</Term>
      </th>
      <th scope="col" className="num">
        Failed
      </th>
    </tr>
  )
}

/** Filters the list; a form, so that it works without scripts. */
function Narrow({ path, query }: { path: string; query: BoardQuery }) {
  return (
    <form action={path} className={styles.narrow} role="search" aria-label="Series">
      <input
        className="input"
        type="search"
        name="text"
        defaultValue={query.text}
        placeholder="Filter series"
        aria-label="Filter series"
      />
      {query.order === 'scenario' ? <input type="hidden" name="order" value="scenario" /> : null}
      {query.metric === null ? null : <input type="hidden" name="metric" value={query.metric.id} />}
      {query.state === null ? null : <input type="hidden" name="state" value={query.state} />}
    </form>
  )
}

function Pages({ path, query, page }: { path: string; query: BoardQuery; page: BoardPage }) {
  if (page.pages === 1) return null
  return (
    <nav className="flex gap-12 text-13 above-12" aria-label="Pages">
      {page.page > 1 ? <Link href={boardHref(path, query, { page: page.page - 1 })}>Previous</Link> : null}
      <span className="muted">
        Page {page.page} of {page.pages}
      </span>
      {page.page < page.pages ? <Link href={boardHref(path, query, { page: page.page + 1 })}>Next</Link> : null}
    </nav>
  )
}
