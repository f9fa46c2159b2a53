/** What a member of a project may do there, in rising order. */
export const roles = ['viewer', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

/** The most an API token may do; never more than the account that made it. */
export const tokenScopes = ['upload', 'read', 'admin'] as const
export type TokenScope = (typeof tokenScopes)[number]

/**
 * What a query does with a project. `read` its contents; `upload` output to it; `edit` its runs, alerts, rules, notes
 * and shares; `administer` its settings, channels, members and trash.
 */
export const needs = ['read', 'upload', 'edit', 'administer'] as const
export type Need = (typeof needs)[number]

/** A person who is signed in, or a token that acts for one. */
export interface AccountViewer {
  readonly accountId: string
  /** As shown to others in histories. */
  readonly name: string
  /** Administers the installation: every project, all accounts. */
  readonly isOwner: boolean
}

/**
 * Who a query is made for. Every query takes one and puts it into its `where`. On a server without accounts, which only
 * this machine reaches, everyone is `local` and may do everything. `system` is background work for one project.
 */
export type Viewer =
  | { readonly kind: 'local' }
  | { readonly kind: 'system'; readonly projectId: string }
  | { readonly kind: 'share'; readonly runIds: readonly string[] }
  | ({ readonly kind: 'member'; readonly sessionId: string } & AccountViewer)
  | ({
      readonly kind: 'token'
      readonly tokenId: string
      readonly scope: TokenScope
      /** The only project it gives access to; null: those of its account. */
      readonly projectId: string | null
    } & AccountViewer)

/** Whoever uses a server that listens on loopback only. */
export const localViewer: Viewer = { kind: 'local' }

const needsOfScope: Readonly<Record<TokenScope, readonly Need[]>> = {
  upload: ['upload'],
  read: ['read'],
  admin: ['read', 'upload', 'edit', 'administer'],
}
const needsOfRole: Readonly<Record<Role, readonly Need[]>> = {
  viewer: ['read'],
  editor: ['read', 'upload', 'edit'],
  admin: ['read', 'upload', 'edit', 'administer'],
}

/** Whether a project role covers a need. */
export const roleAllows = (role: Role, need: Need): boolean => needsOfRole[role].includes(need)

/** Whether a token of this scope may ever do that; its account's rights are checked separately. */
export const scopeAllows = (scope: TokenScope, need: Need): boolean => needsOfScope[scope].includes(need)

/** Whether a role covers all that a token of this scope is for. */
export const roleCovers = (role: Role, scope: TokenScope): boolean =>
  needsOfScope[scope].every((need) => roleAllows(role, need))

/** The name shown beside a step, comment or entry of the audit log. */
export function nameOf(viewer: Viewer): string {
  switch (viewer.kind) {
    case 'local':
      return 'local user'
    case 'system':
    case 'share':
      return 'Tailboard'
    case 'member':
    case 'token':
      return viewer.name
  }
}
