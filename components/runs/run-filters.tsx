'use client'

import { Link } from '../ui/link'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import type { RunFacets } from '@/lib/run/stored'
import { judgedStates, stateWords } from '@/lib/run/judged-states'
import { filterNames, hrefWithoutLabel, listHref } from './list-url'
import type { RangeFigure } from './run-columns'
import styles from './run-filters.module.css'

interface RunFiltersProps {
  readonly path: string
  /** The present query string. */
  readonly query: string
  readonly facets: RunFacets
  /** Names of other parameters that stay, and that narrow nothing. */
  readonly carried?: readonly string[]
  /** Figures to narrow to a range of; absent: the list takes no dates and figures. */
  readonly ranges?: readonly RangeFigure[]
}

const listParameters = ['sort', 'direction', 'upload', 'group']

const noFilters = Object.fromEntries(filterNames.map((name) => [name, null]))

/** What the list is narrowed to. A plain GET form; with script, a choice takes effect at once. */
export function RunFilters({ path, query, facets, carried = listParameters, ranges }: RunFiltersProps) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const params = new URLSearchParams(query)
  const labels = params.getAll('label').filter(Boolean)
  const cleared = carried === listParameters ? path : listHref(path, params, noFilters)
  const narrowed = filterNames.some((name) => (params.get(name) ?? '') !== '')
  const knownLabels = Object.entries(facets.labels).flatMap(([key, values]) => values.map((value) => `${key}=${value}`))

  const apply = (target: HTMLFormElement) => {
    const entries = [...new FormData(target)].map(([key, value]): [string, string] => [key, String(value)])
    router.push(listHref(path, new URLSearchParams(entries)))
  }
  const select = (name: 'tool' | 'scenario' | 'variant' | 'environment', any: string, values: readonly string[]) => {
    const chosen = params.get(name) ?? ''
    const options = chosen !== '' && !values.includes(chosen) ? [chosen, ...values] : values
    if (options.length === 0) return null
    return (
      <select
        name={name}
        className="select"
        aria-label={name}
        defaultValue={chosen}
        onChange={() => form.current && apply(form.current)}
      >
        <option value="">{any}</option>
        {options.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
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
      <input
        type="search"
        name="text"
        className={`input ${styles.text}`}
        placeholder="Names, labels, command, file   /"
        aria-label="Search names, labels, command and file name"
        aria-keyshortcuts="/"
        maxLength={200}
        defaultValue={params.get('text') ?? ''}
      />
      {select('tool', 'All tools', facets.tools)}
      {ranges === undefined ? null : (
        <select
          name="state"
          className="select"
          aria-label="state"
          defaultValue={params.get('state') ?? ''}
          onChange={() => form.current && apply(form.current)}
        >
          <option value="">All states</option>
          {judgedStates.map((state) => (
            <option key={state} value={state}>
              {stateWords[state]}
            </option>
          ))}
        </select>
      )}
      {select('scenario', 'All scenarios', facets.scenarios)}
      {select('variant', 'All variants', facets.variants)}
      {select('environment', 'All environments', facets.environments)}
      {labels.map((label) => (
        <span key={label} className="chip">
          {label} <input type="hidden" name="label" value={label} />
          <Link href={hrefWithoutLabel(path, params, label)} aria-label={`Remove the filter ${label}`}>
            ×
          </Link>
        </span>
      ))}
      {knownLabels.length > 0 ? (
        <>
          <input
            name="label"
            className={`input ${styles.label}`}
            list="known-labels"
            placeholder="key=value"
            aria-label="Label, key=value"
            maxLength={301}
          />
          <datalist id="known-labels">
            {knownLabels.map((label) => (
              <option key={label} value={label} />
            ))}
          </datalist>
        </>
      ) : null}
      {ranges === undefined ? null : <RangeFilter params={params} figures={ranges} />}
      {carried.flatMap((name) =>
        params.getAll(name).map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
      )}
      <button type="submit" className="button">
        Filter
      </button>
      {narrowed ? <Link href={cleared}>Clear</Link> : null}
    </form>
  )
}

/** Days and a range of one figure, folded away until they are used. */
function RangeFilter({ params, figures }: { params: URLSearchParams; figures: readonly RangeFigure[] }) {
  const isUsed = ['from', 'to', 'figure', 'min', 'max'].some((name) => (params.get(name) ?? '') !== '')
  const field = (name: string, label: string, type: 'date' | 'number') => (
    <label className={styles.range}>
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
    <details className={styles.more} open={isUsed}>
      <summary>Dates and figures</summary>
      <div className={styles.ranges}>
        {field('from', 'From', 'date')}
        {field('to', 'To', 'date')}
        <label className={styles.range}>
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
        {field('min', 'Min', 'number')}
        {field('max', 'Max', 'number')}
      </div>
      <p className="muted">A range needs another filter, a date range, or sorting by the same figure.</p>
    </details>
  )
}
