import type { ReactNode } from 'react'
import styles from './raw-output.module.css'

interface RawOutputProps {
  readonly fileName: string
  /** The entry of an archive in which the block is; absent: the file itself. */
  readonly entry?: string | undefined
  /** The run's block, 1-based, inclusive. */
  readonly block: readonly [first: number, last: number]
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** Downloads and the like. */
  readonly actions?: ReactNode
}

/** The lines a run was read from, with the few around them; the block is marked, every line is `#L12`. */
export function RawOutput({ fileName, entry, block, lines, actions }: RawOutputProps) {
  const [first, last] = block
  return (
    <section>
      <div className={styles.head}>
        <h2 className="section-title">
          Raw output{' '}
          <span className="muted">
            {first === last ? `line ${first}` : `lines ${first}–${last}`} of{' '}
            {entry === undefined ? fileName : `${entry} in ${fileName}`}
          </span>
        </h2>
        {actions}
      </div>
      {lines.length === 0 ? (
        <p className="muted">
          {entry === undefined ? 'Raw results are not shown here' : 'The file is an archive'}; download it to look
          inside.
        </p>
      ) : (
        <pre className={styles.raw} tabIndex={0} aria-label="Raw output">
          {lines.map(({ number, text }) => {
            const isOwn = number >= first && number <= last
            return (
              <span key={number} id={`L${number}`} className={`${styles.line} ${isOwn ? styles.own : ''}`}>
                <span className={styles.number} aria-hidden="true">
                  {number}
                </span>
                <span className={styles.text}>{text === '' ? ' ' : text}</span>
              </span>
            )
          })}
        </pre>
      )}
    </section>
  )
}
