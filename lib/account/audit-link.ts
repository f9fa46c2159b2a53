import type { AuditRow } from './audit'

/** Path of an entry's subject below the project's address, by the kind of its id: the most specific one first. */
const places: readonly (readonly [kind: string, path: (id: string) => string])[] = [
  ['alert', (id) => `alerts/${id}`],
  ['run', (id) => `runs/${id}`],
  ['upload', (id) => `runs?upload=${id}`],
  ['comparison', (id) => `comparisons/${id}`],
  ['series', (id) => `trends/${id}`],
  ['rule', (id) => `rules#${id}`],
  ['channel', () => 'channels'],
  ['delivery', () => 'channels'],
  ['share', () => 'comparisons#shares'],
  ['account', () => 'members'],
  ['invitation', () => 'members'],
]

/** Actions that remove the subject from its place. */
const isGone = /\.(?:delete|revoke|remove|cancel|move)$/

/** Where the subject of an entry can be seen; if deleted, in the trash or nowhere. Null: nowhere. */
export function auditHref({
  action,
  subject,
  project,
}: Pick<AuditRow, 'action' | 'subject' | 'project'>): string | null {
  if (project === null || action === 'project.delete') return null
  // A discarded draft is not in the trash.
  if (subject['draft'] !== undefined) return null
  const base = `/p/${project.slug}`
  if (action === 'run.delete' || action === 'upload.delete') return `${base}/trash`
  if (isGone.test(action) && action !== 'alert.move') return null
  const [found] = places.flatMap(([kind, path]) => (subject[kind] === undefined ? [] : [path(subject[kind])]))
  return found === undefined ? (action === 'project.create' ? base : null) : `${base}/${found}`
}
