import type { ReactNode } from 'react'
import type { RunFacets } from '@/lib/history/run-list'
import { judgedStates, stateWords } from '@/lib/run/judged-states'
import { Choice, type ChoiceOption } from '../forms/choice'
import { Icon } from '../ui/icon'
import { Link } from '../ui/links/link'
import { FilterForm } from './filter-form'
import { filterNames, hrefWithoutLabel, listHref } from './list-url'
import type { RangeFigure } from './run-columns'
import styles from './run-filters.module.css'

interface RunFiltersProps {
  readonly path: string
  /** The current query string. */
  readonly query: string
  readonly facets: RunFacets
  /** Names of other parameters that stay and are not filters. */
  readonly carried?: readonly string[]
  /** Figures to filter by range; absent: the list cannot be filtered by dates and figures. */
  readonly ranges?: readonly RangeFigure[]
}

const listParameters = ['sort', 'direction', 'upload', 'group', 'columns']

const noFilters = Object.fromEntries(filterNames.map((name) => [name, null]))

/**
 * The filters of the list: a search, a chip for each condition, and behind “Filter” all the others.
 */
export function RunFilters({ path, query, facets, carried = listParameters, ranges }: RunFiltersProps) {
  const params = new URLSearchParams(query)
  const chips = chipsOf(path, params, ranges ?? [])
  return (
    <FilterForm key={query} path={path} className={`row wrap gap-6 screen-only ${styles.form}`}>
      <TextSearch text={params.get('text') ?? ''} />
      <Chips chips={chips} />
      <Carried params={params} names={['label']} />
      <details className={`bare-summary relative ${styles.more}`} data-menu="">
        <summary className="button">
          <Icon name="plus" /> Filter
        </summary>
        <div className={`floating grid ${styles.panel}`}>
          <Conditions params={params} facets={facets} ranges={ranges} />
          <div className={`row gap-12 text-12 flush ${styles.end}`}>
            <button type="submit" className="button">
              Filter
            </button>
            {chips.length > 0 ? (
              <Link href={carried === listParameters ? path : listHref(path, params, noFilters)}>Clear</Link>
            ) : null}
          </div>
        </div>
      </details>
      <Carried params={params} names={carried} />
    </FilterForm>
  )
}

function TextSearch({ text }: { readonly text: string }) {
  return (
    <span className={`relative ${styles.text}`}>
      <Icon name="search" />
      <input
        type="search"
        name="text"
        className="input"
        placeholder="Scenario, commit, label, file …"
        aria-label="Search names, labels, command and file name"
        aria-keyshortcuts="/"
        maxLength={200}
        defaultValue={text}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  )
}

/** The conditions in the address, each with a link that removes it. */
function Chips({ chips }: { readonly chips: readonly FilterChip[] }) {
  return chips.map(({ name, value, href }) => (
    <span key={`${name} ${value}`} className={`inline-row text-13 break ${styles.chip}`}>
      {name === '' ? null : <span className="muted">{name}</span>} <strong className="bold">{value}</strong>
      <Link href={href} aria-label={`Remove the filter ${`${name} ${value}`.trim()}`}>
        <Icon name="close" />
      </Link>
    </span>
  ))
}

interface CarriedProps {
  readonly params: URLSearchParams
  readonly names: readonly string[]
}

/** Parameters of the address that stay. */
function Carried({ params, names }: CarriedProps) {
  return names.flatMap((name) =>
    params
      .getAll(name)
      .filter(Boolean)
      .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  )
}

interface ConditionsProps extends Pick<RunFiltersProps, 'facets'> {
  readonly ranges: RunFiltersProps['ranges'] | undefined
  readonly params: URLSearchParams
}

