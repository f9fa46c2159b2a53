import type { ReactNode } from 'react'
import { formatDay, plural } from '@/lib/format'
import type { UtcIso } from '@/lib/run/run'
import styles from './raw-output.module.css'

interface Line {
  /** 1-based; null: the lines before it were not counted. */
  readonly number: number | null
  readonly text: string
}

/** Both ends of a file; `isTruncated`: lines are missing between them, or after the first when there are no last. */
export interface RawEndsShown {
  readonly first: readonly Line[]
  readonly last: readonly Line[]
  readonly isTruncated: boolean
}

interface RawOutputProps {
  readonly fileName: string
  /** When the file was released; null and absent: it is stored. */
  readonly removedAt?: UtcIso | null
  /** Why it cannot be shown although it was never released; null and absent: it can. */
  readonly missing?: 'lost' | 'away' | null
  /** The archive entry with the block; absent: the file itself. */
  readonly entry?: string | undefined
  /** The run's block, 1-based, inclusive. */
  readonly block: readonly [first: number, last: number]
  readonly lines: readonly Line[]
  /** Instead of the block, both ends of a file of raw results; null and absent: `lines` are all. */
  readonly ends?: RawEndsShown | null
  /** Downloads and the like. */
  readonly actions?: ReactNode
}

/** The lines a run was read from, with a few around them; the block is marked, every line is `#L12`. */
export function RawOutput(props: RawOutputProps) {
  const { fileName, removedAt = null, missing = null, entry, block, lines, ends = null, actions } = props
  const [first, last] = block
  const place = ends !== null ? placeOfEnds(ends) : first === last ? `line ${first}` : `lines ${first}–${last}`
  /** Lines of the block that do not fit into the page. */
  const leftOut = ends === null ? Math.max(0, last - (lines.at(-1)?.number ?? last)) : 0
  const isOwn = ({ number }: Line) => number !== null && number >= first && number <= last
  return (
    <section>
      <div className={`row wrap gap-8 below-8 ${styles.head}`}>
        <h2 className="section-title">
          Raw output{' '}
          <span className="muted">
            {place} of {entry === undefined ? fileName : `${entry} in ${fileName}`}
          </span>
        </h2>
        {actions}
      </div>
      {removedAt !== null ? (
        <p className="muted">The file was removed on {formatDay(removedAt)} by the project’s retention.</p>
      ) : missing !== null ? (
        <p className="muted">
          {missing === 'lost'
            ? 'This file is missing from the store: restore the raw files together with the database.'
            : 'The store of raw files does not respond at the moment.'}
        </p>
      ) : ends === null && lines.length === 0 ? (
        <p className="muted">
          {entry === undefined ? 'These results are binary' : 'The file is an archive'}; download it to see its content.
        </p>
      ) : (
        <pre className={`outlined flush ${styles.raw}`} tabIndex={0} aria-label="Raw output">
          {(ends?.first ?? lines).map((line) => (
            <RawLine key={line.number} line={line} isOwn={ends === null && isOwn(line)} />
          ))}
          {(ends?.isTruncated || leftOut > 0) && <span className={`block muted ${styles.gap}`}>…</span>}
          {ends?.last.map((line, index) => (
            <RawLine key={`last-${index}`} line={line} isOwn={false} />
          ))}
        </pre>
      )}
      {leftOut > 0 && <p className="muted">{plural(leftOut, 'line')} not shown here; the file has all.</p>}
    </section>
  )
}

function placeOfEnds({ last, isTruncated }: RawEndsShown): string {
  if (!isTruncated) return 'all lines'
  return last.length === 0 ? 'first lines' : 'first and last lines'
}

function RawLine({ line: { number, text }, isOwn }: { readonly line: Line; readonly isOwn: boolean }) {
  return (
    <span
      {...(number === null ? {} : { id: `L${number}` })}
      className={`flex ${styles.line} ${isOwn ? styles.own : ''}`}
    >
      <span className={`muted rigid ${styles.number}`} aria-hidden="true">
        {number}
      </span>
      <span className={styles.text}>{text === '' ? ' ' : text}</span>
    </span>
  )
}
