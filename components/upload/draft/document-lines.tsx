import type { DocumentLine, DocumentPart } from './prepare-document'
import { plural } from '@/lib/format'
import styles from './document-lines.module.css'

interface Props {
  readonly parts: readonly DocumentPart[]
  /** Name of each run, in the order of the file. */
  readonly names: readonly string[]
  /** Lines of the file after the last part; 0: all are shown. */
  readonly leftOut: number
}

/** A document with its line numbers; marks lines that became a run or were not parsed. Folds long gaps. */
export function DocumentLines({ parts, names, leftOut }: Props) {
  const wide = (parts.at(-1)?.lines.at(-1)?.number ?? 0) > 9_999
  return (
    <section className={`outlined ${styles.document} ${wide ? styles.wide : ''}`} aria-label="Document" tabIndex={0}>
      {parts.map((part) => (
        <Part key={part.lines[0]?.number ?? 0} part={part} names={names} />
      ))}
      <NotShown count={leftOut} />
    </section>
  )
}

function NotShown({ count }: { readonly count: number }) {
  if (count === 0) return null
  return <p className={styles.rest}>{plural(count, 'line')} not shown here</p>
}

function Part({ part, names }: { readonly part: DocumentPart; readonly names: readonly string[] }) {
  const { mark, lines, skipped, folded } = part
  return (
    <>
      <NotShown count={skipped} />
      {folded ? (
        <details className={styles.folded}>
          <summary>{plural(lines.length, 'line')} between</summary>
          <Lines lines={lines} />
        </details>
      ) : mark === null ? (
        <Lines lines={lines} />
      ) : (
        <div className={styles[mark.kind]}>
          <a
            className={`text-12 bold ${styles.name}`}
            href={mark.kind === 'run' ? `#run-${mark.index + 1}` : '#problems'}
          >
            {mark.kind === 'run'
              ? [`Run ${mark.index + 1}`, names[mark.index]].filter(Boolean).join(' · ')
              : mark.kind === 'problem'
                ? 'Unparsed'
                : 'Not imported'}
          </a>
          <Lines lines={lines} />
        </div>
      )}
    </>
  )
}

function Lines({ lines }: { readonly lines: readonly DocumentLine[] }) {
  return (
    <pre className={`flush ${styles.lines}`}>
      {lines.map(({ number, text }) => (
        <span key={number} id={`L${number}`} className={`grid gap-12 ${styles.line}`}>
          <span className={`muted ${styles.number}`} aria-hidden="true">
            {number}
          </span>
          <code>{text === '' ? ' ' : text}</code>
        </span>
      ))}
    </pre>
  )
}
