/**
 * `npm run --silent parse -- FILE…`: what the importers read from files, as one JSON document. No database, no server.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { storedFile } from '../app/_server/store/folder-store'
import { readUpload } from '../app/_server/uploads/read-upload'
import { ImportError } from '../lib/errors'
import type { CellNote, ImportedRun, ImportProblem } from '../lib/run/run'

/** A problem; `offset` is a 0-based byte offset, for inputs without lines. */
type ParseProblem = ImportProblem & { readonly offset?: number }

interface ParsedFile {
  readonly name: string
  /** Of the bytes; null when they could not be read. */
  readonly sha256: string | null
  readonly runs: readonly ImportedRun[]
  readonly problems: readonly ParseProblem[]
  readonly cellNotes: readonly CellNote[]
}

const paths = process.argv.slice(2)
if (paths.length === 0) {
  process.stderr.write('Usage: npm run --silent parse -- FILE…\n')
  process.exitCode = 2
} else {
  const files: ParsedFile[] = []
  for (const file of paths) files.push(await parseFile(file))
  process.stdout.write(`${JSON.stringify({ files }, null, 1)}\n`)
  process.exitCode = files.every(isGood) ? 0 : 2
}

function isGood({ runs, problems }: ParsedFile): boolean {
  return runs.length > 0 && problems.every(({ severity }) => severity !== 'error')
}

async function parseFile(file: string): Promise<ParsedFile> {
  const name = path.basename(file)
  const hash = createHash('sha256')
  const stream = createReadStream(file)
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]()
  // The importer may stop early; the hash covers all bytes.
  const hashed: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const result = await chunks.next()
        if (result.done !== true) hash.update(result.value)
        return result
      },
    }),
  }
  try {
    const { runs, problems, cellNotes } = await importOrExplain(hashed, file)
    while ((await hashed[Symbol.asyncIterator]().next()).done !== true) continue
    return { name, sha256: hash.digest('hex'), runs, problems, cellNotes }
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    const problem = { code: 'unreadable', severity: 'error', line: null, lastLine: null } as const
    const hint = 'Check the path and its permissions.'
    return { name, sha256: null, runs: [], problems: [{ ...problem, message: error.message, hint }], cellNotes: [] }
  }
}

async function importOrExplain(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): Promise<Pick<ParsedFile, 'runs' | 'problems' | 'cellNotes'>> {
  try {
    return await readUpload(bytes, async () => storedFile(file, (await stat(file)).size))
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { code, line, offset, message, hint } = error
    const problem = { code, severity: 'error', line, lastLine: null, message, hint } as const
    return { runs: [], problems: [offset === null ? problem : { ...problem, offset }], cellNotes: [] }
  }
}
