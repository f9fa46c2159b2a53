import { formatCount, plural } from '@/lib/format'
import { maxListedRuns } from '@/lib/export/runs-csv'
import type { RunFacets, RunSortKey } from '@/lib/history/run-list'
import { Link } from '../ui/links/link'
import { Menu } from '../ui/menu'
import { ColumnChooser } from './column-chooser'
import { listHref } from './list-url'
import { columnChoices, rangeFigures, type RunColumn } from './run-columns'
import { RunFilters } from './run-filters'
import { groupings, type Grouping } from './run-groups'
import styles from './runs-toolbar.module.css'
import { SavedViews } from './saved-views'

interface Props {
  readonly slug: string
  readonly path: string
  readonly params: URLSearchParams
  readonly facets: RunFacets
  readonly columns: readonly RunColumn[]
  readonly grouping: Grouping
  /** It can be grouped by level. */
  readonly hasLevels: boolean
  readonly sort: RunSortKey
}

const groupWords: Readonly<Record<Grouping, string>> = {
  level: 'level',
  commit: 'commit',
  upload: 'upload',
  repeats: 'repeats',
  none: 'none',
}
/** The number of a project's runs, beside its name. */
export const RunCount = ({ count }: { readonly count: number }) => (
  <span className="muted text-13 nowrap wide-only">{plural(count, 'run')}</span>
)

/** Contents and form of the list: search and filters, groups, columns, and less frequent actions. */
export function RunsToolbar({ slug, path, params, facets, columns, grouping, hasLevels, sort }: Props) {
  const query = params.toString()
  const csv = new URLSearchParams(params)
  for (const name of ['cursor', 'limit']) csv.delete(name)
  csv.set('columns', columns.map(({ metric }) => metric.id).join(','))
  return (
    <div className={`flex wrap gap-8 screen-only ${styles.toolbar}`}>
      <RunFilters path={path} query={query} facets={facets} ranges={rangeFigures} />
      <div className={`flex gap-6 ${styles.tools}`}>
        <Menu label={`Group: ${groupWords[grouping]}`} icon="updown" isNamed>
          {groupings
            .filter((one) => one !== 'level' || hasLevels)
            .map((one) => (
              <Link
                key={one}
                href={listHref(path, params, {
                  group: one,
                  ...(sort === 'time' ? {} : { sort: null, direction: null }),
                })}
                aria-current={one === grouping ? 'true' : undefined}
              >
                {one === 'repeats' ? 'repeats of one experiment, as one line' : groupWords[one]}
              </Link>
            ))}
        </Menu>
        <ColumnChooser
          slug={slug}
          path={path}
          query={query}
          groups={columnChoices(columns)}
          isChosen={params.has('columns')}
        />
        <Menu label="More of this list">
          <a
            href={`/api/v1/projects/${slug}/runs.csv?${csv.toString()}`}
            download=""
            data-command="Download this list as CSV"
          >
            Download CSV, up to {formatCount(maxListedRuns)} runs
          </a>
          <hr />
          <SavedViews slug={slug} path={path} query={query} />
        </Menu>
      </div>
    </div>
  )
}
