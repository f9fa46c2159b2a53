import { Link } from '../../ui/links/link'
import { formatDay, plural } from '@/lib/format'
import type { CellNote, ImportProblem } from '@/lib/run/run'
import type { RunRow } from '@/lib/history/stored-runs'
import type { UploadSummary } from '@/lib/history/stored-uploads'
import { PlaceLink } from './place-link'
import styles from './upload-remarks.module.css'

/** Groups of problems, most important first, with the words of their summary. */
const groups: readonly {
  readonly title: (count: number) => string
  readonly holds: (one: ImportProblem) => boolean
}[] = [
  { title: (count) => plural(count, 'error'), holds: (one) => one.severity === 'error' },
  { title: (count) => plural(count, 'correction') + ' on reading', holds: (one) => one.code === 'corrected' },
  {
    title: (count) => plural(count, 'place') + ' unparsed',
    holds: (one) => one.severity === 'warning' && one.code !== 'corrected',
  },
  { title: (count) => plural(count, 'part') + ' left out', holds: (one) => one.severity === 'info' },
]

/** With more of a kind, they are counted, not listed. */
const maxListed = 100

interface Props {
  readonly problems: readonly ImportProblem[]
  readonly cellNotes: readonly CellNote[]
  /** Numbers of the lines on the page. */
  readonly shownLines: ReadonlySet<number>
}

/** The parts of a file that became no run, and its author's notes on missing runs. */
export function UploadRemarks({ problems, cellNotes, shownLines }: Props) {
  if (problems.length + cellNotes.length === 0) return null
  return (
    <div id="problems" className={`grid gap-8 ${styles.remarks}`}>
      {groups.map(({ title, holds }) => {
        const found = problems.filter(holds)
        if (found.length === 0) return null
        const grave = found.some((one) => one.severity === 'error')
        return (
          <details key={title(0)} className={grave ? 'notice notice-error' : `text-13 ${styles.group}`} open={grave}>
            <summary>{title(found.length)}</summary>
            <ul className={`linked grid gap-4 text-13 break above-8 ${styles.list}`}>
              {found.slice(0, maxListed).map(({ file, line, lastLine, message, hint }, at) => (
                <li key={at}>
                  {file !== undefined && <strong>{file}: </strong>}
                  {line !== null && (
                    <PlaceLink opens place={{ first: line, last: lastLine, shown: shownLines.has(line) }} />
                  )}{' '}
                  {message}
                  {hint && <span className="muted block">{hint}</span>}
                </li>
              ))}
              {found.length > maxListed && <li>and {plural(found.length - maxListed, 'more', 'more')}</li>}
            </ul>
          </details>
        )
      })}
      {cellNotes.length > maxOpen ? (
        <details className={`text-13 ${styles.group}`}>
          <summary>{plural(cellNotes.length, 'note')} on missing runs</summary>
          <CellNotes cellNotes={cellNotes} shownLines={shownLines} />
        </details>
      ) : (
        <CellNotes cellNotes={cellNotes} shownLines={shownLines} />
      )}
    </div>
  )
}

/** This many notes are read at once; more are folded. */
const maxOpen = 3

/** The author's notes on missing runs. */
function CellNotes({ cellNotes, shownLines }: Pick<Props, 'cellNotes' | 'shownLines'>) {
  return cellNotes.map((note, at) => (
    <p key={at} className={`text-13 flush relative ${styles.note}`}>
      <strong>Not a run:</strong> {[note.scenario, note.variant, note.environment].filter(Boolean).join(' › ')},{' '}
      {note.text} (<PlaceLink place={{ first: note.line, last: null, shown: shownLines.has(note.line) }} />
      ). Saved as a note in the matrix.
    </p>
  ))
}

/** States that the same bytes were saved before, with a link to those runs. */
export function SavedBefore({
  projectSlug,
  upload,
  runs,
}: {
  readonly projectSlug: string
  readonly upload: UploadSummary
  readonly runs: readonly Pick<RunRow, 'id'>[]
}) {
  const [only] = runs
  const href =
    only && runs.length === 1
      ? `/p/${projectSlug}/runs/${only.id}`
      : `/p/${projectSlug}/matrix?${new URLSearchParams({ upload: upload.id }).toString()}`
  return (
    <p className="notice flush">
      The same bytes were saved on {formatDay(upload.createdAt)} as {upload.name}.{' '}
      <Link href={href}>Open its {plural(runs.length, 'run')}</Link>. Saving again creates new runs.
    </p>
  )
}
