import { ImportError } from '../../lib/errors'
import type { ImportedFile, ImportedRun, ImportProblem } from '../../lib/run/run'
import { boundRun } from '../../lib/run/bounded-run'
import { maxRunsPerUpload, tooManyRuns } from '../../lib/run/run-limit'
import { printingTools } from '../../lib/run/tools'
import { isStampLine } from '../../lib/export/run-stamp'
import { createAsciiDocReader } from './asciidoc'
import { EscapedStrings, type EscapedString } from '../carried/escaped-strings'
import { readStrings } from '../carried/read-carried'
import { createBlockFinder, type FoundBlock } from './block-finder'
import type { TextEncoding } from '../text/bytes'
import { collectCellNotes } from './cell-notes'
import { assignIdentifiers } from './run-identifiers'
import { findCommands, namesProgram, type FoundCommand } from './command'
import { createCommandChooser } from './command-choice'
import { completeRun, groupByOwner, selectRemarks } from './context'
import { findForeignLine, type ForeignFind } from '../foreign'
import { DiffReader, type RemovedLines } from './git-diff'
import { createHtmlReader } from '../carried/html'
import { problemOf } from '../import-problem'
import type { BlockRun, Bytes, Line, TextImporter } from '../importer'
import { listUnparsed } from './unparsed'
import { copyText } from '../text/line-splitter'
import { isLoneBracket } from '../text/json-start'
import { createPrefixRemover } from '../text/line-prefix'
import { cleanText, readLines } from '../text/lines'
import { createFenceTracker, readHeadingMark, type DocumentLine, type Fence } from './markdown'
import { proposeNames } from './proposal'
import { collectRemarks, createKnownNames } from './remarks'
import { makeSound } from '../sound-run'
import { mergeRepeatedOutput } from './repeated-output'
import { completeStampedRun, readStamps } from './stamps'
import { readStructure, type DocumentStructure, type Section } from './structure'
import { withSoundPayloads } from '../tailboard/tailboard-run'

/** Most buffered lines of the text around the blocks. Beyond this, blocks are found, but get no names or remarks. */
export const maxContextLines = 20_000
const maxContextCharacters = 4 * 1024 * 1024
const maxLineCharacters = 4_000
const maxForeignFinds = 20
/**
 * A line costs as much as a hundred bytes. This many in a row must be longer than that on average, as any tool's are.
 */
const maxShortLines = 750_000
const shortLineCharacters = 8

/** Limit for nested strings: JSON printed as a string of JSON. */
const maxLevels = 2

/** Lines that Fortio, autocannon and Locust print within their reports and that look like a heading. */
const toolComment =
  /^\s*# (?:of samples: \d|occurrences {2,}Error|reqs {2,}# f|reqs\s*$|fails \|?\s*|target [\d.]{1,10}% \d|range, mid point, |Socket and IP )/

/** The results of one walk over the text. */
interface Walk {
  readonly encoding: TextEncoding
  readonly lineCount: number
  readonly hasText: boolean
  /** Lines that no block took, rising. */
  readonly lines: readonly DocumentLine[]
  /** Rising by first line. */
  readonly blocks: readonly FoundBlock[]
  readonly failures: readonly ImportError[]
  readonly foreign: readonly (ForeignFind & { readonly line: number })[]
  /** Multi-line strings in lines that no block took. */
  readonly strings: readonly EscapedString[]
  /** The first line with one too many; null: not that many. */
  readonly stringsLeftOutFrom: number | null
  /** For a diff; null: none. */
  readonly removed: RemovedLines | null
  /** The first line that did not fit in the buffer; null: all did. */
  readonly contextEnd: number | null
}

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
  const stamps = readStamps(
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
    const stamped = stamps.ofBlocks.get(run.block)
    if (stamped !== undefined) return completeStampedRun(run, stamped)
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
      ...stamps.problems,
      ...listUnparsed(structure, commands).filter(({ line }) => line === null || !carried.readLines.has(line)),
      ...carried.problems,
      ...carried.files.flatMap(({ problems }) => problems),
    ].sort(byLine),
    cellNotes: [
      ...collectCellNotes(structure, remarks, placed),
      ...stamps.cellNotes,
      ...carried.files.flatMap(({ cellNotes }) => cellNotes),
    ],
  }
}

