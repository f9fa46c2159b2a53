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
import { errorLine, errorSentence } from '@/lib/error-words'
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
  detail: 'The server has no space left on its disk. Nothing was saved.',
  hint: 'Try again once its operator has freed some.',
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

/** What an error adds to the text of its kind. */
type Said = Pick<Problem, 'detail'> & Partial<Problem>

/** The problem of an error if it is of this class, else null. */
const kind =
  <One extends Error>(
    of: new (...args: never[]) => One,
    title: string,
    status: ProblemStatus,
    code: ProblemCode,
    say: (error: One) => Said,
  ) =>
  (error: unknown): Problem | null =>
    error instanceof of ? { ...base, title, status, code, ...say(error) } : null

const kinds = [
  kind(NotFoundError, 'Not found', 404, 'not-found', ({ message, hint }) => ({ detail: `${message}.`, hint })),
  kind(UnauthenticatedError, 'Not signed in', 401, 'unauthenticated', ({ message }) => ({
    detail: errorSentence(message),
    hint: 'Open the page in a browser, or send the header `Authorization: Bearer …`.',
  })),
  kind(ForbiddenError, 'Not allowed', 403, 'forbidden', ({ message }) => ({
    detail: errorSentence(message),
    hint: 'Ask an admin of the project for another role, or use a token with another scope.',
  })),
  kind(TooManyRequestsError, 'Too many requests', 429, 'too-many-requests', ({ message, retryAfterSeconds }) => ({
    detail: `${message}: try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  })),
  kind(InvalidInputError, 'Invalid input', 400, 'invalid-input', ({ message, field, hint }) => {
    return { detail: message, field, hint }
  }),
  kind(ZodError, 'Invalid input', 400, 'invalid-input', ({ issues: [issue] }) => ({
    detail: issue?.message ?? 'Invalid input',
    field: issue?.path.join('.') || null,
  })),
  kind(ConflictError, 'Conflict', 409, 'conflict', ({ message, hint }) => ({ detail: message, hint })),
  kind(KeyReusedError, 'Key reused', 422, 'key-reused', ({ message }) => ({
    detail: message,
    hint: 'Use a new key for each file, and the old one only to repeat a request.',
  })),
  kind(TooLargeError, 'Too large', 413, 'too-large', ({ message }) => ({ detail: message })),
  kind(IncompleteBodyError, 'Incomplete upload', 400, 'incomplete-body', ({ message }) => ({
    detail: message,
    hint: 'Send the file again; nothing was saved.',
  })),
  kind(SlowBodyError, 'Too slow', 408, 'too-slow', ({ message }) => ({
    detail: message,
    hint: 'Nothing was saved. Send all of it at once; the output of a tool, write to a file first.',
  })),
  kind(ImportError, 'Not importable', 422, 'malformed', ({ code, message, line, offset, hint }) => {
    return { code, detail: errorSentence(message), line, offset, hint }
  }),
  kind(BusyError, 'Busy', 503, 'busy', ({ message, retryAfterSeconds }) => ({
    detail: message,
    hint: `Send it again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  })),
]

/** The one place that maps errors to HTTP. An unknown error is a defect: 500, logged with its id. */
export function problemOf(error: unknown): Problem {
  for (const read of kinds) {
    const problem = read(error)
    if (problem !== null) return problem
  }
  if (error instanceof StoreError) return storeIsAway
  const failure = databaseFailureOf(error)
  if (failure === 'full') return noRoom
  if (failure === 'unavailable') {
    void waitForDatabase(error)
    return databaseIsAway
  }
  const { id } = logDefect(error)
  return {
    ...base,
    title: 'Server error',
    status: 500,
    code: 'internal',
    detail: 'Something failed on the server. Nothing was changed.',
    hint: `The server's log has the cause under ${id}.`,
  }
}

/** A problem as one readable line, for terminals. */
const problemLine = (problem: Problem): string =>
  `${errorLine(problem.detail, problem, [problem.hint, problem.url ? `See it at: ${problem.url}` : null])}\n`

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
