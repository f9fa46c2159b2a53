'use client'

import { useState } from 'react'
import type { LatencyUnit, MappingProposal, NamedMapping, TimeFormat } from '@/lib/run/column-mapping'
import { mappedFields, type MappedField } from '@/lib/run/mapped-fields'
import { plural } from '@/lib/format'
import { useForm } from '../ui/action'
import { callApi } from '../ui/call-api'
import { mappingForm, mappingName, mappingOf, withField, type MappingForm } from './mapping-edits'
import styles from './mapping-form.module.css'

const fieldWords = {
  latency: 'Latency',
  time: 'Time',
  status: 'Status code',
  error: 'Error',
  bytes: 'Bytes received',
  label: 'Label',
} as const satisfies Readonly<Record<MappedField, string>>

const units: readonly (readonly [LatencyUnit, string])[] = [
  ['s', 'seconds'],
  ['ms', 'milliseconds'],
  ['us', 'microseconds'],
  ['ns', 'nanoseconds'],
]
const formats: readonly (readonly [TimeFormat, string])[] = [
  ['iso', 'ISO 8601'],
  ...units.map(([unit, words]) => [unit, `${words} since 1970`] as const),
]

interface Props {
  readonly projectSlug: string
  readonly uploadId: string
  readonly fileName: string
  readonly proposal: MappingProposal
  /** The project's mappings. */
  readonly kept: readonly NamedMapping[]
  /** Name of the mapping that the draft was read by; null: none. */
  readonly current: string | null
}

/** Takes the content of each column of a table of samples, keeps it under a name, and reads the draft again by it. */
export function ColumnMappingForm({ projectSlug, uploadId, fileName, proposal, kept, current }: Props) {
  const [form, setForm] = useState(() => mappingForm(proposal.mapping, proposal.columns))
  const [name, setName] = useState(current ?? mappingName(fileName))
  const { isBusy, problem, onSubmit } = useForm(async () => {
    const mapping = mappingOf(form, proposal)
    if (typeof mapping === 'string') throw new Error(mapping)
    const api = `/api/v1/projects/${projectSlug}`
    await callApi('PUT', `${api}/mappings/${encodeURIComponent(name)}`, mapping)
    await callApi('POST', `${api}/uploads/${uploadId}/map`, { mapping: name })
  })
  const change = (part: Partial<MappingForm>) => setForm((before) => ({ ...before, ...part }))
  const begin = (chosen: string) => {
    const found = kept.find((one) => one.name === chosen)
    setForm(mappingForm(found?.mapping ?? proposal.mapping, proposal.columns))
    setName(found?.name ?? mappingName(fileName))
  }
  const has = (field: MappedField) => form.fields.includes(field)
  return (
    <form className={styles.form} aria-label="Map columns" onSubmit={onSubmit}>
      {kept.length > 0 && (
        <label className={styles.line}>
          Begin with
          <select className="select" defaultValue={current ?? ''} onChange={(event) => begin(event.target.value)}>
            <option value="">what the columns suggest</option>
            {kept.map((one) => (
              <option key={one.name}>{one.name}</option>
            ))}
          </select>
        </label>
      )}
      <Columns proposal={proposal} form={form} onChange={(at, field) => setForm(withField(form, at, field))} />
      <div className={styles.meaning}>
        {has('latency') && (
          <label className={styles.line}>
            Latency is in
            <select
              className="select"
              value={form.unit ?? ''}
              onChange={(event) => change({ unit: units.find(([unit]) => unit === event.target.value)?.[0] ?? null })}
            >
              <option value="">choose a unit</option>
              <Options of={units} />
            </select>
          </label>
        )}
        {has('time') && (
          <div className={styles.line}>
            <label className={styles.line}>
              Time is in
              <select
                className="select"
                value={form.timeFormat}
                onChange={(event) =>
                  change({ timeFormat: formats.find(([format]) => format === event.target.value)?.[0] ?? 'ms' })
                }
              >
                <Options of={formats} />
              </select>
            </label>
            <label className={styles.line}>
              of the request’s
              <select
                className="select"
                value={form.timeAt}
                onChange={(event) => change({ timeAt: event.target.value === 'end' ? 'end' : 'start' })}
              >
                <option value="start">start</option>
                <option value="end">end</option>
              </select>
            </label>
          </div>
        )}
        {has('status') && (
          <div className={styles.line}>
            Successful statuses from
            <StatusField label="First" value={form.goodFrom} onChange={(goodFrom) => change({ goodFrom })} />
            to
            <StatusField label="Last" value={form.goodTo} onChange={(goodTo) => change({ goodTo })} />
          </div>
        )}
        {has('error') && <p className="muted">A request with a text in the column of errors failed.</p>}
        {!has('status') && !has('error') && (
          <p className="muted">Without a status or an error nothing says which requests failed.</p>
        )}
      </div>
      <div className={styles.line}>
        <label className={styles.line}>
          Name of this mapping
          <input
            className="input"
            value={name}
            required
            maxLength={64}
            pattern="[a-z0-9][a-z0-9._\-]*"
            title="a-z, 0-9, dot, _ and -"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          {isBusy ? 'Reading …' : 'Read by this mapping'}
        </button>
      </div>
      {kept.some((one) => one.name === name && name !== current) && (
        <p className="muted">Replaces the mapping of this name. Earlier uploads keep what they were read by.</p>
      )}
      {problem !== null && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

interface ColumnsProps {
  readonly proposal: MappingProposal
  readonly form: MappingForm
  onChange(at: number, field: MappedField | null): void
}

/** The first rows, unchanged, under the content of each column. */
function Columns({ proposal: { columns, rows, heading }, form, onChange }: ColumnsProps) {
  const words = `First rows of ${plural(columns.length, 'column')}`
  return (
    <div className={`table-scroll ${styles.columns}`} tabIndex={0} role="region" aria-label={words}>
      <table className="table">
        <caption className="visually-hidden">{words}</caption>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th key={at} scope="col" data-read={form.fields[at] !== null}>
                <span className="mono">{heading ? name : `Column ${name}`}</span>
                <select
                  className="select"
                  aria-label={`Column ${name} holds`}
                  value={form.fields[at] ?? ''}
                  onChange={(event) => onChange(at, mappedFields.find((field) => field === event.target.value) ?? null)}
                >
                  <option value="">not read</option>
                  <Options of={mappedFields.map((field) => [field, fieldWords[field]] as const)} />
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {columns.map((_, at) => (
                <td key={at} className="mono" data-read={form.fields[at] !== null}>
                  {row[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Options({ of }: { readonly of: readonly (readonly [value: string, words: string])[] }) {
  return of.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ))
}

interface StatusFieldProps {
  readonly label: string
  readonly value: string
  onChange(value: string): void
}

function StatusField({ label, value, onChange }: StatusFieldProps) {
  return (
    <input
      className={`input ${styles.status}`}
      aria-label={`${label} successful status`}
      inputMode="numeric"
      pattern="\d{1,5}"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
