import { ZodError } from 'zod'
import {
  ConflictError,
  ForbiddenError,
  ImportError,
  KeyReusedError,
  InvalidInputError,
  NotFoundError,
  TooLargeError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '@/lib/errors'
import { databaseFailureOf } from '@/prisma/database-failure'
import { outageRetrySeconds } from '../outage'
import { logDefect } from '../observe/log'
import { waitForDatabase } from '../watch-database'
import { StoreError } from '../store/store-error'
import type { ProblemCode, ProblemStatus } from './problem-codes'
import { requestId } from '../observe/request-context'

/** RFC 9457, with our stable `code` and what to do next. */
export interface Problem {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: ProblemStatus
  readonly code: ProblemCode
  readonly detail: string
  readonly hint: string | null
  readonly field?: string | null
  readonly line?: number | null
  readonly offset?: number | null
  /** Where the refused upload can be examined, when it was stored. */
  readonly url?: string | null
  /** When to try again, in seconds. */
  readonly retryAfterSeconds?: number
}

/** An upload that ended before it was complete. */
export class IncompleteBodyError extends Error {}
/** An upload whose sender is silent, or slower than any network, for too long. */
export class SlowBodyError extends Error {}
/** This instance is at its limit. */
export class BusyError extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message)
  }
}

const base = { type: 'about:blank', hint: null } as const

const noRoom: Problem = {
  ...base,
  title: 'No room',
  status: 507,
  code: 'no-room',
  detail: 'The server has no room left on its disk. Nothing was saved.',
  hint: 'Its operator has to free some; then send it again.',
}

const databaseIsAway: Problem = {
  ...base,
  title: 'Database unavailable',
  status: 503,
  code: 'database-unavailable',
  detail: 'The database does not respond at the moment. Nothing was changed.',
  hint: `Try again in ${outageRetrySeconds} seconds.`,
  retryAfterSeconds: outageRetrySeconds,
}

const storeIsAway: Problem = {
  ...base,
  title: 'Store unavailable',
  status: 503,
  code: 'store-unavailable',
  detail: 'The store of raw uploads does not respond at the moment. Nothing was saved.',
  hint: `Try again in ${outageRetrySeconds} seconds.`,
  retryAfterSeconds: outageRetrySeconds,
}

/** The one place that maps errors to HTTP. An unknown error is a defect: 500, logged with its id. */
export function problemOf(error: unknown): Problem {
  if (error instanceof NotFoundError) {
    return {
      ...base,
      title: 'Not found',
      status: 404,
      code: 'not-found',
      detail: `${error.message}.`,
      hint: error.hint,
    }
  }
  if (error instanceof UnauthenticatedError) {
    const hint = 'Open the page in a browser, or send the header `Authorization: Bearer …`.'
    return {
      ...base,
      title: 'Not signed in',
      status: 401,
      code: 'unauthenticated',
      detail: sentence(error.message),
      hint,
    }
  }
  if (error instanceof ForbiddenError) {
    const hint = 'Ask an admin of the project for another role, or use a token with another scope.'
    return { ...base, title: 'Not allowed', status: 403, code: 'forbidden', detail: sentence(error.message), hint }
  }
  if (error instanceof TooManyRequestsError) {
    const { retryAfterSeconds } = error
    const detail = `${error.message}: try again in ${retryAfterSeconds} s.`
    return { ...base, title: 'Too many requests', status: 429, code: 'too-many-requests', detail, retryAfterSeconds }
  }
  if (error instanceof InvalidInputError) {
    const { field, hint } = error
    return { ...base, title: 'Invalid input', status: 400, code: 'invalid-input', detail: error.message, field, hint }
  }
  if (error instanceof ZodError) {
    const issue = error.issues[0]
    const field = issue?.path.join('.') || null
    return {
      ...base,
      title: 'Invalid input',
      status: 400,
      code: 'invalid-input',
      detail: issue?.message ?? 'Invalid input',
      field,
    }
  }
  if (error instanceof ConflictError) {
    return { ...base, title: 'Conflict', status: 409, code: 'conflict', detail: error.message, hint: error.hint }
  }
  if (error instanceof KeyReusedError) {
    const hint = 'Use a new key for each file, and the old one only to repeat a request.'
    return { ...base, title: 'Key reused', status: 422, code: 'key-reused', detail: error.message, hint }
  }
  if (error instanceof TooLargeError) {
    return { ...base, title: 'Too large', status: 413, code: 'too-large', detail: error.message }
  }
  if (error instanceof IncompleteBodyError) {
    const hint = 'Send the file again; nothing was saved.'
    return { ...base, title: 'Incomplete upload', status: 400, code: 'incomplete-body', detail: error.message, hint }
  }
  if (error instanceof SlowBodyError) {
    const hint = 'Nothing was saved. Send all of it at once; the output of a tool, write to a file first.'
    return { ...base, title: 'Too slow', status: 408, code: 'too-slow', detail: error.message, hint }
  }
  if (error instanceof ImportError) {
    const { code, line, offset, hint } = error
    return { ...base, title: 'Not importable', status: 422, code, detail: sentence(error.message), line, offset, hint }
  }
  if (error instanceof StoreError) return storeIsAway
  const failure = databaseFailureOf(error)
  if (failure === 'full') return noRoom
  if (failure === 'unavailable') {
    void waitForDatabase(error)
    return databaseIsAway
  }
  if (error instanceof BusyError) {
    const { retryAfterSeconds } = error
    const hint = `Send it again in ${retryAfterSeconds} s.`
    return { ...base, title: 'Busy', status: 503, code: 'busy', detail: error.message, hint, retryAfterSeconds }
  }
  const { id } = logDefect(error)
  const detail = 'Something failed on the server. Nothing was changed.'
  return {
    ...base,
    title: 'Server error',
    status: 500,
    code: 'internal',
    detail,
    hint: `The server's log has the cause under ${id}.`,
  }
}

/** Importers write messages as parts of a sentence. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** A problem as one readable line, for terminals. */
function problemLine(problem: Problem): string {
  const place = problem.line ? ` (line ${problem.line})` : problem.offset ? ` (byte ${problem.offset})` : ''
  const more = [problem.hint, problem.url ? `See it at: ${problem.url}` : null].filter((part) => part !== null)
  return `${[problem.detail.replace(/\.$/, `${place}.`), ...more].join(' ')}\n`
}

/** Whether the client wants text: curl and other clients that accept anything do. */
export function wantsText(request: Request): boolean {
  const accept = request.headers.get('accept') ?? '*/*'
  return !/json|html/.test(accept)
}

export function respondProblem(problem: Problem, asText: boolean): Response {
  const headers = {
    'cache-control': 'no-store',
    ...(problem.status === 401 ? { 'www-authenticate': 'Bearer realm="Tailboard"' } : {}),
    ...(problem.retryAfterSeconds === undefined ? {} : { 'retry-after': String(problem.retryAfterSeconds) }),
  }
  if (asText) {
    return new Response(problemLine(problem), {
      status: problem.status,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    })
  }
  return new Response(JSON.stringify({ ...problem, requestId: requestId() ?? undefined }), {
    status: problem.status,
    headers: { ...headers, 'content-type': 'application/problem+json' },
  })
}

export function respondJson(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' },
  })
}

export function respondText(body: string, status = 200): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
  })
}

/** A body that is sent as it is read; ended early, it closes its source. */
export function bodyOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

export const respondNothing = (): Response => new Response(null, { status: 204 })
