import { formatBytes, plural } from '@/lib/format'
import type { RunRow, UploadDetail, UploadSummary } from '@/lib/run/stored'
import { printingTools, uploadKind } from '@/lib/run/tools'
import { maskedCode } from '@/lib/secrets'
import { Link } from '../ui/link'
import { DocumentLines } from './document-lines'
import { DiscardButton, DraftForm } from './draft-form'
import { ChooseFileButton } from './paste-box'
import { prepareDocument } from './prepare-document'
import { preparePreview } from './prepare-preview'
import { SecretsChoice } from './secrets-choice'
import { SavedBefore, UploadRemarks } from './upload-remarks'
import styles from './upload-preview.module.css'

interface Props {
  readonly projectSlug: string
  readonly upload: UploadDetail
  /** The lines of `shownRanges`; empty for files that are not text. */
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** Runs of this upload once it is saved, in the order of the file. */
  readonly savedRuns: readonly RunRow[]
  /** An earlier upload of the same bytes. */
  readonly savedBefore: { readonly upload: UploadSummary; readonly runs: readonly RunRow[] } | null
}

/** `312 lines`, `raw results`: how much or what it is. Uploads of older versions are called by their runs. */
export function aboutContent(
  upload: Pick<UploadDetail, 'lineCount' | 'sizeBytes' | 'kind' | 'encoding' | 'draftRuns'>,
  savedRuns: readonly Pick<RunRow, 'form'>[],
): string {
  const { lineCount, sizeBytes, kind, encoding, draftRuns } = upload
  if (lineCount !== null) return plural(lineCount, 'line')
  if (sizeBytes === 0) return 'empty'
  return kind === 'binary' ? uploadKind(encoding, draftRuns.length > 0 ? draftRuns : savedRuns) : kind
}

/** An upload before it is saved: the document with its blocks marked on the left, one card per run on the right. */
export function UploadPreview({ projectSlug, upload, lines, savedRuns, savedBefore }: Props) {
  const shownLines = new Set(lines.map((line) => line.number))
  const runs = preparePreview(upload, shownLines)
  const draft = upload.state === 'draft'
  const blocks = (draft ? upload.draftRuns : []).map((run) => ({ lines: run.context.lines }))
  const about = [
    formatBytes(upload.sizeBytes),
    aboutContent(upload, savedRuns),
    draft ? `${plural(runs.length, 'run')} found` : 'saved',
  ]
  const masked = upload.problems.find(({ code }) => code === maskedCode)
  const others = upload.problems.filter((one) => one !== masked)
  const remarks = (
    <>
      {draft && (upload.keepSecrets || masked) && (
        <SecretsChoice
          projectSlug={projectSlug}
          uploadId={upload.id}
          name={upload.name}
          sentSha256={upload.sentSha256}
          keepsSecrets={upload.keepSecrets}
          masked={masked ? masked.message : null}
        />
      )}
      {draft && savedBefore && <SavedBefore projectSlug={projectSlug} {...savedBefore} />}
      <UploadRemarks problems={draft ? others : upload.problems} cellNotes={upload.cellNotes} shownLines={shownLines} />
    </>
  )
  return (
    <div className={`page ${styles.page}`}>
      <h1 className="page-title">{upload.name}</h1>
      <p className={`muted ${styles.about}`}>{about.join(' · ')}</p>
      <div className={lines.length > 0 ? styles.sides : styles.alone}>
        {lines.length > 0 && (
          <DocumentLines
            parts={prepareDocument(lines, blocks, upload.problems)}
            leftOut={Math.max(0, (upload.lineCount ?? 0) - (lines.at(-1)?.number ?? 0))}
          />
        )}
        <div className={styles.right}>
          {!draft || runs.length === 0 ? remarks : null}
          {!draft && <SavedRuns projectSlug={projectSlug} uploadId={upload.id} runs={savedRuns} />}
          {draft && runs.length === 0 && <NothingFound projectSlug={projectSlug} uploadId={upload.id} />}
          {draft && runs.length > 0 && (
            <DraftForm key={upload.id} projectSlug={projectSlug} uploadId={upload.id} runs={runs}>
              {remarks}
            </DraftForm>
          )}
        </div>
      </div>
    </div>
  )
}

/** The runs that a saved upload became. */
function SavedRuns({
  projectSlug,
  uploadId,
  runs,
}: {
  readonly projectSlug: string
  readonly uploadId: string
  readonly runs: readonly RunRow[]
}) {
  return (
    <section className="card" aria-labelledby="saved-title">
      <h2 id="saved-title" className="section-title">
        Saved
      </h2>
      <ul className={styles.saved}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link href={`/p/${projectSlug}/runs/${run.id}`}>
              {[run.scenario, run.variant, run.environment].filter(Boolean).join(' · ')}
            </Link>
          </li>
        ))}
      </ul>
      {runs.length > 1 && (
        <Link
          className="button"
          href={`/p/${projectSlug}/matrix?${new URLSearchParams({ upload: uploadId }).toString()}`}
        >
          Compare them in a matrix
        </Link>
      )}
    </section>
  )
}

/** What stands beside a file that holds no run: why, and what would. */
function NothingFound({ projectSlug, uploadId }: { readonly projectSlug: string; readonly uploadId: string }) {
  return (
    <section className="card" aria-labelledby="nothing-title">
      <h2 id="nothing-title" className="section-title">
        No runs found in this file
      </h2>
      <p>
        Tailboard reads the output of {printingTools('and')}, alone or inside any document. Upload the whole output,
        from the first line to the last.
      </p>
      <div className={styles.buttons}>
        <ChooseFileButton label="Choose another file" />
        <DiscardButton projectSlug={projectSlug} uploadId={uploadId} />
      </div>
    </section>
  )
}
