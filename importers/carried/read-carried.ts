import { ImportError } from '../../lib/errors'
import type { ImportedFile, ImportProblem } from '../../lib/run/run'
import type { EscapedString } from './escaped-strings'
import { relocate } from './relocate'

/** Reads the text of a string as a document. */
export type ReadText = (bytes: AsyncIterable<Uint8Array>) => Promise<ImportedFile>

const encoder = new TextEncoder()

/** A text as a stream of bytes. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(encoder.encode(text))
}

interface Carried {
  readonly files: readonly ImportedFile[]
  readonly problems: readonly ImportProblem[]
  /** First lines of the strings that were read. */
  readonly readLines: ReadonlySet<number>
}

/**
 * The results of a file's strings, in order of the file: nothing for those without output, the reason for damaged
 * output.
 */
export async function readStrings(strings: readonly EscapedString[], readText: ReadText): Promise<Carried> {
  const files: ImportedFile[] = []
  const problems: ImportProblem[] = []
  const readLines = new Set<number>()
  for (const { text, lines } of strings) {
    try {
      const file = await readText(bytesOf(text))
      const [first, last] = lines
      readLines.add(first)
      files.push(relocate(file, { lineOf: () => first, endOf: () => last, nameOf: () => 'in a string' }))
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      // Nearly every string is an ordinary text.
      if (error.line === null) continue
      const { code, message, hint } = error
      const severity = code === 'unknown-format' ? 'warning' : 'error'
      const place = { line: lines[0], lastLine: lines[1] > lines[0] ? lines[1] : null }
      problems.push({
        code: severity === 'warning' ? 'not-imported' : code,
        severity,
        ...place,
        message: `in a string: ${message}`,
        hint,
      })
    }
  }
  return { files, problems, readLines }
}
