import { roleAllows, type Need } from '@/lib/viewer'
import type { IconName } from '../ui/icon'
import type { Access } from '../ui/actions/access'

/** A destination of a project's rail. */
export interface Destination {
  /** Path below the project's address; empty: the address itself. */
  readonly path: string
  readonly name: string
  readonly icon: IconName
  /** Pages that belong to it and have addresses of their own. */
  readonly also: readonly string[]
}

export const destinations: readonly Destination[] = [
  { path: '', name: 'Board', icon: 'board', also: [] },
  { path: 'runs', name: 'Runs', icon: 'runs', also: [] },
  { path: 'compare', name: 'Compare', icon: 'compare', also: ['matrix', 'experiments', 'comparisons'] },
  { path: 'trends', name: 'Trends', icon: 'trends', also: [] },
  { path: 'alerts', name: 'Alerts', icon: 'alerts', also: [] },
]

/** Settings, which are set up once. */
export const settings: Destination = {
  path: 'settings',
  name: 'Settings',
  icon: 'settings',
  also: ['environments', 'rules', 'channels', 'uploads', 'trash', 'members', 'audit'],
}

/** A page of a project, and the viewers that it is offered to. */
interface Page {
  readonly path: string
  readonly name: string
  /** Absent: every viewer of the project. */
  readonly need?: Need
  /** It does not exist on a server without accounts. */
  readonly isOfAccounts?: boolean
}

/** The settings and the lists beside them: tabs. */
export const settingsPages = [
  { path: 'settings', name: 'Settings' },
  { path: 'uploads', name: 'Uploads' },
  { path: 'trash', name: 'Trash' },
  { path: 'audit', name: 'Audit log', need: 'administer', isOfAccounts: true },
] as const satisfies readonly Page[]

/** The sections of the settings, in their order; `id`: its anchor. */
export const settingsSections = [
  { id: 'general', name: 'General', need: 'administer' },
  { id: 'candidates', name: 'Candidates', need: 'administer' },
  { id: 'warm-up', name: 'Warm-up', need: 'administer' },
  { id: 'environments', name: 'Environments' },
  { id: 'rules', name: 'Rules' },
  { id: 'channels', name: 'Notification channels' },
  { id: 'members', name: 'Members', isOfAccounts: true },
  { id: 'retention', name: 'Retention', need: 'administer' },
  { id: 'terminal', name: 'Upload from a terminal or CI', need: 'upload' },
  { id: 'delete', name: 'Delete', need: 'administer' },
] as const satisfies readonly (Omit<Page, 'path'> & { readonly id: string })[]

export type SectionId = (typeof settingsSections)[number]['id']

/** Whether a page is offered to its viewer. */
export const isOffered = (
  { need = 'read', isOfAccounts = false }: Omit<Page, 'path'>,
  { role, hasAccounts }: Access,
): boolean => roleAllows(role, need) && (hasAccounts || !isOfAccounts)

/** Pages that the palette offers besides the destinations. */
export const morePages: readonly Page[] = [
  { path: 'matrix', name: 'Matrix' },
  { path: 'matrix?view=sweep', name: 'Sweep' },
  { path: 'experiments', name: 'Experiments' },
  { path: 'comparisons', name: 'Saved and shared' },
  { path: 'upload', name: 'Upload', need: 'upload' },
  ...settingsPages.slice(1),
  ...settingsSections.map(({ id, ...page }): Page => ({ ...page, path: `settings#${id}` })),
]

/** The address of a page of a project. */
export const projectHref = (slug: string, path: string): string => (path === '' ? `/p/${slug}` : `/p/${slug}/${path}`)

/** Whether the page at `pathname` belongs to the destination. */
export function isAt(slug: string, { path, also }: Destination, pathname: string): boolean {
  const own = projectHref(slug, path)
  if (path === '') return pathname === own
  return [own, ...also.map((other) => projectHref(slug, other))].some(
    (one) => pathname === one || pathname.startsWith(`${one}/`),
  )
}
