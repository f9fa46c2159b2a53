import { format, stripVTControlCharacters } from 'node:util'
import { pino, type Logger } from 'pino'
import type { FinishedRequest } from './finished-request'
import { requestId, type RequestContext } from './request-context'
import { settings } from '../settings'

/** On globalThis: the server and each route of Next have their own copies of this module in one process. */
const key = Symbol.for('tailboard.log')

/** Null: lines are plain. */
function logger(): Logger | null {
  const holder = globalThis as { [key]?: Logger | null }
  if (holder[key] === undefined) {
    // Written before the process can end.
    const destination = () => pino.destination({ dest: 1, sync: true })
    const timestamp = pino.stdTimeFunctions.isoTime
    const level = (label: string) => ({ level: label })
    holder[key] = settings().logsJson ? pino({ timestamp, formatters: { level } }, destination()) : null
  }
  return holder[key]
}

/** One line for the operator: JSON if TAILBOARD_LOG says so; else plain, on stderr when something is wrong. */
export function log(level: 'info' | 'warn' | 'error', message: string): void {
  const json = logger()
  if (json !== null) json[level](message)
  else (level === 'info' ? process.stdout : process.stderr).write(`${message}\n`)
}

/** Turns what other code in this process writes to the console into lines of the log, if that is JSON. */
export function takeConsole(): void {
  const json = logger()
  if (json === null) return
  const writes =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: unknown[]) =>
      json[level](stripVTControlCharacters(format(...parts)).trim())
  Object.assign(console, { log: writes('info'), info: writes('info'), warn: writes('warn'), error: writes('error') })
}

/** Keeps running once its output has no reader: otherwise the error would be printed, and fail again, forever. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}

/** A defect, with its stack. Its id connects a response with it. */
export function logDefect(error: unknown): { readonly id: string } {
  const id = requestId() ?? crypto.randomUUID()
  const json = logger()
  if (json !== null) json.error({ requestId: id, err: error }, 'A request failed')
  else {
    const stack = error instanceof Error ? error.stack : null
    process.stderr.write(`${JSON.stringify({ level: 'error', id, message: String(error), stack })}\n`)
  }
  return { id }
}

/** One line per request, in JSON only. It never contains a query, a header or a body. */
export function logRequest(finished: FinishedRequest, { id, client, viewer }: RequestContext): void {
  const { method, route, status, seconds, bytes } = finished
  const ms = Math.round(seconds * 10_000) / 10
  const about = { requestId: id, method, route, path: withoutSecrets(finished.path), status, ms, bytes, client }
  logger()?.[status >= 500 ? 'warn' : 'info']({ ...about, ...viewer }, 'request')
}

const maxPathLength = 300

/**
 * Hides the parts of a path that grant access: links of shares, badges and invitations, and anything as long as their
 * secrets.
 */
function withoutSecrets(path: string): string {
  const parts = path.slice(0, maxPathLength).split('/')
  const opens = ['s', 'badge', 'invitations'].includes(decoded(parts[1] ?? ''))
  return parts.map((part, at) => ((opens && at > 1) || isLikeSecret(decoded(part)) ? '[hidden]' : part)).join('/')
}

const isLikeSecret = (part: string): boolean => /[\w-]{30}/.test(part) && !/^[0-9a-f-]{36}$/i.test(part)

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // refused with 400
  }
}
