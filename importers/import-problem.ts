import type { ImportError } from '../lib/errors'
import type { ImportProblem } from '../lib/run/run'

/** A refusal as the problem of a file of which other parts were read. */
export function problemOf({ code, line, message, hint }: ImportError, lastLine: number | null = null): ImportProblem {
  return { code, severity: 'error', line, lastLine, message, hint }
}
