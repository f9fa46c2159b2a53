import type { ShownCommit } from './shown-commit'
import styles from './commit-words.module.css'

/** A commit with the first line of its message, as far as there is room. */
export function CommitWords({ commit: { text, href, subject } }: { readonly commit: ShownCommit }) {
  return (
    <span className={styles.subject} title={subject ?? undefined}>
      {href === null ? (
        <span className="mono">{text}</span>
      ) : (
        <a className="mono" href={href} rel="noreferrer">
          {text}
        </a>
      )}
      {subject === null ? null : ` ${subject}`}
    </span>
  )
}
