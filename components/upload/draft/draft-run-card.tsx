import { severityWords } from '../../run/judgement/run-remarks'
import { Combobox } from '../../forms/combobox'
import { LabelChips, LabelRows } from './draft-labels'
import { PlaceLink } from './place-link'
import type { PreviewColumn, PreviewRemark, PreviewRun } from './prepare-preview'
import { inputTime, nameFields, sourceOf, type NameOptions, type RunForm } from './preview-edits'
import styles from './draft-run-card.module.css'

interface Props {
  readonly run: PreviewRun
  readonly form: RunForm
  readonly columns: readonly PreviewColumn[]
  readonly options: NameOptions
  onChange(change: Partial<RunForm>): void
}

/** One found run: its figures, its cautions, and its proposed names, to be corrected in place. */
export function DraftRunCard({ run, form, columns, options, onChange }: Props) {
  const titleId = `run-${run.index + 1}`
  return (
    <article className={`card grid gap-12 one-column ${form.include ? '' : styles.left}`} aria-labelledby={titleId}>
      <CardHead titleId={titleId} run={run} form={form} onChange={onChange} />
      <div className={`grid ${styles.fields}`}>
        {nameFields.map(({ key, label }) => (
          // Not within its label: the open list would become part of its name.
          <div key={key} className={`grid muted text-12 one-column ${styles.field}`}>
            <label htmlFor={`${titleId}-${key}`}>{label}</label>
            <Combobox
              id={`${titleId}-${key}`}
              aria-describedby={`${titleId}-${key}-source`}
              noun={key}
              options={options[key]}
              value={form[key]}
              maxLength={200}
              required={key === 'scenario' && form.include}
              placeholder={key === 'scenario' ? '' : 'none'}
              onChange={(value) => onChange({ [key]: value })}
            />
            <span id={`${titleId}-${key}-source`} className={`break ${styles.source}`}>
              {sourceOf(run, form, key)}
            </span>
          </div>
        ))}
      </div>
      <Cautions run={run} />
      <div className={`row wrap between ${styles.foot}`}>
        <span className="chips">
          <LabelChips labels={form.labels.filter(([key]) => key !== '')} />
        </span>
        <dl className={`flex wrap text-13 ${styles.figures}`}>
          {columns.map(({ id, label, explain, full }) => (
            <div key={id} title={explain}>
              <dt className="muted">{label.replace(/\/s$/, '')}</dt>
              <dd className="bold">{full[run.index]}</dd>
            </div>
          ))}
        </dl>
      </div>
      <details className={styles.more}>
        <summary>{moreWords(run)}</summary>
        <RunDetails run={run} form={form} onChange={onChange} />
      </details>
    </article>
  )
}

interface HeadProps extends Pick<Props, 'run' | 'form' | 'onChange'> {
  readonly titleId: string
}

/** Whether the run is saved, and what it is. */
function CardHead({ titleId, run, form, onChange }: HeadProps) {
  const number = run.index + 1
  return (
    <header className={`row wrap ${styles.head}`}>
      <input
        type="checkbox"
        aria-label={`Save run ${number}`}
        checked={form.include}
        onChange={(event) => onChange({ include: event.target.checked })}
      />
      <h2 id={titleId} className={`text-14 ${styles.title}`}>
        Run {number}
      </h2>
      {!run.complete && <span className="chip">truncated</span>}
      <span className={`muted text-13 ${styles.about}`}>{run.about}</span>
      {run.place && (
        <span className="text-13">
          <PlaceLink place={run.place} />
        </span>
      )}
    </header>
  )
}

function moreWords({ facts, notes, findings, warnings }: PreviewRun): string {
  const remarks = facts.length + notes.length + warnings.length + findings.filter((one) => !isCaution(one)).length
  return `Labels and start${remarks > 0 ? `, ${remarks} ${remarks === 1 ? 'remark' : 'remarks'}` : ''}`
}

/** The parts of a run that are seldom changed: its start and labels; and all of its cautions. */
export function RunDetails({ run, form, onChange }: Pick<Props, 'run' | 'form' | 'onChange'>) {
  return (
    <div className={`grid gap-12 one-column ${styles.details}`}>
      <label className={`grid muted text-12 one-column ${styles.field}`}>
        Started (UTC)
        <input
          type="datetime-local"
          className={`input ${styles.start}`}
          step={1}
          value={form.startedAt}
          onChange={(event) => onChange({ startedAt: event.target.value })}
        />
        <span className={`break ${styles.source}`}>{startSource(run, form)}</span>
      </label>
      <LabelRows
        of={`run ${run.index + 1}`}
        labels={form.labels}
        sources={run.sources}
        onChange={(labels) => onChange({ labels })}
      />
      <p className="muted text-13 flush">
        {run.file !== null && `In ${run.file}. `}Read as {run.form}.
      </p>
      <Notes run={run} />
      <Remarks title="facts from the text" remarks={run.facts} />
      <Remarks title="notes by the author" remarks={run.notes} />
    </div>
  )
}

/** Where the start comes from, in the form's current state. */
function startSource(run: PreviewRun, form: RunForm): string | undefined {
  if (form.startedAt !== inputTime(run.startedAt)) return 'by you'
  return run.startedAt === null ? 'not in the text: ordered by upload time' : run.sources.startedAt
}

type Found = PreviewRun['findings'][number]
const isCaution = ({ severity }: Found) => severity === 'inconsistent' || severity === 'caution'

/** What a reader must know of a run before saving it. */
export const cautionsOf = (run: PreviewRun): readonly Found[] => run.findings.filter(isCaution)

interface CautionsProps {
  readonly run: PreviewRun
  /** Those that are shown elsewhere for all runs. */
  readonly shared?: ReadonlySet<string>
  /** Those that are shown here for all runs; absent: those of this one. */
  readonly only?: ReadonlySet<string>
}

/** What a reader must know of a run; nothing if there is nothing. */
export function Cautions({ run, shared, only }: CautionsProps) {
  const found = cautionsOf(run).filter(({ sentence }) => only?.has(sentence) ?? !shared?.has(sentence))
  if (found.length === 0) return null
  return (
    <ul className={`linked ${styles.findings}`}>
      {found.map(({ id, severity, sentence }) => (
        <li key={id} data-severity={severity}>
          <strong>{severityWords[severity]}:</strong> {only && 'in all runs, '}
          {sentence}
        </li>
      ))}
    </ul>
  )
}

function Notes({ run }: { readonly run: PreviewRun }) {
  const found = run.findings.filter((one) => !isCaution(one))
  if (found.length + run.warnings.length === 0) return null
  return (
    <ul className={`linked ${styles.findings}`}>
      {found.map(({ id, severity, sentence }) => (
        <li key={id}>
          <strong>{severityWords[severity]}:</strong> {sentence}
        </li>
      ))}
      {run.warnings.map(({ text, place }, at) => (
        <li key={at}>
          <strong>Note:</strong> {text} {place && <PlaceLink place={place} />}
        </li>
      ))}
    </ul>
  )
}

function Remarks({ title, remarks }: { readonly title: string; readonly remarks: readonly PreviewRemark[] }) {
  if (remarks.length === 0) return null
  return (
    <details className={`linked ${styles.remarks}`}>
      <summary>
        {remarks.length} {remarks.length === 1 ? title.replace(/s\b/, '') : title}
      </summary>
      <ul>
        {remarks.map(({ text, place }, at) => (
          <li key={at}>
            {text} {place && <PlaceLink place={place} />}
          </li>
        ))}
      </ul>
    </details>
  )
}
