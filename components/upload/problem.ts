import { memberOf, textOf } from '../ui/actions/call-api'

/** Why a file was refused, in the server's words. */
export interface UploadProblem {
  readonly detail: string
  readonly hint: string | null
  /** 1-based line in the file; null when the whole file is meant. */
  readonly line: number | null
  /** Page of the stored file, where its text is shown; null when it was not stored. */
  readonly url: string | null
}

function lineOf(body: unknown): number | null {
  const value = memberOf(body, 'line')
  return typeof value === 'number' ? value : null
}

/** JSON; null for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a proxy's page, or nothing at all
  }
}

/** An RFC 9457 problem for the page. */
export function readProblem(text: string, status: number): UploadProblem {
  const body = parsed(text)
  const detail = textOf(body, 'detail') ?? `The server responded with status ${status}.`
  const url = textOf(body, 'url')
  const path = url && URL.canParse(url) ? new URL(url).pathname : url
  return { detail, hint: textOf(body, 'hint'), line: lineOf(body), url: path }
}
