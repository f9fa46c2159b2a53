import { auditWords, type AuditRow } from '@/lib/account/audit'
import { auditHref } from '@/lib/account/audit-link'
import { formatTime } from '@/lib/format'
import { Link } from '../ui/links/link'
import { ListTable } from '../ui/list-table'
import { PageLinks } from '../ui/links/page-links'
import styles from './account.module.css'

interface Props {
  /** Newest first. */
  readonly entries: readonly AuditRow[]
  /** The address of the list. */
  readonly path: string
  readonly isFirst: boolean
  /** The id that the next page starts before; null: there is none. */
  readonly next: string | null
  /** Of the whole installation: each entry names its project. */
  readonly hasProjects?: boolean
}

/** Who did what, when, and from where; the subject is a link if it still exists. */
export function AuditTable({ entries, path, isFirst, next, hasProjects = false }: Props) {
  if (entries.length === 0) return <p className="muted">Nothing is logged yet.</p>
  const head = ['When, UTC', 'Who', 'What', ...(hasProjects ? ['Project'] : []), 'From']
  return (
    <>
      <ListTable isStacked label="Audit log" head={head}>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="nowrap">
              <time dateTime={entry.at}>{formatTime(entry.at).replace(/ UTC$/, '')}</time>
            </td>
            <td className={styles.name}>{entry.who}</td>
            <td className={styles.name}>
              <What entry={entry} />
            </td>
            {hasProjects && (
              <td>{entry.project !== null && <Link href={`/p/${entry.project.slug}`}>{entry.project.name}</Link>}</td>
            )}
            <td className="mono">{entry.address}</td>
          </tr>
        ))}
      </ListTable>
      <PageLinks
        label="Pages of the audit log"
        first={isFirst ? null : { href: path, name: 'Newest' }}
        next={next === null ? null : { href: `${path}?before=${next}`, name: 'Older' }}
      />
    </>
  )
}

function What({ entry }: { readonly entry: AuditRow }) {
  const href = auditHref(entry)
  const { name, email, role, reason } = entry.subject
  const details = [entry.about, name, email, role, reason].filter((text) => text != null)
  return (
    <>
      {href === null ? auditWords[entry.action] : <Link href={href}>{auditWords[entry.action]}</Link>}
      {details.length > 0 && <span className="muted"> {details.join(', ')}</span>}
    </>
  )
}
