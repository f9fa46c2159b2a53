import { formatTime } from '@/lib/format'
import type { SavedComparison } from '@/lib/project/stored-comparisons'
import { Markdown } from '../../run/markdown'
import { RunNotes } from '../../run/run-notes'
import { CompareTabs } from './compare-tabs'
import { SavedActions } from './saved-actions'
import styles from './saved-head.module.css'

/** The saved texts of a comparison: its name, how it was measured, and what follows from it. */
export function SavedHead({ saved }: { readonly saved: SavedComparison }) {
  const { projectSlug, id, name, notes, takeaways, updatedAt } = saved
  const url = `/api/v1/projects/${projectSlug}/comparisons/${id}`
  return (
    <>
      <CompareTabs slug={projectSlug} here="Saved and shared" />
      <section aria-label="Saved comparison" className={styles.head}>
        <p className={`row wrap below-8 ${styles.line}`}>
          <strong>{name}</strong>
          <span className="muted">changed {formatTime(updatedAt)}</span>
          <SavedActions url={url} projectSlug={projectSlug} name={name} view={saved.view} />
        </p>
        <div className={`grid gap-16 ${styles.texts}`}>
          <RunNotes url={url} field="takeaways" title="Take-aways" notes={takeaways}>
            {takeaways === '' ? <p className="muted">No conclusion yet.</p> : <Markdown text={takeaways} />}
          </RunNotes>
          <RunNotes url={url} notes={notes}>
            {notes === '' ? <p className="muted">No notes.</p> : <Markdown text={notes} />}
          </RunNotes>
        </div>
      </section>
    </>
  )
}
