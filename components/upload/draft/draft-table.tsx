import { memo, useMemo, useState, type ReactNode } from 'react'
import { Combobox } from '../../forms/combobox'
import { Icon } from '../../ui/icon'
import { Cautions, cautionsOf, RunDetails } from './draft-run-card'
import { PlaceLink } from './place-link'
import type { PreviewColumn, PreviewRun } from './prepare-preview'
import { nameFields, sharedLabels, sourceOf, type NameField, type NameOptions, type RunForm } from './preview-edits'
import styles from './draft-table.module.css'

interface Props {
  readonly runs: readonly PreviewRun[]
  readonly forms: readonly RunForm[]
  readonly columns: readonly PreviewColumn[]
  readonly options: NameOptions
  /** Stable: unchanged rows are not drawn again. */
  onChange(index: number, change: Partial<RunForm>): void
  onInclude(include: boolean): void
  /** Runs of several files; absent: all are of one. */
  readonly files?: FileColumns
}

/** What a table of several files shows besides. */
export interface FileColumns {
  /** Its file, by the index of a run. */
  file(index: number): ReactNode
  /** When it began, and where that comes from. */
  date(index: number): ReactNode
  /** Where a name comes from; empty: from where all do. */
  source(index: number, field: NameField): string
  /** The row that sets all of them, its cells in the order of the columns. */
  readonly forAll: ReactNode
}

/** Of the labels that differ between runs, the one that gets a column, if all its values are short. */
function columnLabel(forms: readonly RunForm[]): string | null {
  const isShort = (key: string) =>
    forms.every(({ labels }) => (labels.find(([other]) => other === key)?.[1] ?? 'none').length <= maxLabelLength)
  const isFrequent = (key: string) =>
    forms.filter(({ labels }) => labels.some(([other]) => other === key)).length * 2 > forms.length
  return (
    sharedLabels(forms).differing.find((key) => key.length <= maxLabelLength && isShort(key) && isFrequent(key)) ?? null
  )
}
const maxLabelLength = 12

/** Many runs, a row each: names are corrected in place, everything else in a row below that opens. */
export function DraftTable({ runs, forms, columns, options, onChange, onInclude, files }: Props) {
  const labelKey = useMemo(() => columnLabel(forms), [forms])
  const shared = useMemo(() => sharedCautions(runs), [runs])
  const hasPlaces = files === undefined && runs.some(({ place, file }) => place !== null || file !== null)
  const layout = { columns, labelKey, hasPlaces, files }
  return (
    <>
      {shared.size > 0 && runs[0] && <Cautions run={runs[0]} only={shared} />}
      <table className={`table ${styles.table}`}>
        <caption className="visually-hidden">
          Runs found, in the order of the {files === undefined ? 'file' : 'files'}
        </caption>
        <DraftHead {...layout} forms={forms} onInclude={onInclude} />
        {files?.forAll}
        {runs.map((run, index) => {
          const form = forms[index]
          return form === undefined ? null : (
            <DraftRow
              key={run.index}
              {...layout}
              run={run}
              form={form}
              options={options}
              shared={shared}
              onChange={onChange}
            />
          )
        })}
      </table>
    </>
  )
}

/** The columns that the table has. */
interface Layout extends Pick<Props, 'columns'> {
  /** The label that has a column; null: none. */
  readonly labelKey: string | null
  readonly hasPlaces: boolean
  readonly files: FileColumns | undefined
}

function DraftHead({
  columns,
  labelKey,
  hasPlaces,
  files,
  forms,
  onInclude,
}: Layout & Pick<Props, 'forms' | 'onInclude'>) {
  const included = forms.filter(({ include }) => include).length
  return (
    <thead>
      <tr>
        <th scope="col">
          <input
            type="checkbox"
            aria-label="Save all runs"
            checked={included === forms.length}
            ref={(box) => {
              if (box) box.indeterminate = included > 0 && included < forms.length
            }}
            onChange={(event) => onInclude(event.target.checked)}
          />
        </th>
        {files && <th scope="col">File</th>}
        {nameFields.map(({ key, label }) => (
          <th key={key} scope="col">
            {label}
          </th>
        ))}
        {files && <th scope="col">Began, UTC</th>}
        {labelKey !== null && (
          <th scope="col" className={`num ${styles.label}`}>
            {labelKey}
          </th>
        )}
        {columns.map(({ id, label, unit, explain }) => (
          <th key={id} scope="col" className="num" title={explain}>
            {unit === '' || unit === '/s' ? label : `${label}, ${unit}`}
          </th>
        ))}
        {hasPlaces && (
          <th scope="col" className="num">
            Lines
          </th>
        )}
        <th scope="col">
          <span className="visually-hidden">Details</span>
        </th>
      </tr>
    </thead>
  )
}

interface RowProps extends Layout, Pick<Props, 'options' | 'onChange'> {
  readonly run: PreviewRun
  readonly form: RunForm
  /** Cautions that are shown once for all runs. */
  readonly shared: ReadonlySet<string>
}

