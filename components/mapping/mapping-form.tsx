'use client'

import { useReducer } from 'react'
import type { LatencyUnit, MappingProposal, TimeFormat } from '@/lib/run/column-mapping'
import { mappedFields, type MappedField } from '@/lib/run/mapped-fields'
import { plural } from '@/lib/format'
import { Choice, type ChoiceOption } from '../forms/choice'
import { useForm } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import {
  editMapping,
  mappingForm,
  mappingName,
  mappingOf,
  type MappingDraft,
  type MappingEdit,
  type MappingForm,
  type MappingStart,
} from './mapping-edits'
import styles from './mapping-form.module.css'

const fieldWords = {
  latency: 'Latency',
  time: 'Time',
  status: 'Status code',
  error: 'Error',
  bytes: 'Bytes received',
  label: 'Label',
} as const satisfies Readonly<Record<MappedField, string>>

const units: readonly ChoiceOption<LatencyUnit>[] = [
  { value: 's', name: 'seconds' },
  { value: 'ms', name: 'milliseconds' },
  { value: 'us', name: 'microseconds' },
  { value: 'ns', name: 'nanoseconds' },
]
const formats: readonly ChoiceOption<TimeFormat>[] = [
  { value: 'iso', name: 'ISO 8601' },
  ...units.map(({ value, name }) => ({ value, name: `${name} since 1970` })),
]
const ends: readonly ChoiceOption<'start' | 'end'>[] = [
  { value: 'start', name: 'start' },
  { value: 'end', name: 'end' },
]
const contents: readonly ChoiceOption<MappedField | ''>[] = [
  { value: '', name: 'not read' },
  ...mappedFields.map((field) => ({ value: field, name: fieldWords[field] })),
]

interface Props extends MappingStart {
  readonly projectSlug: string
  readonly uploadId: string
  /** Name of the mapping that the draft was read by; null: none. */
  readonly current: string | null
}

/** Takes the content of each column of a table of samples, keeps it under a name, and reads the draft again by it. */
export function ColumnMappingForm({ projectSlug, uploadId, current, ...start }: Props) {
  const { proposal, kept, fileName } = start
  const [{ form, name }, edit] = useReducer(
    (draft: MappingDraft, done: MappingEdit) => editMapping(start, draft, done),
    { form: mappingForm(proposal.mapping, proposal.columns), name: current ?? mappingName(fileName) },
  )
  const { isBusy, problem, onSubmit } = useForm(async () => {
    const mapping = mappingOf(form, proposal)
    if (typeof mapping === 'string') throw new Error(mapping)
    const api = `/api/v1/projects/${projectSlug}`
    await callApi('PUT', `${api}/mappings/${encodeURIComponent(name)}`, mapping)
    await callApi('POST', `${api}/uploads/${uploadId}/map`, { mapping: name })
  })
  return (
    <form className={`grid one-column ${styles.form}`} aria-label="Map columns" onSubmit={onSubmit}>
      {kept.length > 0 && (
        <label className={styles.line}>
          Begin with
          <Choice
            label="Begin with"
            options={[
              { value: '', name: 'what the columns suggest' },
              ...kept.map((one) => ({ value: one.name, name: one.name })),
            ]}
            initial={current ?? ''}
            onChange={(from) => edit({ kind: 'begin', from })}
          />
        </label>
      )}
      <Columns proposal={proposal} form={form} onChange={(at, field) => edit({ kind: 'column', at, field })} />
      <Meaning form={form} onChange={(change) => edit({ kind: 'meaning', change })} />
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
            onChange={(event) => edit({ kind: 'name', name: event.target.value })}
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

interface MeaningProps {
  readonly form: MappingForm
  onChange(change: Partial<MappingForm>): void
}

/** How to read the contents of the columns that were chosen. */
function Meaning({ form, onChange }: MeaningProps) {
  const has = (field: MappedField) => form.fields.includes(field)
  return (
    <div className={`grid one-column ${styles.meaning}`}>
      {has('latency') && (
        <label className={styles.line}>
          Latency is in
          <Choice
            label="Latency is in"
            options={[{ value: '', name: 'choose a unit' }, ...units]}
            value={form.unit ?? ''}
            onChange={(unit) => onChange({ unit: unit === '' ? null : unit })}
          />
        </label>
      )}
      {has('time') && (
        <div className={styles.line}>
          <label className={styles.line}>
            Time is in
            <Choice
              label="Time is in"
              options={formats}
              value={form.timeFormat}
              onChange={(timeFormat) => onChange({ timeFormat })}
            />
          </label>
          <label className={styles.line}>
            of the request’s
            <Choice
              label="of the request’s"
              options={ends}
              value={form.timeAt}
              onChange={(timeAt) => onChange({ timeAt })}
            />
          </label>
        </div>
      )}
      {has('status') && (
        <div className={styles.line}>
          Successful statuses from
          <StatusField label="First" value={form.goodFrom} onChange={(goodFrom) => onChange({ goodFrom })} />
          to
          <StatusField label="Last" value={form.goodTo} onChange={(goodTo) => onChange({ goodTo })} />
        </div>
      )}
      {has('error') && <p className="muted">A request with a text in the column of errors failed.</p>}
      {!has('status') && !has('error') && (
        <p className="muted">Without a status or an error nothing says which requests failed.</p>
      )}
    </div>
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
                <Choice
                  label={`Column ${name} holds`}
                  options={contents}
                  value={form.fields[at] ?? ''}
                  onChange={(field) => onChange(at, field === '' ? null : field)}
                />
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
