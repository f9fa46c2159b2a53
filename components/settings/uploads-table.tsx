import { Link } from '../ui/links/link'
import { formatBytes, formatCount } from '@/lib/format'
import type { UploadSummary } from '@/lib/history/stored-uploads'
import { uploadTitle, type UploadContent } from '@/lib/project/upload-title'
import { actions, ListTable } from '../ui/list-table'
import { PageLinks } from '../ui/links/page-links'
import { Time } from '../ui/time'
import styles from './settings.module.css'
import { CommitWords } from '../runs/commit/commit-words'
import { shownCommit } from '../runs/commit/shown-commit'
import { runName } from '../runs/run-name'
import { UploadActions } from './upload-actions'

/** The files of a project, stored unchanged. */
export function UploadsTable({
  slug,
  repositoryUrl,
  uploads,
  contents,
  nowMs,
}: {
  slug: string
  repositoryUrl: string | null
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
      head={['Runs of', 'Commit', 'Measured', 'Runs', 'File', 'Uploaded', 'Size', 'Lines', actions]}
      numbers={['Runs', 'Size', 'Lines']}
    >
      {uploads.map((upload) => (
        <UploadRow
          key={upload.id}
          slug={slug}
          upload={upload}
          content={contentOf.get(upload.id) ?? null}
          repositoryUrl={repositoryUrl}
          nowMs={nowMs}
        />
      ))}
    </ListTable>
  )
}

interface RowProps {
  readonly slug: string
  readonly repositoryUrl: string | null
  readonly upload: UploadSummary
  /** Null: it has no runs. */
  readonly content: UploadContent | null
  readonly nowMs: number
}

function UploadRow({ slug, repositoryUrl, upload, content, nowMs }: RowProps) {
  const { id, name, createdAt, sizeBytes, lineCount, state, rawRemovedAt } = upload
  const commit = content && shownCommit(labelsOf(content), repositoryUrl)
  const title = content === null ? name : runName(content)
  return (
    <tr>
      <th scope="row" className={`break ${styles.name}`}>
        <Link href={state === 'draft' ? `/p/${slug}/upload/${id}` : `/p/${slug}/runs?upload=${id}`}>{title}</Link>
        {state === 'draft' ? <span className="chip">draft</span> : null}
      </th>
      <td className={styles.commit}>{commit === null ? null : <CommitWords commit={commit} />}</td>
      <td>{content === null ? null : <Time at={content.orderedAt} nowMs={nowMs} />}</td>
      <td className="num" data-label="Runs">
        {formatCount(content?.runCount ?? 0)}
      </td>
      <td className={`muted ${styles.file}`} title={name}>
        {name}
      </td>
      <td>
        <Time at={createdAt} nowMs={nowMs} />
      </td>
      <td className="num">{formatBytes(sizeBytes)}</td>
      <td className="num" data-label="Lines">
        {formatCount(lineCount)}
      </td>
      <td>
        <UploadActions slug={slug} uploadId={id} name={uploadTitle(name, content)} hasRaw={rawRemovedAt === null} />
      </td>
    </tr>
  )
}

const labelsOf = ({ commit, subject }: UploadContent): Record<string, string> => ({
  ...(commit === null ? {} : { commit }),
  ...(subject === null ? {} : { subject }),
})

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
