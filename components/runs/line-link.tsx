import styles from './line-link.module.css'

/** Where a line of the run's file can be seen: on the page, or alone as text. 1-based. */
export type LineHref = (line: number) => string

/** `line 12`, a link to it. */
export function LineLink({ line, lineHref }: { line: number; lineHref: LineHref }) {
  return (
    <a className={styles.line} href={lineHref(line)}>
      line {line}
    </a>
  )
}
