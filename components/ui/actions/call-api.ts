/** A refused request, in the server's words. */
class ApiError extends Error {}

/** The server did not answer. */
export class UnreachableError extends Error {}

/**
 * Sends a change to the API of this origin and returns its JSON (null for 204). Throws ApiError or UnreachableError
 * with a sentence.
 */
export async function callApi(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new UnreachableError('The server cannot be reached. Nothing was changed.')
  }
  return answerOf(response)
}

/**
 * Reads JSON from the API of this origin; a query too long for an address goes in a `body`, which changes nothing.
 * Throws ApiError or UnreachableError with a sentence, and passes on the abort of `signal`.
 */
export async function readApi(url: string, signal: AbortSignal, body?: string): Promise<unknown> {
  let response: Response
  try {
    const accept = { accept: 'application/json' }
    const asked =
      body === undefined
        ? { headers: accept }
        : { method: 'POST', headers: { ...accept, 'content-type': 'application/json' }, body }
    response = await fetch(url, { ...asked, signal })
  } catch (error) {
    if (signal.aborted) throw error
    throw new UnreachableError('The server cannot be reached.')
  }
  return answerOf(response)
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.status === 204) return null
  const json: unknown = await response.json().catch(() => null)
  if (response.ok) return json
  const words = [textOf(json, 'detail'), textOf(json, 'hint')].filter((text) => text !== null)
  throw new ApiError(words.length > 0 ? words.join(' ') : `The server responded with status ${response.status}.`)
}

/** A field of a JSON answer; undefined if there is none. By hand: a schema library would be larger than the page. */
export function memberOf(json: unknown, field: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, field) ? Reflect.get(json, field) : undefined
}

/** A text field of a JSON answer; null if it is missing or empty. */
export function textOf(json: unknown, field: string): string | null {
  const value = memberOf(json, field)
  return typeof value === 'string' && value !== '' ? value : null
}

/** The sentence to show for a failure. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
