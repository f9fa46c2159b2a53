import type { ZodType } from 'zod'
import { InvalidInputError, TooLargeError } from '@/lib/errors'
import { readJson, readText } from './read-json'

const limitBytes = 16 * 1024

/** Whether the body is a form that a browser sends natively: the response is then another page. */
export const isForm = (request: Request): boolean =>
  (request.headers.get('content-type') ?? '').startsWith('application/x-www-form-urlencoded')

/** The fields of a form, or the same as JSON; empty fields are absent. Throws what `readText` does, and ZodError. */
export async function readForm<T>(request: Request, schema: ZodType<T>): Promise<T> {
  if (!isForm(request)) return readJson(request, schema)
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (Number.isNaN(length)) throw new InvalidInputError('The form has no Content-Length.')
  const tooLarge = 'The form is larger than 16 KiB.'
  if (length > limitBytes) throw new TooLargeError(tooLarge, limitBytes)
  const text = await readText(request, limitBytes, tooLarge)
  const fields = [...new URLSearchParams(text)].filter(([, value]) => value !== '')
  return schema.parse(Object.fromEntries(fields))
}

/** Redirects after a form, with 303, so that a reload sends nothing again. */
export function respondSeeOther(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } })
}

/**
 * A path on this server to go on to; anything else, including one that browsers read as another host, is the home page.
 */
export function safeNext(text: string | null | undefined): string {
  const base = 'http://tailboard.invalid'
  if (!text?.startsWith('/') || /[\\\u0000-\u001f]/.test(text) || !URL.canParse(text, base)) return '/'
  const url = new URL(text, base)
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/'
}
