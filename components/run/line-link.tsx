import styles from './line-link.module.css'

/** Where a line of the run's file can be seen: on the page, or alone as text. 1-based. Null: nowhere. */
export type LineHref = (line: number) => string | null

/** Lines around one that are shown with it. */
const linesAround = 5

/** A line of an upload with those around it, as text. */
export const rawLinesHref = (projectSlug: string, uploadId: string, line: number): string =>
  `/api/v1/projects/${projectSlug}/uploads/${uploadId}/raw?lines=${Math.max(1, line - linesAround)}-${line + linesAround}`

/** `line 12`, a link to it where it can be seen. */
export function LineLink({ line, lineHref }: { line: number; lineHref: LineHref }) {
  const href = lineHref(line)
  return href === null ? (
    <span className="muted">line {line}</span>
  ) : (
    <a className={styles.line} href={href}>
      line {line}
    </a>
  )
}
