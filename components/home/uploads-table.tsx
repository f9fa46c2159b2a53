import Link from 'next/link'
import { formatBytes, formatCount } from '@/lib/format'
import type { UploadSummary } from '@/lib/stored'
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
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Uploads">
      <table className="table">
        <caption className="visually-hidden">Uploads</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Uploaded</th>
            <th scope="col" className="num">
              Size
            </th>
            <th scope="col" className="num">
              Lines
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {uploads.map(({ id, name, createdAt, sizeBytes, lineCount, state, rawRemovedAt }) => (
            <tr key={id}>
              <th scope="row" className={styles.name}>
                <Link href={state === 'draft' ? `/p/${slug}/upload/${id}` : `/p/${slug}/runs?upload=${id}`}>
                  {name}
                </Link>
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
        </tbody>
      </table>
    </div>
  )
}
