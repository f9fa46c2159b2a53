import { readHead } from '../text/bytes'
import { importFile } from '../index'
import { truncatedProblem, problemOf, warningAt } from '../import-problem'
import type { Bytes } from '../importer'
import { maxCubes } from '../../lib/cube/row-forms'
import { ImportError } from '../../lib/errors'
import type { NamedMapping } from '../../lib/run/column-mapping'
import type { Wanted } from '../rows/wanted'
import type { CellNote, ImportedFile, ImportedRun, ImportProblem, RunBeside } from '../../lib/run/run'
import { maxRunsPerUpload, TooManyRunsError, tooManyRuns } from '../../lib/run/run-limit'
import { carrierHeadBytes, findCarrier, refuseNested } from './carrier-kind'
import { ExpansionError, type ExpansionBudget } from './expansion-budget'
import { openUpload, type OpenedUpload } from './open-upload'
import type { StreamFaults, Unpacker } from './unpacker'

/** Beyond it, problems of single entries are counted, not reported one by one. */
const maxEntryProblems = 50

/**
 * Reads an upload, unpacked: the runs of all its files in order, one after the other. A file of an archive in which
 * nothing can be read is a problem that names it. With a `mapping`, each file is read as samples by it. `wanted`: what
 * is asked for beside runs. Throws ImportError when nothing at all can be read, or a limit is exceeded.
 */
export async function readUpload(
  bytes: Bytes,
  unpacker: Unpacker,
  mapping: NamedMapping | null = null,
  wanted?: Wanted,
): Promise<ImportedFile> {
  const opened = await openUpload(bytes, unpacker)
  if (opened.kind === 'archive') return readArchive(opened, unpacker, mapping, wanted)
  let file: ImportedFile
  try {
    file = await importFile(opened.bytes, mapping, wanted)
  } catch (error) {
    if (error instanceof ImportError && !(error instanceof ExpansionError) && opened.faults.isTruncated)
      throw truncatedError(opened, error)
    throw error
  }
  return withFaults(file, opened)
}

/** Reports what a packed file could not give, beside what it gave. */
function withFaults(file: ImportedFile, { carrier, faults }: Pick<OpenedUpload, 'carrier' | 'faults'>): ImportedFile {
  if (faults.isTruncated)
    return { ...markLastTruncated(file), problems: [...file.problems, truncatedFile({ carrier })] }
  if (faults.trailingFrom === undefined) return file
  const trailing = warningAt(
    'not-imported',
    null,
    `from byte ${faults.trailingFrom} on, something follows the ${carrier} file that is not part of it; it was not read`,
    `Check it with "${carrier} -t FILE".`,
  )
  return { ...file, problems: [...file.problems, trailing] }
}

async function readArchive(
  opened: Extract<OpenedUpload, { kind: 'archive' }>,
  unpacker: Unpacker,
  mapping: NamedMapping | null,
  wanted: Wanted | undefined,
): Promise<ImportedFile> {
  const beside: (RunBeside | null)[] = []
  const runs: ImportedRun[] = []
  const problems: ImportProblem[] = []
  const cellNotes: CellNote[] = []
  let untold = 0
  let files = 0
  for await (const entry of opened.entries) {
    files += 1
    const { name } = entry
    try {
      if (entry.kind === 'refused') throw entry.error
      // Those of further files would not fit into memory together.
      const own = beside.length < maxCubes ? wanted : undefined
      let file = await importEntry(entry.bytes, unpacker, mapping, opened.budget, own)
      if (opened.faults.isTruncated) file = markLastTruncated(file)
      if (runs.length + file.runs.length > maxRunsPerUpload) throw tooManyRuns(null)
      for (const run of file.runs) runs.push({ ...run, context: { ...run.context, file: name } })
      beside.push(...file.runs.map((_, at) => file.beside?.[at] ?? null))
      for (const problem of file.problems) problems.push({ ...problem, file: name })
      cellNotes.push(...file.cellNotes)
    } catch (error) {
      if (!(error instanceof ImportError) || endsAll(error)) throw error
      if (problems.length < maxEntryProblems) problems.push(entryProblem(error, name))
      else untold += 1
    }
  }
  if (opened.faults.isTruncated) problems.push(truncatedFile(opened))
  const first = problems[0]
  if (runs.length === 0 && first === undefined)
    throw new ImportError('empty', `there is no file in the ${opened.carrier} archive`, {
      hint: 'Pack the output of the tools.',
    })
  if (runs.length === 0 && first !== undefined)
    throw new ImportError(
      'unknown-format',
      `no file in the archive could be read; ${first.file ?? 'it'}: ${first.message}`,
      {
        hint: files === 1 ? first.hint : 'Pack the output of the tools.',
      },
    )
  if (untold > 0)
    problems.push(warningAt('not-imported', null, `nothing was found in ${untold} more files of the archive`))
  return {
    ...{ encoding: null, lineCount: null, runs, problems, cellNotes },
    ...(wanted === undefined ? {} : { beside }),
  }
}

/** Limits of the whole upload: the rest of the archive is not read either. */
const endsAll = (error: ImportError) => error instanceof ExpansionError || error instanceof TooManyRunsError

/** A file of an archive may be packed again with gzip: rotated logs are. */
async function importEntry(
  bytes: Bytes,
  unpacker: Unpacker,
  mapping: NamedMapping | null,
  budget: ExpansionBudget,
  wanted: Wanted | undefined,
): Promise<ImportedFile> {
  const { head, bytes: whole } = await readHead(bytes, carrierHeadBytes)
  const carrier = findCarrier(head)
  if (carrier === 'plain') return importFile(whole, mapping, wanted)
  if (carrier !== 'gzip') throw refuseNested(carrier, 'archive')
  const faults: StreamFaults = { isTruncated: false }
  const expanded = unpacker.expand(whole, carrier, budget, faults)
  const inner = await readHead(expanded, carrierHeadBytes)
  const innerCarrier = findCarrier(inner.head)
  if (innerCarrier !== 'plain') {
    await expanded.return(undefined)
    throw refuseNested(innerCarrier, carrier)
  }
  return withFaults(await importFile(inner.bytes, mapping, wanted), { carrier, faults })
}

/** A truncation affects the last run: it is the one that may lack results. */
function markLastTruncated(file: ImportedFile): ImportedFile {
  const last = file.runs.length - 1
  return { ...file, runs: file.runs.map((run, index) => (index === last ? { ...run, complete: false } : run)) }
}

const truncatedFile = ({ carrier }: Pick<OpenedUpload, 'carrier'>): ImportProblem =>
  truncatedProblem(
    null,
    `the ${carrier} file is truncated; everything before that point was read`,
    'Upload the whole file.',
  )

function truncatedError({ carrier }: OpenedUpload, error: ImportError): ImportError {
  return new ImportError(
    'truncated',
    `the ${carrier} file is truncated, and nothing before that point can be read (${error.message})`,
    {
      hint: 'Upload the whole file.',
    },
  )
}

/** A file without results beside others is no loss; a refused or damaged one is. */
function entryProblem(error: ImportError, file: string): ImportProblem {
  const isNone = error.code === 'unknown-format' || error.code === 'empty'
  return { ...problemOf(error), ...(isNone ? { severity: 'warning' } : {}), file }
}