async function walkText(bytes: Bytes, importers: readonly TextImporter[]): Promise<Walk> {
  const kept: DocumentLine[] = []
  const blocks: FoundBlock[] = []
  const failures: ImportError[] = []
  const foreign = new Map<string, ForeignFind & { readonly line: number }>()
  const strings = new EscapedStrings((text) => mayHoldBlock(text, importers))
  const fences = new Map<number, Fence>()
  const fenceMarks = new Set<number>()
  let trackFence = createFenceTracker()
  const diff = new DiffReader()
  const fromAsciiDoc = createAsciiDocReader()
  const fromHtml = createHtmlReader()
  let keptCharacters = 0
  let characters = 0
  let contextEnd: number | null = null
  let hasHeadings = false
  let hasText = false
  let before = ''
  let lineCount = 0
  let runCount = 0

  const finder = createBlockFinder(importers, {
    plain({ line, mark, passed }) {
      // An application's line amid a log is not the document's; a heading or a command always is.
      if (passed && !/^\s*(?:#{1,6}\s|```|~~~)/.test(line.text) && !namesProgram(line.text)) return
      if (!passed) {
        lookForForeign(line)
        strings.push(line)
      }
      keep(line, mark === null ? null : (fences.get(mark) ?? null))
    },
    found(found) {
      countRuns(found.block.runs.length, found.block.lines[0])
      blocks.push({ ...found, block: { ...found.block, runs: found.block.runs.map(makeSound) } })
    },
    failed(error) {
      countRuns(1, error.line)
      failures.push(error)
    },
  })

  const lines = readLines(bytes)
  for await (const batch of lines.batches()) for (const line of batch) walkDiffLine(line)
  finder.end()
  strings.finish()
  return {
    encoding: lines.encoding,
    lineCount,
    hasText,
    lines: kept.sort((a, b) => a.number - b.number),
    blocks: mergeRepeatedOutput(blocks.sort((a, b) => a.block.lines[0] - b.block.lines[0])),
    failures,
    foreign: [...foreign.values()],
    strings: strings.found,
    stringsLeftOutFrom: strings.leftOutFrom,
    removed: diff.removed,
    contextEnd,
  }

  /** An unreadable report counts as at least one run. */
  function countRuns(count: number, line: number | null): void {
    runCount += count
    if (runCount > maxRunsPerUpload) throw tooManyRuns(line)
  }

  function walkDiffLine(line: Line): void {
    lineCount = line.number
    characters += line.raw.length + 1
    if (lineCount % maxShortLines === 0) {
      if (characters < shortLineCharacters * maxShortLines) throw createShortLinesError(lineCount)
      characters = 0
    }
    const read = diff.read(line)
    if (read.kind === 'left-out') return
    if (read.kind === 'part') {
      // The text between two hunks is missing: no report continues across it, and no fence.
      finder.end()
      trackFence = createFenceTracker()
    }
    if (read.line !== null) walkLine(fromAsciiDoc(fromHtml(read.line)))
  }

  function walkLine(line: Line): void {
    if (!hasText && line.text.trim() !== '') hasText = true
    const { fence, isFenceMark } = trackFence(line.text, line.number)
    if (isFenceMark && fence !== null) {
      if (fence.line !== line.number) finder.closeMarked(fence.line)
      else if (contextEnd === null) fences.set(fence.line, fence)
      if (contextEnd === null) fenceMarks.add(line.number)
    } else if (fence === null && (readHeadingMark(line.text)?.level ?? 7) < 7 && !toolComment.test(line.text)) {
      // A report outside of fences ends with its section.
      if (hasHeadings) finder.closeMarked(null)
      hasHeadings = true
    }
    finder.push(line, fence?.line ?? null)
  }

  function keep(line: Line, fence: Fence | null): void {
    if (contextEnd !== null) return
    // Tailboard's own comments are read completely or not at all.
    const text = copyText(isStampLine(line.text) ? line.text : line.text.slice(0, maxLineCharacters))
    keptCharacters += text.length
    if (kept.length >= maxContextLines || keptCharacters > maxContextCharacters) contextEnd = line.number
    else kept.push({ number: line.number, text, fence, isFenceMark: fenceMarks.has(line.number) })
  }

  function lookForForeign({ text, number }: Line): void {
    if (text.trim() === '') return
    const found = findForeignLine(text, before)
    before = text
    if (found && foreign.size < maxForeignFinds && !foreign.has(found.tool))
      foreign.set(found.tool, { ...found, line: number })
  }
}

/** Whether a line of a string opens a block, or may itself contain a string. */
function mayHoldBlock(text: string, importers: readonly TextImporter[]): boolean {
  const withoutPrefix = createPrefixRemover()
  return text.split('\n').some((raw) => {
    const line: Line = { number: 1, text: withoutPrefix(cleanText(raw)), raw }
    return raw.includes('\\n') || isLoneBracket(line.text) || importers.some((importer) => importer.detect(line))
  })
}

function createShortLinesError(line: number): ImportError {
  return new ImportError(
    'too-large',
    `it has more than ${maxShortLines.toLocaleString('en')} lines of a few characters`,
    {
      line,
      hint: 'No tool prints such a file. Upload the output of the tool without the surrounding text.',
    },
  )
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
    problems.push({
      code: kind === 'other-tool' ? 'foreign-tool' : 'not-imported',
      severity: 'warning',
      line,
      lastLine: null,
      message,
      hint,
    })
  if (walk.removed !== null) problems.push(removedProblem(walk.removed))
  if (walk.stringsLeftOutFrom !== null)
    problems.push({
      code: 'too-large',
      severity: 'warning',
      line: walk.stringsLeftOutFrom,
      lastLine: walk.lineCount,
      message: 'too many strings of several lines: those from here on were not searched for outputs',
      hint: 'Upload the outputs alone.',
    })
  if (walk.contextEnd !== null)
    problems.push({
      code: 'too-large',
      severity: 'warning',
      line: walk.contextEnd,
      lastLine: walk.lineCount,
      message: 'too much text around the output: headings, commands and remarks were not read from here on',
      hint: 'Name the runs manually, or upload the output without the rest of the log.',
    })
  return problems
}

function removedProblem({ count, first, last }: RemovedLines): ImportProblem {
  const lines = count === 1 ? '1 line that it removes was' : `${count.toLocaleString('en')} lines that it removes were`
  return {
    code: 'not-imported',
    severity: 'warning',
    line: first,
    lastLine: last,
    message: `this is a diff: the document is read as it is afterwards, and ${lines} left out`,
    hint: 'For the figures from before, upload the old file.',
  }
}

function byLine(a: ImportProblem, b: ImportProblem): number {
  return (a.line ?? 0) - (b.line ?? 0)
}

function explainNothing(
  { hasText, failures, blocks, foreign }: Walk,
  inStrings: readonly ImportProblem[],
): ImportError {
  if (!hasText) return new ImportError('empty', 'there is nothing in it', { hint: 'Upload what the tool printed.' })
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
