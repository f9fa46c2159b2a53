import Link from 'next/link'
import { formatBytes, formatCount } from '@/lib/format'
import type { UploadSummary } from '@/lib/stored'
import { actions, ListTable } from '../ui/list-table'
import { Time } from '../ui/time'
import styles from './settings.module.css'
import { UploadActions } from './upload-actions'

/** The files of a project, kept as they came. */
export function UploadsTable({
  slug,
  uploads,
  nowMs,
}: {
  slug: string
  uploads: readonly UploadSummary[]
  nowMs: number
}) {
  if (uploads.length === 0) return <p className="muted">No file was saved yet.</p>
  return (
    <ListTable label="Uploads" head={['File', 'Uploaded', 'Size', 'Lines', actions]} numbers={['Size', 'Lines']}>
      {uploads.map(({ id, name, createdAt, sizeBytes, lineCount, state, rawRemovedAt }) => (
        <tr key={id}>
          <th scope="row" className={styles.name}>
            <Link href={state === 'draft' ? `/p/${slug}/upload/${id}` : `/p/${slug}/runs?upload=${id}`}>{name}</Link>
            {state === 'draft' ? <span className="chip">draft</span> : null}
          </th>
          <td>
            <Time at={createdAt} nowMs={nowMs} />
          </td>
          <td className="num">{formatBytes(sizeBytes)}</td>
          <td className="num">{formatCount(lineCount)}</td>
          <td>
            <UploadActions slug={slug} uploadId={id} name={name} hasRaw={rawRemovedAt === null} />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
