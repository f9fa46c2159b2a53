import { StateShape } from '../../ui/state-mark'
import { LearnLink } from '../../learn/learn-link'
import { LineLink, type LineHref } from '../provenance/line-link'
import { severityWords, type Remark } from './run-remarks'
import styles from './run-remarks-list.module.css'

interface Props {
  readonly remarks: readonly Remark[]
  readonly lineHref: LineHref
  /** With links to the explanations. */
  readonly canLearn?: boolean
}

const shapes = { inconsistent: 'invalid', caution: 'unusual', explain: 'as-expected', note: 'as-expected' } as const

/**
 * Findings and warnings: one bold line each, its evidence below. Nothing when there are none. What is by design is
 * folded.
 */
export function RunRemarksList({ remarks, lineHref, canLearn = false }: Props) {
  if (remarks.length === 0) return null
  const isSevere = ({ severity }: Remark) => severity === 'inconsistent' || severity === 'caution'
  const [severe, notes] = [remarks.filter(isSevere), remarks.filter((one) => !isSevere(one))]
  const list = (shown: readonly Remark[], first: number) => (
    <ol className={`grid text-13 ${styles.list}`} aria-label="Findings" start={first}>
      {shown.map((remark, at) => (
        <RemarkItem key={remark.key} number={first + at} remark={remark} lineHref={lineHref} canLearn={canLearn} />
      ))}
    </ol>
  )
  return (
    <section className="slim">
      <h2 className="section-title">
        Findings <span className="muted">{remarks.length}</span>
      </h2>
      {severe.length > 0 && list(severe, 1)}
      {notes.length > 0 && (
        <details className={styles.notes}>
          <summary>How this tool measures: {notes.length}</summary>
          {list(notes, severe.length + 1)}
        </details>
      )}
    </section>
  )
}

function RemarkItem({
  number,
  remark: { severity, sentence, line, learn },
  lineHref,
  canLearn,
}: {
  readonly number: number
  readonly remark: Remark
  readonly lineHref: LineHref
  readonly canLearn: boolean
}) {
  const colon = sentence.indexOf(': ')
  // `p99: only 2 of 200 …` is one unit.
  const at = sentence.slice(0, colon).includes(' ') ? colon : -1
  const [head, evidence] = at < 0 ? [sentence, ''] : [sentence.slice(0, at), sentence.slice(at + 2)]
  return (
    <li data-severity={severity}>
      <span className={styles.mark} title={severityWords[severity]}>
        <StateShape state={shapes[severity]} />
        <span className="visually-hidden">{severityWords[severity]}</span>
      </span>
      <span>
        <strong className={styles.head}>
          <span className="muted">{number}.</span> {capital(head)}
        </strong>
        {evidence !== '' && <span className={`block muted ${styles.evidence}`}>{capital(evidence)}</span>}
        {line === null ? null : (
          <>
            {' '}
            <LineLink line={line} lineHref={lineHref} />
          </>
        )}
        {canLearn && learn !== null && (
          <>
            {' '}
            <LearnLink topic={learn} />
          </>
        )}
      </span>
    </li>
  )
}

/** Names at the beginning of a sentence are unchanged: `hey`, `p99`. */
const capital = (text: string): string =>
  /^(?:hey|vegeta|wrk2?|p\d)/.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1)
