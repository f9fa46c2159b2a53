import type { ReactNode } from 'react'
import { metrics as allMetrics, type Metric } from '@/lib/run/metrics'
import type { Matrix } from '@/lib/matrix/matrix'
import { fieldWords, labelKey, type MatrixField } from '@/lib/matrix/matrix-field'
import { axisName, type SweepAxis } from '@/lib/matrix/sweep-axis'
import type { RunFacets } from '@/lib/history/run-list'
import type { RunRow } from '@/lib/history/stored-runs'
import { RunFilters } from '../runs/run-filters'
import { Icon } from '../ui/icon'
import { Link } from '../ui/links/link'
import { Menu } from '../ui/menu'
import styles from './matrix-bar.module.css'
import { layoutNames, searchOf, type MatrixQuery } from './matrix-url'

/** The runs of a matrix as the address gives them, and the path of the page. */
export interface BarProps {
  /** The page that shows this: its address without the query. */
  readonly path: string
  readonly query: MatrixQuery
  readonly metrics: readonly Metric[]
  readonly runs: readonly RunRow[]
  /** Null: there are no others to choose from. */
  readonly others: OtherRuns | null
}

/** What leads to other runs. */
export interface OtherRuns {
  readonly facets: RunFacets
  /** Which runs these are and when they were run. */
  readonly chosen: ChosenRuns
}

/** Which runs a matrix has: its first statement. */
export interface ChosenRuns {
  /** `a.md, 19 Feb 2020, 4 runs`. */
  readonly words: string
  readonly choices: readonly { readonly words: string; readonly search: string; readonly isChosen: boolean }[]
}

/** Rows, columns, figures and base of a matrix as chips: each opens its choices, which are links. */
export function MatrixBar({
  matrix,
  fields,
  ...bar
}: BarProps & { readonly matrix: Matrix; readonly fields: readonly MatrixField[] }) {
  const { rowsBy, columnsBy, columns, baselineColumn } = matrix
  const { query, path } = bar
  const choices = (name: 'rows' | 'columns', value: MatrixField) =>
    [...new Set([...fields, value])].map((field) => ({
      words: shortWords(field),
      href: `${path}?${searchOf(query, { [name]: field, base: null })}`,
      isChosen: field === value,
    }))
  return (
    <Bar {...bar}>
      <Choice label="Rows" value={shortWords(rowsBy)} choices={choices('rows', rowsBy)} />
      <Choice label="Columns" value={shortWords(columnsBy)} choices={choices('columns', columnsBy)} />
      <Figures {...bar} />
      <Choice
        label="Base"
        value={baselineColumn}
        choices={columns.map((column) => ({
          words: column,
          href: `${path}?${searchOf(query, { base: column })}`,
          isChosen: column === baselineColumn,
        }))}
      />
    </Bar>
  )
}

/** `scenario`, `payload`. */
const shortWords = (field: MatrixField): string => labelKey(field) ?? fieldWords(field).replace(/s$/, '')

const scales = [
  [null, 'automatic'],
  ['linear', 'linear'],
  ['log', 'logarithmic'],
] as const

/** The swept number, scales and figures of a sweep as chips. */
export function SweepBar({
  axes,
  axis,
  ...bar
}: BarProps & { readonly axes: readonly SweepAxis[]; readonly axis: SweepAxis }) {
  const { query, path } = bar
  const scaleChoices = (name: 'x' | 'y') =>
    scales.map(([value, words]) => ({
      words,
      href: `${path}?${searchOf(query, { [name]: value })}`,
      isChosen: query.scales[name] === value,
    }))
  const scaleWords = (name: 'x' | 'y') => scales.find(([value]) => value === query.scales[name])?.[1] ?? ''
  return (
    <Bar {...bar}>
      <Choice
        label="Over"
        value={axisName(axis)}
        choices={axes.map((one) => ({
          words: axisName(one),
          href: `${path}?${searchOf(query, { axis: one.field })}`,
          isChosen: one.field === axis.field,
        }))}
      />
      <Figures {...bar} />
      <Choice label="X axis" value={scaleWords('x')} choices={scaleChoices('x')} />
      <Choice label="Y axis" value={scaleWords('y')} choices={scaleChoices('y')} />
    </Bar>
  )
}

