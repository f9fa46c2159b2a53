import { ImportError } from '../../lib/errors'
import type { ImportedFile, ImportedRun, ImportProblem } from '../../lib/run/run'
import { boundRun } from '../../lib/run/bounded-run'
import { maxRunsPerUpload, tooManyRuns } from '../../lib/run/run-limit'
import { printingTools } from '../../lib/run/tools'
import { readStrings } from '../carried/read-carried'
import { collectCellNotes } from './cell-notes'
import { assignIdentifiers } from './run-identifiers'
import { findCommands, type FoundCommand } from './command'
import { createCommandChooser } from './command-choice'
import { completeRun, groupByOwner, selectRemarks } from './context'
import type { RemovedLines } from './git-diff'
import { emptyFile, problemOf, warningAt } from '../import-problem'
import type { BlockRun, Bytes, TextImporter } from '../importer'
import { proposeNames } from './proposal'
import { collectRemarks, createKnownNames } from './remarks'
import { completeExportedRun, readPageMetadata } from './page-metadata'
import { readStructure, type DocumentStructure, type Section } from './structure'
import { withSoundPayloads } from '../tailboard/tailboard-run'
import { walkText, type Walk } from './text-walk'
import { listUnparsed } from './unparsed'

/** Limit for nested strings: JSON printed as a string of JSON. */
const maxLevels = 2

/**
 * Reads a text of any kind: finds the blocks that tools printed, and completes their runs from the document around
 * them. Memory: the runs, and at most 20,000 lines (4 Mi characters) of the text around them.
 * @throws ImportError `empty`; `unknown-format` when no block is found, with the name of the foreign tool if one is
 * recognised; `too-large` for millions of lines of a few characters and for too many runs, as soon as one too many is
 * read; `ambiguous-format` when two importers claim a line; the importer's own error when no block can be read.
 */
export async function readDocument(bytes: Bytes, importers: readonly TextImporter[]): Promise<ImportedFile> {
  return readLevel(bytes, importers, 0)
}

/** Reads a document, or one in a string of it. */
async function readLevel(bytes: Bytes, importers: readonly TextImporter[], level: number): Promise<ImportedFile> {
  const walk = await walkText(bytes, importers)
  const readText = (text: Bytes) => readLevel(text, importers, level + 1)
  const carried = await readStrings(level < maxLevels ? walk.strings : [], readText)
  const runCount = walk.blocks.reduce((sum, { block }) => sum + block.runs.length, 0)
  const carriedCount = carried.files.reduce((sum, { runs }) => sum + runs.length, 0)
  if (runCount + carriedCount > maxRunsPerUpload) throw tooManyRuns(null)
  if (runCount + carriedCount === 0) throw explainNothing(walk, carried.problems)

  const places = walk.blocks.map(({ block: { lines }, mark }) => ({ line: lines[0], lastLine: lines[1], fence: mark }))
  const structure = readStructure(walk.lines, places)
  const metadata = readPageMetadata(
    walk.lines,
    places.map(({ line }) => line),
  )
  const commands = findCommands(walk.lines)
  const placed = nameRuns(walk, structure, commands)
  const names = createKnownNames(
    placed.flatMap(({ names }) =>
      [names.variant, names.environment, names.scenario].flatMap((name) => (name ? [name.value] : [])),
    ),
  )
  const remarks = collectRemarks(structure, commands, names)
  const byOwner = groupByOwner(remarks)
  const identifiers = assignIdentifiers(structure, places)
  const completed = placed.map((run) => {
    const stated = metadata.ofBlocks.get(run.block)
    if (stated !== undefined) return completeExportedRun(run, stated)
    const isKnown = !isBeyondContext(walk, run.lines[0])
    return completeRun({
      ...run,
      identifiers: isKnown ? (identifiers[run.block] ?? []) : [],
      remarks: isKnown ? selectRemarks(byOwner, run.section, run.lines[0], run.names) : [],
    })
  })
  const runs: ImportedRun[] = []
  for (const run of completed) runs.push(boundRun(await withSoundPayloads(run)))
  return {
    encoding: walk.encoding,
    lineCount: walk.lineCount,
    runs: [...runs, ...carried.files.flatMap((file) => file.runs)].sort(
      (a, b) => a.context.lines[0] - b.context.lines[0],
    ),
    problems: [
      ...listProblems(walk),
      ...metadata.problems,
      ...listUnparsed(structure, commands).filter(({ line }) => line === null || !carried.readLines.has(line)),
      ...carried.problems,
      ...carried.files.flatMap(({ problems }) => problems),
    ].sort(byLine),
    cellNotes: [
      ...collectCellNotes(structure, remarks, placed),
      ...metadata.cellNotes,
      ...carried.files.flatMap(({ cellNotes }) => cellNotes),
    ],
  }
}

