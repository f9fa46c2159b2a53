import type { ImportedFile } from '../../lib/run/run'
import type { ImportError } from '../../lib/errors'
import type { Truth } from './compare-file'

/** What an importer must report about a file that it reads partially; null: nothing. */
interface ExpectedProblem {
  readonly code: string
  /** What else its message must name. */
  readonly says: readonly RegExp[]
}

/** A note of the independent reader, and the problem that it means; the first match counts. */
const meanings: readonly (readonly [note: RegExp, problem: ExpectedProblem])[] = [
  [/zip without its central directory/, { code: 'truncated', says: [/directory/] }],
  [/the Aggregated line is missing/, { code: 'truncated', says: [/Aggregated/] }],
  [/\bcut\b.*no status codes/, { code: 'truncated', says: [/status codes/] }],
  [/\bcut\b/, { code: 'truncated', says: [/\bends within|\bcut\b|\bis truncated\b/] }],
  [/^(?:empty file|only white space)$/, { code: 'empty', says: [] }],
  [/what vegeta report says/, { code: 'unknown-format', says: [/vegeta/, /no results/] }],
  [/wrk prints only this line/, { code: 'unknown-format', says: [/wrk/, /no results/] }],
  [/web page|random bytes|some other CSV/, { code: 'unknown-format', says: [] }],
]

/** The problem that a truth's notes describe; null if they describe none that is known here. */
export function expectedProblem(notes: readonly string[]): ExpectedProblem | null {
  return meanings.find(([note]) => notes.some((one) => note.test(one)))?.[1] ?? null
}

/** What is wrong with how a file was refused: empty if it was refused for the reason in its truth. */
export function checkRefusal(refused: Problem | undefined, truth: Truth): string[] {
  if (!refused) return ['read, but there is nothing in it to read']
  const { refusal_must_contain: words } = truth
  if (words) {
    const told = `${refused.message} ${refused.hint ?? ''}`.toLowerCase()
    return words.flatMap((word) =>
      told.includes(word.toLowerCase()) ? [] : [`refused without “${word}”: ${refused.message}`],
    )
  }
  return checkProblems([refused], truth)
}

/**
 * What is wrong with how the loss in a partly readable file was reported: its last run must be incomplete, with an
 * error that says why.
 */
export function checkLoss(file: ImportedFile, truth: Truth): string[] {
  const whole = file.runs.at(-1)?.complete !== false ? ['partial, but its last run passes for a whole one'] : []
  const errors = file.problems.filter(({ severity }) => severity === 'error')
  return [...whole, ...checkProblems(errors, truth)]
}

type Problem = Pick<ImportError, 'message' | 'hint'> & { readonly code: string }

function checkProblems(found: readonly Problem[], truth: Truth): string[] {
  const expected = expectedProblem(truth.notes)
  if (!expected) return [`its notes name no problem that is known here: ${truth.notes.join('; ')}`]
  const isNamed = found.some(
    ({ code, message }) => code === expected.code && expected.says.every((word) => word.test(message)),
  )
  const told = found.map(({ code, message }) => `${code}: ${message}`).join('; ') || 'nothing'
  const words = expected.says.map(String).join(' and ')
  return isNamed ? [] : [`${expected.code}${words === '' ? '' : ` with ${words}`} expected, but told was ${told}`]
}
