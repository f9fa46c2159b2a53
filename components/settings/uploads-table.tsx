import { Link } from '../ui/links/link'
import { formatBytes, formatCount } from '@/lib/format'
import type { UploadSummary } from '@/lib/history/stored-uploads'
import { uploadTitle, type UploadContent } from '@/lib/project/upload-title'
import { actions, ListTable } from '../ui/list-table'
import { PageLinks } from '../ui/links/page-links'
import { Time } from '../ui/time'
import styles from './settings.module.css'
import { UploadActions } from './upload-actions'

/** The files of a project, stored unchanged. */
export function UploadsTable({
  slug,
  uploads,
  contents,
  nowMs,
}: {
  slug: string
  uploads: readonly UploadSummary[]
  /** Contents of those with runs. */
  contents: readonly UploadContent[]
  nowMs: number
}) {
  const contentOf = new Map(contents.map((content) => [content.uploadId, content]))
  if (uploads.length === 0) return <p className="muted">No uploads yet.</p>
  return (
    <ListTable
      isStacked
      label="Uploads"
      head={['File', 'Uploaded', 'Size', 'Lines', actions]}
      numbers={['Size', 'Lines']}
    >
      {uploads.map((upload) => (
        <UploadRow
          key={upload.id}
          slug={slug}
          upload={upload}
          title={uploadTitle(upload.name, contentOf.get(upload.id) ?? null)}
          nowMs={nowMs}
        />
      ))}
    </ListTable>
  )
}

interface RowProps {
  readonly slug: string
  readonly upload: UploadSummary
  /** Its name, or its contents. */
  readonly title: string
  readonly nowMs: number
}

function UploadRow({ slug, upload, title, nowMs }: RowProps) {
  const { id, name, createdAt, sizeBytes, lineCount, state, rawRemovedAt } = upload
  return (
    <tr>
      <th scope="row" className={`break ${styles.name}`}>
        <Link href={state === 'draft' ? `/p/${slug}/upload/${id}` : `/p/${slug}/runs?upload=${id}`}>{title}</Link>
        {title === name ? null : <span className="muted text-12 regular"> {name}</span>}
        {state === 'draft' ? <span className="chip">draft</span> : null}
      </th>
      <td>
        <Time at={createdAt} nowMs={nowMs} />
      </td>
      <td className="num">{formatBytes(sizeBytes)}</td>
      <td className="num" data-label="Lines">
        {formatCount(lineCount)}
      </td>
      <td>
        <UploadActions slug={slug} uploadId={id} name={title} hasRaw={rawRemovedAt === null} />
      </td>
    </tr>
  )
}

interface PagesProps {
  readonly slug: string
  readonly isFirst: boolean
  /** `before` of the next page, with older uploads; null: there are none. */
  readonly nextBefore: string | null
}

/** Links to older uploads and back to the newest; nothing if there is one page. */
export function UploadPages({ slug, isFirst, nextBefore }: PagesProps) {
  const path = `/p/${slug}/uploads`
  return (
    <PageLinks
      label="Pages of uploads"
      first={isFirst ? null : { href: path, name: 'Newest' }}
      next={nextBefore === null ? null : { href: `${path}?before=${nextBefore}`, name: 'Older' }}
    />
  )
}
