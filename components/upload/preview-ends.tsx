import { Link } from '../ui/link'
import type { RunRow } from '@/lib/run/stored'
import { DiscardButton } from './discard-button'
import { ChooseFileButton } from './paste-box'
import styles from './upload-preview.module.css'

/** The runs that a saved upload became. */
export function SavedRuns({
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
export function NothingFound({ projectSlug, uploadId }: { readonly projectSlug: string; readonly uploadId: string }) {
  return (
    <section className="card" aria-labelledby="nothing-title">
      <h2 id="nothing-title" className="section-title">
        No runs found in this file
      </h2>
      <p>
        Tailboard reads the output of hey, vegeta, wrk and AWS Lambda, alone or inside any document. Upload the whole
        output, from the first line to the last.
      </p>
      <div className={styles.buttons}>
        <ChooseFileButton label="Choose another file" />
        <DiscardButton projectSlug={projectSlug} uploadId={uploadId} />
      </div>
    </section>
  )
}
