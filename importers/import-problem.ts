import { ImportError, type ImportErrorCode } from '../lib/errors'
import type { maskedCode } from '../lib/secrets'
import type { ImportProblem } from '../lib/run/run'

/** A line, or the first and the last of several; null: the whole file. */
type Place = number | null | readonly [first: number | null, last: number | null]

/**
 * Of a problem that is made today; a stored one may have another. `corrected`: a later change to the file was undone.
 */
type ProblemCode =
  ImportErrorCode | 'not-imported' | 'not-understood' | 'foreign-tool' | 'corrected' | typeof maskedCode

const problemOfSeverity =
  (severity: ImportProblem['severity']) =>
  (code: ProblemCode, place: Place, message: string, hint: string | null = null): ImportProblem => {
    const [line, lastLine] = typeof place === 'number' || place === null ? [place, null] : place
    return { code, severity, line, lastLine, message, hint }
  }

/** Something was lost or refused. */
export const errorAt = problemOfSeverity('error')
/** Something was read, but is doubtful. */
export const warningAt = problemOfSeverity('warning')
/** Something was deliberately left out. */
export const infoAt = problemOfSeverity('info')

/** A refusal as a problem of a file that was otherwise read. */
export function problemOf({ code, line, message, hint }: ImportError, lastLine: number | null = null): ImportProblem {
  return errorAt(code, [line, lastLine], message, hint)
}

/** The problem of a report or file that ends too early. */
export function truncatedProblem(
  place: Place,
  message: string,
  hint = 'The results before it were read. Upload the whole file to get all.',
): ImportProblem {
  return errorAt('truncated', place, message, hint)
}

/** The problem of a damaged line of a tool's report. */
export const unreadableLine = (tool: string, line: number): ImportProblem =>
  errorAt(
    'malformed',
    line,
    `a line of ${indefinite(tool)} report that cannot be read`,
    `Upload the output as ${tool} printed it.`,
  )

const indefinite = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** The refusal of a file without any content. */
export const emptyFile = (): ImportError =>
  new ImportError('empty', 'there is nothing in it', { hint: 'Upload what the tool printed.' })
