import { storableText } from '../text'
import type { Role, TokenScope } from '../viewer'

/** A person who may sign in, as shown to owners and to that person. */
export interface Account {
  readonly id: string
  /** Lower-case. */
  readonly email: string
  readonly name: string
  readonly isOwner: boolean
  readonly hasPassword: boolean
  /** Linked with the OpenID Connect provider. */
  readonly hasOidc: boolean
  readonly createdAt: string
  /** Null: may sign in. */
  readonly disabledAt: string | null
}

/** A signed-in browser. */
export interface SessionRow {
  readonly id: string
  readonly userAgent: string
  readonly address: string
  readonly createdAt: string
  /** Accurate to five minutes. */
  readonly lastSeenAt: string
  readonly expiresAt: string
  /** Whether it made the current request. */
  readonly isOwn: boolean
}

/** A member of a project. */
export interface Member {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly since: string
}

/** An unused link. Only its receiver has its secret. */
export interface InvitationRow {
  readonly id: string
  /** Null: anyone who has the link. */
  readonly email: string | null
  readonly role: Role | null
  readonly isOwner: boolean
  readonly createdAt: string
  readonly expiresAt: string
}

/** What the receiver of an invitation sees before accepting it. */
export interface OpenInvitation {
  readonly id: string
  readonly email: string | null
  /** Null: no project. */
  readonly project: { readonly slug: string; readonly name: string; readonly role: Role } | null
  readonly isOwner: boolean
  /** The current account has that role or a higher one already: accepting would change nothing. */
  readonly isHeld: boolean
  readonly expiresAt: string
}

/** A token as listed: never its secret. */
export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly scope: TokenScope
  /** Its first characters. */
  readonly hint: string
  /** Null: all projects of its account. */
  readonly project: { readonly slug: string; readonly name: string } | null
  /** The token that made it; revoking that one revokes it too. Null: made by a person. */
  readonly parent: { readonly id: string; readonly name: string } | null
  readonly accountName: string
  readonly createdAt: string
  /** Null: it does not expire. */
  readonly expiresAt: string | null
  /** Accurate to five minutes; null: never used. */
  readonly lastUsedAt: string | null
}

/** Of every refused sign-in on a server that cannot verify some of its passwords: addresses stay secret. */
export const unverifiedPassword =
  'The e-mail address or the password is wrong, or this server cannot verify the password: some were stored with argon2, which is not installed here. Ask the operator of the server to install @node-rs/argon2, or for a new password.'

/** Minimum password length: long ones need no rules about their characters. */
export const minPasswordLength = 12
export const maxPasswordLength = 256

/** An e-mail address as it is stored and looked up. */
export const normalEmail = (text: string): string => storableText(text).trim().toLowerCase()
