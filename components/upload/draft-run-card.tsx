import { severityWords } from '../run/run-remarks'
import { PlaceLink } from './place-link'
import type { PreviewRemark, PreviewRun } from './prepare-preview'
import { inputTime, type RunForm } from './preview-edits'
import styles from './draft-run-card.module.css'

interface Props {
  readonly run: PreviewRun
  readonly form: RunForm
  onChange(change: Partial<RunForm>): void
}

/** One found run: its figures, what stands out, and the names it will have, to be corrected in place. */
export function DraftRunCard({ run, form, onChange }: Props) {
  const number = run.index + 1
  const titleId = `run-${number}`
  const field = (key: 'scenario' | 'variant' | 'environment', label: string) => (
    <label className={styles.field}>
      {label}
      <input
        className="input"
        value={form[key]}
        maxLength={200}
        required={key === 'scenario' && form.include}
        placeholder={key === 'scenario' ? undefined : 'none'}
        onChange={(event) => onChange({ [key]: event.target.value })}
      />
      <Source text={form[key] === run[key] ? run.sources[key] : 'by you'} />
    </label>
  )
  return (
    <article className={`card ${styles.card} ${form.include ? '' : styles.left}`} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          Run {number}
        </h2>
        {!run.complete && <span className="chip">truncated</span>}
        <label className={styles.include}>
          <input
            type="checkbox"
            checked={form.include}
            onChange={(event) => onChange({ include: event.target.checked })}
          />
          Save it
        </label>
      </header>
      <p className={`muted ${styles.about}`}>
        {run.file !== null && `in ${run.file} · `}
        {run.about} · read as {run.form}
        {run.place && (
          <>
            {' '}
            from <PlaceLink place={run.place} />
          </>
        )}
      </p>
      <dl className={styles.figures}>
        {run.figures.map((figure) => (
          <div key={figure.id} title={figure.explain}>
            <dt>{figure.label}</dt>
            <dd>{figure.text}</dd>
          </div>
        ))}
      </dl>
      <Found run={run} />
      <div className={styles.fields}>
        {field('scenario', 'Scenario')}
        {field('variant', 'Variant')}
        {field('environment', 'Environment')}
        <label className={styles.field}>
          Started (UTC)
          <input
            type="datetime-local"
            className="input"
            step={1}
            value={form.startedAt}
            onChange={(event) => onChange({ startedAt: event.target.value })}
          />
          <Source text={startSource(run, form)} />
        </label>
      </div>
      <LabelRows
        runNumber={number}
        labels={form.labels}
        sources={run.sources}
        onChange={(labels) => onChange({ labels })}
      />
      <Remarks title="facts from the text" remarks={run.facts} />
      <Remarks title="notes by the author" remarks={run.notes} />
    </article>
  )
}

/** Where the start comes from, as the form stands. */
function startSource(run: PreviewRun, form: RunForm): string | undefined {
  if (form.startedAt !== inputTime(run.startedAt)) return 'by you'
  return run.startedAt === null ? 'not in the text: ordered by upload time' : run.sources.startedAt
}

function Source({ text }: { readonly text: string | undefined }) {
  return text ? <span className={styles.source}>{text}</span> : null
}

function Found({ run }: { readonly run: PreviewRun }) {
  if (run.findings.length + run.warnings.length === 0) return null
  return (
    <ul className={styles.findings}>
      {run.findings.map(({ id, severity, sentence }) => (
        <li key={id} data-severity={severity}>
          <strong>{severityWords[severity]}</strong> {sentence}
        </li>
      ))}
      {run.warnings.map(({ text, place }, at) => (
        <li key={at} data-severity="note">
          <strong>Note</strong> {text} {place && <PlaceLink place={place} />}
        </li>
      ))}
    </ul>
  )
}

function Remarks({ title, remarks }: { readonly title: string; readonly remarks: readonly PreviewRemark[] }) {
  if (remarks.length === 0) return null
  return (
    <details className={styles.remarks}>
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

type Labels = readonly (readonly [key: string, value: string])[]

interface LabelProps {
  readonly runNumber: number
  readonly labels: Labels
  /** `label:<key>` → where it was found. */
  readonly sources: Readonly<Record<string, string>>
  onChange(labels: Labels): void
}

/** Labels as rows of key and value; rows without a key are not saved. */
function LabelRows({ runNumber, labels, sources, onChange }: LabelProps) {
  const setRow = (at: number, row: Labels[number]) =>
    onChange(labels.map((label, index) => (index === at ? row : label)))
  return (
    <fieldset className={styles.labels}>
      <legend>Labels</legend>
      {labels.map(([key, value], at) => (
        <div key={at} className={styles.row}>
          <input
            className="input"
            aria-label={`Key of label ${at + 1} of run ${runNumber}`}
            value={key}
            maxLength={100}
            onChange={(event) => setRow(at, [event.target.value, value])}
          />
          <span aria-hidden="true">=</span>
          <input
            className="input"
            aria-label={`Value of label ${key || at + 1} of run ${runNumber}`}
            title={sources[`label:${key}`]}
            value={value}
            maxLength={200}
            onChange={(event) => setRow(at, [key, event.target.value])}
          />
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove label ${key || at + 1} of run ${runNumber}`}
            onClick={() => onChange(labels.filter((_, index) => index !== at))}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        className={styles.add}
        aria-label={`Add a label to run ${runNumber}`}
        onClick={() => onChange([...labels, ['', '']])}
      >
        + Label
      </button>
    </fieldset>
  )
}
