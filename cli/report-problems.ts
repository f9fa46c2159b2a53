import { errorLine, errorSentence } from '@/lib/error-words'
import { ImportError } from '@/lib/errors'
import type { Input } from './inputs'
import type { ReadFile } from './read-files'
import { printable, type Terminal } from './terminal'

/** Says what could not be read; false: there is a file without a run, so there is nothing to compare. */
export function reportProblems(files: readonly ReadFile[], { report }: Terminal): boolean {
  let isReadable = true
  for (const { input, file, error } of new Set(files)) {
    if (error !== null) {
      report(`${printable(lineOf(input, error))}\n`)
      isReadable = false
    } else if (file.runs.length === 0) {
      report(`${printable(`${input.name}: there is no run in it`)}\n`)
      isReadable = false
    }
    for (const { severity, line, message } of file.problems)
      if (severity === 'error') report(`${printable(`${input.name}${line === null ? '' : `:${line}`}: ${message}`)}\n`)
  }
  return isReadable
}

/** A folder is named, not the first of many files. */
const lineOf = ({ name, folder }: Input, error: NonNullable<ReadFile['error']>): string =>
  folder !== null && error instanceof ImportError && error.code === 'unknown-format'
    ? `${folder}: There is no result in the folder.`
    : `${name}: ${sentenceOf(error)}`

/** As the server words it. */
const sentenceOf = (error: NonNullable<ReadFile['error']>): string =>
  error instanceof ImportError
    ? errorLine(errorSentence(error.message), error, [error.hint])
    : errorLine(errorSentence(error.message), {}, [])
