import type { AuditAction } from '@/lib/account/audit'
import { NotFoundError } from '@/lib/errors'
import type { Viewer } from '@/lib/viewer'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { settings } from '../settings'
import { viewerOf } from './request-viewer'
import { problemOf, respondProblem, wantsText } from './respond'
import { takeTurn, type SlotKind } from './work-slots'

interface Context<Params> {
  readonly params: Promise<Params>
}
type Handler<Params> = (request: Request, params: Params, viewer: Viewer) => Promise<Response>
type Route<Params> = (request: Request, context: Context<Params>) => Promise<Response>

export interface RouteOptions {
  /** Errors are sent as text unless the client asked for something else. */
  readonly text?: boolean
  /** The turn that a request waits for before any database query: under load, even a query takes time. */
  readonly slots?: SlotKind
}

/** A route that changes nothing. The viewer is known before anything is read; errors become problems. */
export function route<Params>(handler: Handler<Params>, options: RouteOptions = {}): Route<Params> {
  return async (request, context) => {
    try {
      return await inTurn(request, options.slots, async () => {
        const viewer = await viewerOf(request.headers)
        return handler(request, await context.params, viewer)
      })
    } catch (error) {
      return respondProblem(problemOf(error), options.text === true && wantsText(request))
    }
  }
}

const turns = new WeakMap<Request, () => void>()

/** Throws BusyError. */
async function inTurn<T>(request: Request, slots: SlotKind | undefined, work: () => Promise<T>): Promise<T> {
  if (slots === undefined) return work()
  const end = await takeTurn(slots)
  turns.set(request, end)
  try {
    return await work()
  } finally {
    end()
  }
}

/** Ends a request's turn before its response is ready: what it still waits for holds up no other request. */
export const endTurn = (request: Request): void => turns.get(request)?.()

/** A route for any client, signed in or not; errors become problems. */
export function openRoute<Params>(handler: (request: Request, params: Params) => Promise<Response>): Route<Params> {
  return async (request, context) => {
    try {
      return await handler(request, await context.params)
    } catch (error) {
      return respondProblem(problemOf(error), wantsText(request))
    }
  }
}

type Subject = Readonly<Record<string, string>>

const deeds = new WeakMap<Request, Subject | null>()

/**
 * Notes for the audit log the subject of a change, where its address does not name it: ids and names by kind, `project`
 * by its slug. The change was made, whatever status the response has. Null: nothing was changed.
 */
export function noteSubject(request: Request, subject: Subject | null): void {
  deeds.set(request, subject)
}

/** A route that changes something: the change is in the audit log before its response is sent. */
export function mutation<Params>(
  action: AuditAction,
  handler: Handler<Params>,
  options: RouteOptions = {},
): Route<Params> {
  return route<Params>(async (request, params, viewer) => {
    const response = await handler(request, params, viewer)
    const subject = deeds.get(request)
    if (subject === null) return response
    // An accepted form redirects.
    const isDone = response.ok || response.status === 303 || subject !== undefined
    if (isDone) await logChange(action, { ...params, ...subject }, viewer, request.headers)
    return response
  }, options)
}

/** On a server without accounts, these addresses do not exist. Throws NotFoundError. */
export function requireAccounts(): void {
  if (!settings().hasAccounts) throw new NotFoundError('Page')
}

/** Logs a change that a request made, on a server with accounts. `about`: as for `noteSubject`. */
export async function logChange(action: AuditAction, about: object, viewer: Viewer, headers: Headers): Promise<void> {
  if (!settings().hasAccounts) return
  const { project = null, ...subject } = about as Subject & { project?: string }
  await addAuditEntry(viewer, { action, slug: project, subject, address: clientOf(headers) })
}

/** The client's address, as the server saw it (serve.ts sets it, and drops what the client sent). */
export const clientOf = (headers: Headers): string => headers.get('x-tailboard-client') ?? ''
