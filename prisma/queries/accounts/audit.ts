import { z } from 'zod'
import type { AuditAction, AuditRow } from '../../../lib/account/audit'
import { auditActionSchema } from '../../../lib/account/audit'
import { clipText, storableText } from '../../../lib/text'
import { nameOf, type Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { isId } from '../../rows/ids'
import { requireProject } from '../../statements/access'
import { requireOwner } from '../../statements/accounts/owner'

/** What was done, to what, from where. `slug` null: to the installation. */
export interface NewAuditEntry {
  readonly action: AuditAction
  readonly slug: string | null
  /** Ids and names by kind. */
  readonly subject: Readonly<Record<string, string>>
  readonly address: string
}

/** Records who did something. The caller has made sure that it was done. */
export async function addAuditEntry(viewer: Viewer, entry: NewAuditEntry): Promise<void> {
  const { action, slug, subject, address } = entry
  const accountId = viewer.kind === 'member' || viewer.kind === 'token' ? viewer.accountId : null
  const tokenId = viewer.kind === 'token' ? viewer.tokenId : null
  const known = Object.entries(subject).map(([kind, text]) => [kind, clipText(storableText(text), 300)])
  await database().$executeRaw`
    INSERT INTO audit_entry (project_id, account_id, token_id, who, action, subject, address)
    VALUES (
      (SELECT id FROM project WHERE slug = ${slug} ORDER BY created_at DESC LIMIT 1), ${accountId}, ${tokenId},
      ${nameOf(viewer)}, ${action}, ${JSON.stringify(Object.fromEntries(known))}::jsonb, ${address}
    )`
}

const subjectSchema = z.record(z.string(), z.string())
const pageSize = 100

/**
 * A page of who did what in a project (for its admins), or with null everywhere (for owners), newest first; `before`:
 * the last id of the previous page. Throws NotFoundError, ForbiddenError.
 */
export async function listAuditEntries(
  viewer: Viewer,
  project: string | null,
  before: string | null,
): Promise<{ readonly entries: readonly AuditRow[]; readonly next: string | null }> {
  if (project === null) requireOwner(viewer)
  const projectId = project === null ? null : (await requireProject(database(), viewer, project, 'administer')).id
  const found = await database().auditEntry.findMany({
    where: {
      ...(projectId === null ? {} : { projectId }),
      ...(before !== null && /^\d{1,18}$/.test(before) ? { id: { lt: BigInt(before) } } : {}),
    },
    orderBy: { id: 'desc' },
    take: pageSize + 1,
    include: { project: { select: { slug: true, name: true } } },
  })
  const subjects = new Map(found.map((row) => [row.id, subjectSchema.parse(row.subject)]))
  const ids = [...new Set([...subjects.values()].flatMap(({ account }) => account ?? []))].filter(isId)
  const accounts =
    ids.length === 0
      ? []
      : await database().account.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  const nameOfAccount = new Map(accounts.map(({ id: account, name }) => [account, name]))
  const entries = found.slice(0, pageSize).map((row): AuditRow => {
    const { who, address, project: into } = row
    const id = row.id.toString()
    const [action, subject] = [auditActionSchema.parse(row.action), subjects.get(row.id) ?? {}]
    const about = nameOfAccount.get(subject['account'] ?? '') ?? null
    const isToken = row.tokenId !== null
    return { id, at: row.at.toISOString(), who, address, action, subject, about, project: into, isToken }
  })
  return { entries, next: found.length > pageSize ? (entries.at(-1)?.id ?? null) : null }
}
