/**
 * Why a file, or a part of one, could not be imported. `code` is stable (API, CLI and tests use it); `line` is
 * 1-based in the decoded text; `offset` is a 0-based byte offset, for inputs without lines.
 */
export type ImportErrorCode =
  'empty' | 'unknown-format' | 'ambiguous-format' | 'truncated' | 'malformed' | 'inconsistent' | 'too-large'

export interface ImportErrorDetails {
  readonly line?: number | null
  readonly offset?: number | null
  /** What the user can do about it, in one sentence. */
  readonly hint?: string | null
}

/** Input that cannot be read. Thrown by importers only, and their only error for bad input. */
export class ImportError extends Error {
  readonly code: ImportErrorCode
  readonly line: number | null
  readonly offset: number | null
  readonly hint: string | null

  constructor(code: ImportErrorCode, message: string, details: ImportErrorDetails = {}) {
    super(message)
    this.name = 'ImportError'
    this.code = code
    this.line = details.line ?? null
    this.offset = details.offset ?? null
    this.hint = details.hint ?? null
  }
}

/** The thing does not exist, or the viewer may not know that it does; callers cannot distinguish the two. */
export class NotFoundError extends Error {
  readonly hint: string | null
  constructor(what: string, hint: string | null = null) {
    super(`${what} not found`)
    this.name = 'NotFoundError'
    this.hint = hint
  }
}

/** The request is not authenticated: not signed in, or the token is unknown, expired or revoked. */
export class UnauthenticatedError extends Error {
  constructor(message = 'Sign in, or send a token') {
    super(message)
    this.name = 'UnauthenticatedError'
  }
}

/** The viewer may see the thing, but not do this with it. */
export class ForbiddenError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ForbiddenError'
  }
}

/** Too many requests of one kind. `retryAfterSeconds`: when the next one is accepted. */
export class TooManyRequestsError extends Error {
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.name = 'TooManyRequestsError'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A request whose shape or values are wrong. `field` is the name the client used, when one is to blame. */
export class InvalidInputError extends Error {
  readonly field: string | null
  readonly hint: string | null
  constructor(message: string, details: { field?: string | null; hint?: string | null } = {}) {
    super(message)
    this.name = 'InvalidInputError'
    this.field = details.field ?? null
    this.hint = details.hint ?? null
  }
}

/** The request is well-formed but contradicts the present state (name taken, draft already saved). */
export class ConflictError extends Error {
  readonly hint: string | null
  constructor(message: string, hint: string | null = null) {
    super(message)
    this.name = 'ConflictError'
    this.hint = hint
  }
}

/** More bytes, entries or rows than a limit allows. `limit` is in the unit named in the message. */
export class TooLargeError extends Error {
  readonly limit: number
  constructor(message: string, limit: number) {
    super(message)
    this.name = 'TooLargeError'
    this.limit = limit
  }
}

/** An `Idempotency-Key` was reused with different bytes: one of the two requests is wrong. */
export class KeyReusedError extends Error {
  constructor(key: string) {
    super(`Idempotency-Key ${key} was used for another body within the last day.`)
    this.name = 'KeyReusedError'
  }
}
