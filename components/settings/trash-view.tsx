import type { ReactNode } from 'react'
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

/** What was deleted in a project in the last days, to be restored or deleted permanently. */
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
      <Deleted
        title="Runs"
        label="Deleted runs"
        head={['Run', 'Of', 'Tool', 'Deleted', 'Why', actions]}
        slug={slug}
        things={runs.map((run) => ({
          id: run.id,
          name: runName(run),
          cells: [
            <Time key="of" at={run.orderedAt} nowMs={nowMs} />,
            run.tool,
            <Time key="deleted" at={run.deletedAt} nowMs={nowMs} />,
            why[run.deletedBy],
          ],
          what: { runIds: [run.id] },
        }))}
      />
      <Deleted
        title="Uploads"
        label="Deleted uploads"
        head={['File', 'Uploaded', 'Deleted', 'With it', actions]}
        slug={slug}
        things={uploads.map((upload) => ({
          id: upload.id,
          name: upload.name,
          cells: [
            <Time key="uploaded" at={upload.createdAt} nowMs={nowMs} />,
            <Time key="deleted" at={upload.deletedAt} nowMs={nowMs} />,
            plural(upload.runCount, 'run'),
          ],
          what: { uploadIds: [upload.id] },
        }))}
      />
    </>
  )
}

interface DeletedProps {
  readonly title: string
  readonly label: string
  readonly head: readonly string[]
  readonly slug: string
  readonly things: readonly {
    readonly id: string
    readonly name: string
    /** Cells between its name and its buttons. */
    readonly cells: readonly ReactNode[]
    readonly what: { readonly runIds: readonly string[] } | { readonly uploadIds: readonly string[] }
  }[]
}

/** Deleted things of one kind; nothing if there are none. */
function Deleted({ title, label, head, slug, things }: DeletedProps) {
  if (things.length === 0) return null
  return (
    <section className="above-24">
      <h2 className="section-title">{title}</h2>
      <ListTable label={label} head={head}>
        {things.map(({ id, name, cells, what }) => (
          <tr key={id}>
            <th scope="row" className={`break ${styles.name}`}>
              {name}
            </th>
            {cells.map((cell, at) => (
              <td key={at}>{cell}</td>
            ))}
            <td>
              <TrashActions slug={slug} name={name} {...what} />
            </td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}
