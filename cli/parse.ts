import { createHash } from 'node:crypto'
import path from 'node:path'
import { ImportError } from '@/lib/errors'
import type { CellNote, ImportedRun, ImportProblem } from '@/lib/run/run'
import { findInputs, type Input } from './inputs'
import { readInput, type ReadFile } from './read-files'
import type { Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

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

/** `tailboard parse FILE…`: what the importers read from files, as one JSON document. */
export async function parse(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals } = readArguments(args, {})
  if (positionals.length === 0) throw new UsageError('parse needs a file')
  return printParsed(positionals, terminal)
}

/** Prints what was read of all files of these arguments; returns the exit code. */
export async function printParsed(names: readonly string[], terminal: Terminal): Promise<number> {
  const files: ParsedFile[] = []
  for (const name of names)
    for (const input of await inputsOrNone(name, terminal)) files.push(await parseFile(input, terminal))
  terminal.print(`${JSON.stringify({ files }, null, 1)}\n`)
  return files.every(isGood) ? exits.fine : exits.unreadable
}

/** A file that is missing is a line of the document, as one that cannot be read is. */
async function inputsOrNone(name: string, terminal: Terminal): Promise<readonly Input[]> {
  try {
    return await findInputs(name, terminal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [{ name, path: path.resolve(terminal.cwd, name), folder: null }]
  }
}

function isGood({ runs, problems }: ParsedFile): boolean {
  return runs.length > 0 && problems.every(({ severity }) => severity !== 'error')
}

async function parseFile(input: Input, terminal: Terminal): Promise<ParsedFile> {
  const hash = createHash('sha256')
  const { file, error } = await readInput(input, terminal, (chunk) => void hash.update(chunk))
  const name = path.basename(input.name)
  const isRead = error === null || error instanceof ImportError
  const problems = error === null ? file.problems : [problemOf(error)]
  return { name, sha256: isRead ? hash.digest('hex') : null, runs: file.runs, problems, cellNotes: file.cellNotes }
}

function problemOf(error: NonNullable<ReadFile['error']>): ParseProblem {
  if (!(error instanceof ImportError)) {
    const hint = 'Check the path and its permissions.'
    return { code: 'unreadable', severity: 'error', line: null, lastLine: null, message: error.message, hint }
  }
  const { code, line, offset, message, hint } = error
  const problem = { code, severity: 'error', line, lastLine: null, message, hint } as const
  return offset === null ? problem : { ...problem, offset }
}
