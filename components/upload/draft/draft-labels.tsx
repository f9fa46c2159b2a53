import { Icon } from '../../ui/icon'
import type { RunForm } from './preview-edits'
import styles from './draft-labels.module.css'

type Labels = RunForm['labels']

interface Props {
  /** The owner of the labels: `run 3`, `all runs`. */
  readonly of: string
  readonly labels: Labels
  /** `label:<key>` → where it was found. */
  readonly sources: Readonly<Record<string, string>>
  onChange(labels: Labels): void
}

/** Labels as rows of key and value; rows without a key are not saved. */
export function LabelRows({ of, labels, sources, onChange }: Props) {
  const setRow = (at: number, row: Labels[number]) =>
    onChange(labels.map((label, index) => (index === at ? row : label)))
  return (
    <fieldset className={`grid ${styles.labels}`}>
      <legend>Labels of {of}</legend>
      {labels.map(([key, value], at) => (
        <div key={at} className={`grid gap-4 ${styles.row}`}>
          <input
            className="input full"
            aria-label={`Key of label ${at + 1} of ${of}`}
            value={key}
            maxLength={100}
            onChange={(event) => setRow(at, [event.target.value, value])}
          />
          <span aria-hidden="true">=</span>
          <input
            className="input full"
            aria-label={`Value of label ${key || at + 1} of ${of}`}
            title={sources[`label:${key}`]}
            value={value}
            maxLength={200}
            onChange={(event) => setRow(at, [key, event.target.value])}
          />
          <button
            type="button"
            className={`inline-row gap-6 muted ${styles.remove}`}
            aria-label={`Remove label ${key || at + 1} of ${of}`}
            onClick={() => onChange(labels.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        className={`inline-row gap-6 muted ${styles.add}`}
        aria-label={`Add a label to ${of}`}
        onClick={() => onChange([...labels, ['', '']])}
      >
        <Icon name="plus" /> Label
      </button>
    </fieldset>
  )
}

/** Read-only labels: `memory` beside its value. */
export function LabelChips({ labels }: { readonly labels: Labels }) {
  return labels.map(([key, value], at) => (
    <span key={at} className={`text text-12 break ${styles.chip}`}>
      <span className="muted">{key}</span> {value}
    </span>
  ))
}
