import { parsed, readProblem, type UploadProblem } from './problem'

export type JsonAnswer =
  { readonly kind: 'answered'; readonly body: unknown } | { readonly kind: 'problem'; readonly problem: UploadProblem }

/** Sends JSON to our own API. Never rejects: what went wrong is a problem in the server's words. */
export async function sendJson(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: unknown = null,
): Promise<JsonAnswer> {
  try {
    const response = await fetch(path, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok) return { kind: 'answered', body: parsed(text) }
    return { kind: 'problem', problem: readProblem(text, response.status) }
  } catch {
    const hint = 'Is Tailboard still running? Then try again.'
    return {
      kind: 'problem',
      problem: { detail: 'The change could not be sent.', hint, line: null, url: null },
    }
  }
}
