import styles from './label-rows.module.css'

type Labels = readonly (readonly [key: string, value: string])[]

interface Props {
  readonly runNumber: number
  readonly labels: Labels
  /** `label:<key>` → where it was found. */
  readonly sources: Readonly<Record<string, string>>
  onChange(labels: Labels): void
}

/** Labels as rows of key and value; rows without a key are not saved. */
export function LabelRows({ runNumber, labels, sources, onChange }: Props) {
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
