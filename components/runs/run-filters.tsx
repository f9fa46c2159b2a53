'use client'

import { useRouter } from 'next/navigation'
import { useRef, type FocusEvent } from 'react'
import type { RunFacets } from '@/lib/run/stored'
import { judgedStates, stateWords } from '@/lib/run/judged-states'
import { Icon } from '../ui/icon'
import { Link } from '../ui/link'
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
 * The filters of the list: a search, a chip for each condition, and behind “Filter” all the others. A plain GET form;
 * with scripts, a choice takes effect at once.
 */
export function RunFilters({ path, query, facets, carried = listParameters, ranges }: RunFiltersProps) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const params = new URLSearchParams(query)
  const labels = params.getAll('label').filter(Boolean)
  const chips = chipsOf(path, params, ranges ?? [])
  const knownLabels = Object.entries(facets.labels).flatMap(([key, values]) => values.map((value) => `${key}=${value}`))

  const apply = (target: HTMLFormElement) => {
    const entries = [...new FormData(target)].map(([key, value]): [string, string] => [key, String(value)])
    router.push(listHref(path, new URLSearchParams(entries)))
  }
  const applyNow = () => form.current && apply(form.current)
  const applyChanged = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    if (currentTarget.value !== currentTarget.defaultValue) applyNow()
  }
  const select = (name: 'tool' | 'scenario' | 'variant' | 'environment', label: string, values: readonly string[]) => {
    const chosen = params.get(name) ?? ''
    const options = chosen !== '' && !values.includes(chosen) ? [chosen, ...values] : values
    return options.length === 0 ? null : (
      <Choice
        name={name}
        label={label}
        chosen={chosen}
        options={options.map((one) => [one, one])}
        onChoice={applyNow}
      />
    )
  }

  return (
    <form
      ref={form}
      key={query}
      action={path}
      className={styles.form}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        apply(event.currentTarget)
      }}
    >
      <span className={styles.text}>
        <Icon name="search" />
        <input
          type="search"
          name="text"
          className="input"
          placeholder="Scenario, commit, label, file …"
          aria-label="Search names, labels, command and file name"
          aria-keyshortcuts="/"
          maxLength={200}
          defaultValue={params.get('text') ?? ''}
        />
        <kbd aria-hidden="true">/</kbd>
      </span>
      {chips.map(({ name, value, href }) => (
        <span key={`${name} ${value}`} className={styles.chip}>
          {name === '' ? null : <span className="muted">{name}</span>} <strong>{value}</strong>
          <Link href={href} aria-label={`Remove the filter ${`${name} ${value}`.trim()}`}>
            <Icon name="close" />
          </Link>
        </span>
      ))}
      {labels.map((label) => (
        <input key={label} type="hidden" name="label" value={label} />
      ))}
      <details className={styles.more} data-menu="">
        <summary className="button">
          <Icon name="plus" /> Filter
        </summary>
        <div className={styles.panel}>
          {select('tool', 'Tool', facets.tools)}
          {ranges === undefined ? null : (
            <Choice
              name="state"
              label="State"
              chosen={params.get('state') ?? ''}
              options={judgedStates.map((state) => [state, stateWords[state]])}
              onChoice={applyNow}
            />
          )}
          {select('scenario', 'Scenario', facets.scenarios)}
          {select('variant', 'Variant', facets.variants)}
          {select('environment', 'Environment', facets.environments)}
          {knownLabels.length > 0 ? (
            <label className={styles.field}>
              Label
              <input
                name="label"
                className="input"
                list="known-labels"
                placeholder="key=value"
                aria-label="Label, key=value"
                maxLength={301}
                onBlur={applyChanged}
              />
              <datalist id="known-labels">
                {knownLabels.map((label) => (
                  <option key={label} value={label} />
                ))}
              </datalist>
            </label>
          ) : null}
          {ranges === undefined ? null : <RangeFilter params={params} figures={ranges} />}
          <div className={styles.end}>
            <button type="submit" className="button">
              Filter
            </button>
            {chips.length > 0 ? (
              <Link href={carried === listParameters ? path : listHref(path, params, noFilters)}>Clear</Link>
            ) : null}
          </div>
        </div>
      </details>
      {carried.flatMap((name) =>
        params.getAll(name).map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
      )}
    </form>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  /** Empty: any. */
  readonly chosen: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoice: () => void
}

function Choice({ name, label, chosen, options, onChoice }: ChoiceProps) {
  return (
    <label className={styles.field}>
      {label}
      <select name={name} className="select" aria-label={name} defaultValue={chosen} onChange={onChoice}>
        <option value="">Any</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
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

/** Days and a range of one figure. */
function RangeFilter({ params, figures }: { params: URLSearchParams; figures: readonly RangeFigure[] }) {
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
      <label className={styles.field}>
        Figure
        <select className="select" name="figure" defaultValue={params.get('figure') ?? ''}>
          <option value="">Any</option>
          {figures.map(({ sortKey, name }) => (
            <option key={sortKey} value={sortKey}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <span className={styles.pair}>
        {field('min', 'Min', 'number')}
        {field('max', 'Max', 'number')}
      </span>
      <p className={`muted ${styles.end}`}>
        A range needs another filter, a date range, or sorting by the same figure.
      </p>
    </>
  )
}
