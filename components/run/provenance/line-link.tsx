import styles from './line-link.module.css'

/** Link to a line of the run's file: on the page, or alone as text. 1-based. Null: none. */
export type LineHref = (line: number) => string | null

/** Lines shown before and after one. */
const linesAround = 5

/** A line of an upload with those around it, as text. */
export const rawLinesHref = (projectSlug: string, uploadId: string, line: number): string =>
  `/api/v1/projects/${projectSlug}/uploads/${uploadId}/raw?lines=${Math.max(1, line - linesAround)}-${line + linesAround}`

/** `line 12`, as a link if the line can be shown. */
export function LineLink({ line, lineHref }: { line: number; lineHref: LineHref }) {
  const href = lineHref(line)
  return href === null ? (
    <span className="muted">line {line}</span>
  ) : (
    <a className={`muted text-12 regular nowrap ${styles.line}`} href={href}>
      line {line}
    </a>
  )
}
