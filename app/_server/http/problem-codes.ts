import type { ImportErrorCode } from '@/lib/errors'

const ofImports = ['empty', 'unknown-format', 'ambiguous-format', 'truncated', 'malformed', 'inconsistent'] as const

/** The codes of problems, by their status. */
export const problemCodes = {
  400: ['invalid-input', 'incomplete-body'],
  401: ['unauthenticated'],
  403: ['forbidden'],
  404: ['not-found'],
  408: ['too-slow'],
  409: ['conflict'],
  413: ['too-large'],
  422: ['key-reused', ...ofImports, 'too-large'],
  429: ['too-many-requests'],
  500: ['internal'],
  503: ['database-unavailable', 'store-unavailable', 'busy'],
  507: ['no-room'],
} as const satisfies Readonly<Record<number, readonly string[]>> & {
  readonly 422: readonly (ImportErrorCode | 'key-reused')[]
}

export type ProblemStatus = keyof typeof problemCodes
export type ProblemCode = (typeof problemCodes)[ProblemStatus][number] | ImportErrorCode