const DraftRow = memo(function DraftRow(props: RowProps) {
  const { run, form, columns, options, labelKey, shared, hasPlaces, files, onChange } = props
  const [isOpen, setIsOpen] = useState(false)
  const number = run.index + 1
  const change = (part: Partial<RunForm>) => onChange(run.index, part)
  const width = (files ? 4 : 2) + nameFields.length + (labelKey === null ? 0 : 1) + columns.length + (hasPlaces ? 1 : 0)
  const hasCaution = cautionsOf(run).some(({ sentence }) => !shared.has(sentence))
  return (
    <tbody className={form.include ? undefined : styles.left}>
      <tr id={`run-${number}`} className={styles.row} data-more={hasCaution || isOpen ? '' : undefined}>
        <td className={styles.box}>
          <input
            type="checkbox"
            aria-label={`Save run ${number}`}
            checked={form.include}
            onChange={(event) => change({ include: event.target.checked })}
          />
        </td>
        {files && <td className={styles.file}>{files.file(run.index)}</td>}
        <NameCells run={run} form={form} options={options} onChange={change} source={files?.source} />
        {files && <td className={`nowrap ${styles.wide} ${styles.date}`}>{files.date(run.index)}</td>}
        {labelKey !== null && (
          <td className={`num ${styles.wide} ${styles.label}`}>
            {form.labels.find(([other]) => other === labelKey)?.[1] ?? '–'}
          </td>
        )}
        <FigureCells run={run} columns={columns} />
        {hasPlaces && <PlaceCell run={run} />}
        <td className={styles.more}>
          <button
            type="button"
            className={`grid muted ${styles.open}`}
            aria-expanded={isOpen}
            aria-label={`Details of run ${number}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name="next" />
          </button>
        </td>
        <RestCell run={run} columns={columns} />
      </tr>
      {hasCaution && (
        <tr className={styles.below} data-more={isOpen ? '' : undefined}>
          <td colSpan={width}>
            <Cautions run={run} shared={shared} />
          </td>
        </tr>
      )}
      {isOpen && (
        <tr className={styles.below}>
          <td colSpan={width}>
            <p className="muted text-13 below-8">{run.about}</p>
            <RunDetails run={run} form={form} onChange={change} />
          </td>
        </tr>
      )}
    </tbody>
  )
})

interface NameCellsProps extends Pick<RowProps, 'run' | 'form' | 'options'> {
  readonly source: FileColumns['source'] | undefined
  onChange(change: Partial<RunForm>): void
}

/** The names of a run, each a field to correct it in. */
function NameCells({ run, form, options, source, onChange }: NameCellsProps) {
  return nameFields.map(({ key, label }) => (
    <td key={key} className={styles[key]} data-empty={form[key] === '' ? '' : undefined}>
      <div className={`grid relative ${styles.name}`}>
        <span className={`break ${styles.shown}`} aria-hidden="true">
          {form[key] === '' ? <span className="muted">none</span> : form[key]}
        </span>
        <Combobox
          className={styles.edit ?? ''}
          aria-label={`${label} of run ${run.index + 1}`}
          noun={key}
          options={options[key]}
          value={form[key]}
          maxLength={200}
          required={key === 'scenario' && form.include}
          onChange={(value) => onChange({ [key]: value })}
        />
      </div>
      <span className={`block muted break ${styles.source}`}>
        {source?.(run.index, key) ?? sourceOf(run, form, key)}
      </span>
    </td>
  ))
}

function FigureCells({ run: { index }, columns: [lead, ...others] }: Pick<RowProps, 'run' | 'columns'>) {
  return (
    <>
      {lead && (
        <td className={`num ${styles.lead}`} title={lead.explain}>
          <b className="bold">{lead.texts[index]}</b>
          <span className={styles.unit}>
            {' '}
            {lead.texts[index] === '–' ? '' : lead.unit}
            <small>{lead.label}</small>
          </span>
        </td>
      )}
      {others.map(({ id, texts }) => (
        <td key={id} className={`num ${styles.wide} ${id === 'failed' && isNone(texts[index]) ? 'muted' : ''}`}>
          {texts[index]}
        </td>
      ))}
    </>
  )
}

function PlaceCell({ run }: Pick<RowProps, 'run'>) {
  return (
    <td className={`num ${styles.wide} nowrap ${styles.place}`}>
      {run.file !== null && <span className={`block muted break ${styles.source}`}>{run.file}</span>}
      {run.place && <PlaceLink place={run.place} isShort />}
      {!run.complete && <span className="chip">truncated</span>}
    </td>
  )
}

/** What a phone shows below the name instead of the columns. */
function RestCell({ run, columns }: Pick<RowProps, 'run' | 'columns'>) {
  return (
    <td className={styles.rest}>
      {inRest(columns.slice(1)).map(({ id, label, full }) => (
        <span key={id}>
          {full[run.index]} {label.replace(/\/s$/, '').toLowerCase()}
        </span>
      ))}
      {run.place && (
        <span>
          <PlaceLink place={run.place} />
        </span>
      )}
      {!run.complete && <span>truncated</span>}
    </td>
  )
}

/** What else a phone shows of a run: served and failed requests, or else the columns there are. */
function inRest(columns: readonly PreviewColumn[]): readonly PreviewColumn[] {
  const lead = columns.filter(({ id }) => id !== 'p50')
  return lead.length > 1 ? lead.slice(0, 2) : columns.slice(0, 2)
}

/** Sentences that warn about each of several runs. */
function sharedCautions(runs: readonly PreviewRun[]): ReadonlySet<string> {
  const [first] = runs
  if (first === undefined || runs.length === 1) return new Set()
  const isShared = (sentence: string) => runs.every((run) => cautionsOf(run).some((one) => one.sentence === sentence))
  return new Set(
    cautionsOf(first)
      .map(({ sentence }) => sentence)
      .filter(isShared),
  )
}

const isNone = (text: string | undefined): boolean => text?.startsWith('0\u00a0') === true
