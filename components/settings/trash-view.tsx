import { plural } from '@/lib/format'
import { trashDays, type Trash } from '@/lib/project/stored-trash'
import { runName } from '../runs/run-name'
import { EmptyState } from '../ui/empty-state'
import { actions, ListTable } from '../ui/list-table'
import { Time } from '../ui/time'
import { TrashActions } from './trash-actions'
import styles from './trash.module.css'

interface TrashViewProps {
  readonly slug: string
  readonly trash: Trash
  readonly nowMs: number
}

const why = { run: 'deleted manually', retention: 'expired' }

/** What was deleted of a project in the last days, to be restored or deleted for good. */
export function TrashView({ slug, trash: { runs, uploads, more }, nowMs }: TrashViewProps) {
  if (runs.length + uploads.length === 0) {
    return (
      <EmptyState title="The trash is empty">
        Deleted runs and uploads stay here for {trashDays} days, then they are deleted permanently.
      </EmptyState>
    )
  }
  return (
    <>
      <p className="muted">
        Deleted items stay here for {trashDays} days, then they are deleted permanently.
        {more ? ' Only the newest 200 of each are listed.' : ''}
      </p>
      {runs.length === 0 ? null : (
        <section className={styles.section}>
          <h2 className="section-title">Runs</h2>
          <ListTable label="Deleted runs" head={['Run', 'Of', 'Tool', 'Deleted', 'Why', actions]}>
            {runs.map((run) => (
              <tr key={run.id}>
                <th scope="row" className={styles.name}>
                  {runName(run)}
                </th>
                <td>
                  <Time at={run.orderedAt} nowMs={nowMs} />
                </td>
                <td>{run.tool}</td>
                <td>
                  <Time at={run.deletedAt} nowMs={nowMs} />
                </td>
                <td>{why[run.deletedBy]}</td>
                <td>
                  <TrashActions slug={slug} name={runName(run)} runIds={[run.id]} />
                </td>
              </tr>
            ))}
          </ListTable>
        </section>
      )}
      {uploads.length === 0 ? null : (
        <section className={styles.section}>
          <h2 className="section-title">Uploads</h2>
          <ListTable label="Deleted uploads" head={['File', 'Uploaded', 'Deleted', 'Runs', actions]}>
            {uploads.map((upload) => (
              <tr key={upload.id}>
                <th scope="row" className={styles.name}>
                  {upload.name}
                </th>
                <td>
                  <Time at={upload.createdAt} nowMs={nowMs} />
                </td>
                <td>
                  <Time at={upload.deletedAt} nowMs={nowMs} />
                </td>
                <td>{plural(upload.runCount, 'run')}</td>
                <td>
                  <TrashActions slug={slug} name={upload.name} uploadIds={[upload.id]} />
                </td>
              </tr>
            ))}
          </ListTable>
        </section>
      )}
    </>
  )
}