/** A field for each condition that runs can be found by. */
function Conditions({ params, facets, ranges }: ConditionsProps) {
  const choice = (name: string, label: string, options: readonly ChoiceOption[]) => {
    const value = params.get(name) ?? ''
    const isKnown = value === '' || options.some((one) => one.value === value)
    const own = isKnown ? [] : [{ value, name: value }]
    if (options.length + own.length === 0) return null
    return (
      <label className={styles.field}>
        {label}
        <Choice
          isPlain
          label={label}
          name={name}
          options={[{ value: '', name: 'Any' }, ...own, ...options]}
          initial={value}
        />
      </label>
    )
  }
  const named = (values: readonly string[]) => values.map((value) => ({ value, name: value }))
  return (
    <>
      {choice('tool', 'Tool', named(facets.tools))}
      {ranges &&
        choice(
          'state',
          'State',
          judgedStates.map((state) => ({ value: state, name: stateWords[state] })),
        )}
      {choice('scenario', 'Scenario', named(facets.scenarios))}
      {choice('variant', 'Variant', named(facets.variants))}
      {choice('environment', 'Environment', named(facets.environments))}
      <LabelField labels={facets.labels} />
      {ranges && (
        <RangeFilter
          params={params}
          choice={choice(
            'figure',
            'Figure',
            ranges.map(({ sortKey, name }) => ({ value: sortKey, name })),
          )}
        />
      )}
    </>
  )
}

/** A label that runs must have; nothing if no label is known. */
function LabelField({ labels }: Pick<RunFacets, 'labels'>) {
  const known = Object.entries(labels).flatMap(([key, values]) => values.map((value) => `${key}=${value}`))
  if (known.length === 0) return null
  return (
    <label className={styles.field}>
      Label
      <input
        name="label"
        className="input"
        list="known-labels"
        placeholder="key=value"
        aria-label="Label, key=value"
        maxLength={301}
      />
      <datalist id="known-labels">
        {known.map((label) => (
          <option key={label} value={label} />
        ))}
      </datalist>
    </label>
  )
}

interface FilterChip {
  readonly name: string
  readonly value: string
  /** The list without this condition. */
  readonly href: string
}

const chipNames = [
  ['text', ''],
  ['tool', 'Tool'],
  ['state', 'State'],
  ['scenario', 'Scenario'],
  ['variant', 'Variant'],
  ['environment', 'Environment'],
  ['from', 'From'],
  ['to', 'To'],
] as const

/** The filters in the address. */
function chipsOf(path: string, params: URLSearchParams, ranges: readonly RangeFigure[]): readonly FilterChip[] {
  const of = (name: string) => params.get(name) ?? ''
  const own = chipNames.flatMap(([param, name]): readonly FilterChip[] => {
    const value = of(param)
    if (value === '') return []
    const words =
      param === 'state'
        ? (judgedStates.map((one) => [one, stateWords[one]]).find(([one]) => one === value)?.[1] ?? value)
        : value
    return [{ name, value: words, href: listHref(path, params, { [param]: null }) }]
  })
  const labels = params.getAll('label').filter(Boolean)
  const [figure, min, max] = [ranges.find(({ sortKey }) => sortKey === of('figure')), of('min'), of('max')]
  const range = [min === '' ? '' : `≥ ${min}`, max === '' ? '' : `≤ ${max}`].filter((one) => one !== '').join(' and ')
  return [
    ...own,
    ...labels.map((label) => ({ name: '', value: label, href: hrefWithoutLabel(path, params, label) })),
    ...(of('upload') === '' ? [] : [{ name: '', value: 'One upload', href: listHref(path, params, { upload: null }) }]),
    ...(figure === undefined || range === ''
      ? []
      : [{ name: figure.name, value: range, href: listHref(path, params, { figure: null, min: null, max: null }) }]),
  ]
}

/** Days and a range of one figure. `choice`: of the figure. */
function RangeFilter({ params, choice }: { readonly params: URLSearchParams; readonly choice: ReactNode }) {
  const field = (name: string, label: string, type: 'date' | 'number') => (
    <label className={styles.field}>
      {label}
      <input
        className="input"
        type={type}
        name={name}
        defaultValue={params.get(name) ?? ''}
        {...(type === 'number' ? { min: 0, step: 'any' } : {})}
      />
    </label>
  )
  return (
    <>
      {field('from', 'From', 'date')}
      {field('to', 'To', 'date')}
      {choice}
      <span className={`grid gap-8 ${styles.pair}`}>
        {field('min', 'Min', 'number')}
        {field('max', 'Max', 'number')}
      </span>
      <p className={`muted row gap-12 text-12 flush ${styles.end}`}>
        A range needs another filter, a date range, or sorting by the same figure.
      </p>
    </>
  )
}