/** The runs and the filters alone: nothing varies that could be laid out. */
export const RunsBar = (bar: BarProps) => <Bar {...bar} />

/** The runs of a matrix or a sweep, its layout, and the filters. */
function Bar({ path, query, others, children }: BarProps & { readonly children?: ReactNode }) {
  return (
    <div className={`row wrap gap-6 relative ${styles.bar}`}>
      {others !== null && (
        <Choice
          label="Runs"
          value={others.chosen.words}
          choices={others.chosen.choices.map(({ words, search, isChosen }) => ({
            ...{ words, isChosen },
            href: `${path}?${search}`,
          }))}
        />
      )}
      {children}
      {others !== null && <Filters path={path} query={query} facets={others.facets} />}
    </div>
  )
}

/** The filters that are set, and the form that sets them. */
function Filters({ path, query, facets }: Pick<BarProps, 'path' | 'query'> & Pick<OtherRuns, 'facets'>) {
  // The first chip names the upload, the chosen runs or the commit, and leads to all others.
  const narrowed = query.filterParts.filter(
    ([name, value]) => name !== 'upload' && name !== 'runs' && !(name === 'label' && value.startsWith('commit=')),
  )
  const without = (at: (typeof narrowed)[number]) => {
    const filterParts = query.filterParts.filter((part) => part !== at)
    return searchOf({ ...query, filterParts }, filterParts.length === 0 ? { of: 'all' } : {})
  }
  return (
    <>
      {narrowed.map((part) => (
        <span key={part.join(' ')} className={`inline-row gap-6 break ${styles.narrowed}`}>
          {part[0]} <b>{part[1]}</b>
          <Link href={`${path}?${without(part)}`} aria-label={`Remove the filter ${part.join(' ')}`}>
            <Icon name="close" />
          </Link>
        </span>
      ))}
      <details className={`bare-summary ${styles.filter}`}>
        <summary>
          <Icon name="plus" /> Filter
        </summary>
        <div>
          <RunFilters path={path} query={searchOf(query)} facets={facets} carried={carriedByFilters} />
        </div>
      </details>
    </>
  )
}

const carriedByFilters = ['upload', 'runs', ...layoutNames]

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly { readonly words: string; readonly href: string; readonly isChosen: boolean }[]
}

/** One part of the address: a chip that opens its choices. */
function Choice({ label, value, choices }: ChoiceProps) {
  return (
    <Menu label={label} value={value} at="start" className={`slim ${styles.choice}`}>
      {choices.map(({ words, href, isChosen }) => (
        <Link key={href} href={href} scroll={false} aria-current={isChosen ? 'true' : undefined}>
          {words}
        </Link>
      ))}
    </Menu>
  )
}

/** The leading figure, and those beside it. */
function Figures({ path, query, metrics, runs }: BarProps) {
  const [lead, ...more] = metrics
  const known = allMetrics.filter(
    (metric) => metrics.includes(metric) || runs.some((run) => metric.read(run.figures) !== null),
  )
  const hrefOf = (chosen: readonly Metric[]) =>
    `${path}?${searchOf(query, { metric: chosen.map(({ id }) => id).join(',') || null })}`
  const leadFirst = (metric: Metric) =>
    lead === undefined ? [metric] : [metric, ...more.filter((one) => one !== metric)]
  return (
    <>
      <Choice
        label="Figure"
        value={lead?.shortLabel ?? ''}
        choices={known.map((metric) => ({
          words: metric.label,
          href: hrefOf(leadFirst(metric)),
          isChosen: metric === lead,
        }))}
      />
      <Choice
        label="Also"
        value={more.map(({ shortLabel }) => shortLabel).join(', ') || 'none'}
        choices={known
          .filter((metric) => metric !== lead)
          .map((metric) => ({
            words: metric.label,
            href: hrefOf(more.includes(metric) ? metrics.filter((one) => one !== metric) : [...metrics, metric]),
            isChosen: more.includes(metric),
          }))}
      />
    </>
  )
}