function isBeyondContext({ contextEnd }: Walk, line: number): boolean {
  return contextEnd !== null && line > contextEnd
}

/** Every run with its place, its command and its names, in order of the text. */
function nameRuns(walk: Walk, structure: DocumentStructure, commands: readonly FoundCommand[]) {
  const chooseCommand = createCommandChooser(structure, commands)
  return walk.blocks.flatMap(({ block }, index) => {
    const isKnown = !isBeyondContext(walk, block.lines[0])
    const section: Section = (isKnown ? structure.blockSections[index] : undefined) ?? structure.root
    return block.runs.map((run: BlockRun) => {
      const lines = run.lines ?? block.lines
      const command = isKnown ? chooseCommand(run, section, block.lines[0]) : null
      const names = proposeNames(structure, section, {
        name: run.name ?? null,
        line: lines[0],
        url: run.url ?? command?.url ?? null,
        method: run.method ?? command?.method ?? null,
        urlSource: command === null ? `address in the output, line ${lines[0]}` : `command, line ${command.line}`,
      })
      return { run, block: index, lines, section, command, names }
    })
  })
}

function listProblems(walk: Walk): ImportProblem[] {
  const problems = walk.blocks.flatMap(({ block }) => block.problems)
  problems.push(...walk.failures.map((error) => problemOf(error)))
  for (const { kind, line, message, hint } of walk.foreign)
    problems.push(warningAt(kind === 'other-tool' ? 'foreign-tool' : 'not-imported', line, message, hint))
  if (walk.removed !== null) problems.push(removedProblem(walk.removed))
  if (walk.stringsLeftOutFrom !== null)
    problems.push(
      warningAt(
        'too-large',
        [walk.stringsLeftOutFrom, walk.lineCount],
        'too many multi-line strings: those from here on were not searched for output',
        'Upload the outputs alone.',
      ),
    )
  if (walk.contextEnd !== null)
    problems.push(
      warningAt(
        'too-large',
        [walk.contextEnd, walk.lineCount],
        'too much text around the output: headings, commands and remarks were not read from here on',
        'Name the runs manually, or upload the output without the rest of the log.',
      ),
    )
  return problems
}

function removedProblem({ count, first, last }: RemovedLines): ImportProblem {
  const lines = count === 1 ? '1 line that it removes was' : `${count.toLocaleString('en')} lines that it removes were`
  const message = `this is a diff: the document is read as it is afterwards, and ${lines} left out`
  return warningAt('not-imported', [first, last], message, 'For the figures from before, upload the old file.')
}

function byLine(a: ImportProblem, b: ImportProblem): number {
  return (a.line ?? 0) - (b.line ?? 0)
}

function explainNothing(
  { hasText, failures, blocks, foreign }: Walk,
  inStrings: readonly ImportProblem[],
): ImportError {
  if (!hasText) return emptyFile()
  const failure = failures[0]
  if (failure !== undefined) return failure
  const found = foreign[0]
  if (found !== undefined)
    return new ImportError('unknown-format', found.message, { line: found.line, hint: found.hint })
  const problem = [...blocks.flatMap(({ block }) => block.problems), ...inStrings][0]
  return new ImportError('unknown-format', problem?.message ?? `no output of ${printingTools('or')} in it`, {
    line: problem?.line ?? null,
    hint: problem?.hint ?? 'Upload what one of these tools printed, alone or in any document.',
  })
}
