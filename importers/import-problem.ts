import type { ImportError } from '../lib/errors'
import type { ImportProblem } from '../lib/run/run'

/** A refusal as a problem of a file that was otherwise read. */
export function problemOf({ code, line, message, hint }: ImportError, lastLine: number | null = null): ImportProblem {
  return { code, severity: 'error', line, lastLine, message, hint }
}

/** The problem of a report or file that ends too early. */
export function cutProblem(
  line: number | null,
  message: string,
  hint = 'The results before it were read. Upload the whole file to get all.',
): ImportProblem {
  return { code: 'truncated', severity: 'error', line, lastLine: null, message, hint }
}
