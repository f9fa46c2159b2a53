import type { ZodType } from 'zod'
import { InvalidInputError, TooLargeError } from '@/lib/errors'
import { readyBody } from './paced-body'

const LIMIT_BYTES = 1024 * 1024
const DEPTH_LIMIT = 16

/** The JSON body of a request, checked by `schema`. Throws what `readText` does, or the schema's ZodError. */
export async function readJson<T>(request: Request, schema: ZodType<T>): Promise<T> {
  const text = await readText(request, LIMIT_BYTES, 'The request body is larger than 1 MiB.')
  // Before it is parsed, and read by code that recurses for each level.
  if (depthOf(text) > DEPTH_LIMIT) throw new InvalidInputError(`The JSON is nested deeper than ${DEPTH_LIMIT} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InvalidInputError('The body is not JSON.', {
      hint: 'Send Content-Type: application/json and a JSON object.',
    })
  }
  return schema.parse(value)
}

/**
 * The text of a request's body, at most `limitBytes` long; `tooLarge`: the message for a longer one. Throws
 * InvalidInputError, TooLargeError, SlowBodyError, IncompleteBodyError.
 */
export async function readText(request: Request, limitBytes: number, tooLarge: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of readyBody(request)) {
      bytes += chunk.byteLength
      if (bytes > limitBytes) throw new TooLargeError(tooLarge, limitBytes)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new InvalidInputError('The body is not UTF-8 text.')
    throw error
  }
}

/** Deepest nesting of brackets outside strings. */
function depthOf(json: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at]
    if (inString) {
      if (char === '\\') at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') deepest = Math.max(deepest, (depth += 1))
    else if (char === '}' || char === ']') depth -= 1
  }
  return deepest
}
