import { ImportError } from '../../lib/errors'
import { isMetadataLine } from '../../lib/export/page-metadata'
import { maxRunsPerUpload, tooManyRuns } from '../../lib/run/run-limit'
import { EscapedStrings, type EscapedString } from '../carried/escaped-strings'
import { createHtmlReader } from '../carried/html'
import { findForeignLine, type ForeignFind } from '../foreign'
import type { Bytes, Line, TextImporter } from '../importer'
import { makeSound } from '../sound-run'
import type { TextEncoding } from '../text/bytes'
import { isLoneBracket } from '../text/json-start'
import { createPrefixRemover } from '../text/line-prefix'
import { copyText } from '../text/line-splitter'
import { cleanText, readLines } from '../text/lines'
import { createAsciiDocReader } from './asciidoc'
import { BlockFinder, type BlockSink, type FoundBlock, type PlainLine } from './block-finder'
import { namesProgram } from './command'
import { DiffReader, type RemovedLines } from './git-diff'
import { createFenceTracker, readHeadingMark, type DocumentLine, type Fence } from './markdown'
import { mergeRepeatedOutput } from './repeated-output'

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

/** Lines that Fortio, autocannon and Locust print within their reports and that look like a heading. */
const toolComment =
  /^\s*# (?:of samples: \d|occurrences {2,}Error|reqs {2,}# f|reqs\s*$|fails \|?\s*|target [\d.]{1,10}% \d|range, mid point, |Socket and IP )/

/** The results of one walk over the text. */
export interface Walk {
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

/** Finds the blocks of a text, and buffers the lines around them. Throws as `readDocument`. */
export async function walkText(bytes: Bytes, importers: readonly TextImporter[]): Promise<Walk> {
  const lines = readLines(bytes)
  const walker = new TextWalker(importers)
  for await (const batch of lines.batches()) for (const line of batch) walker.push(line)
  return { encoding: lines.encoding, ...walker.end() }
}

class TextWalker implements BlockSink {
  private readonly finder: BlockFinder
  private readonly blocks: FoundBlock[] = []
  private readonly failures: ImportError[] = []
  private runCount = 0
  private lineCount = 0
  private hasText = false
  private hasHeadings = false
  /** Characters of the last lines: of up to `maxShortLines`. */
  private characters = 0
  private readonly diff = new DiffReader()
  private readonly fromAsciiDoc = createAsciiDocReader()
  private readonly fromHtml = createHtmlReader()
  private trackFence = createFenceTracker()
  private readonly fences = new Map<number, Fence>()
  private readonly fenceMarks = new Set<number>()
  private readonly strings: EscapedStrings
  private readonly foreign = new Map<string, ForeignFind & { readonly line: number }>()
  /** The line above, when looking for foreign tools. */
  private before = ''
  private readonly kept: DocumentLine[] = []
  private keptCharacters = 0
  private contextEnd: number | null = null

  constructor(importers: readonly TextImporter[]) {
    this.finder = new BlockFinder(importers, this)
    this.strings = new EscapedStrings((text) => mayHoldBlock(text, importers))
  }

  push(line: Line): void {
    this.lineCount = line.number
    this.refuseShortLines(line)
    const read = this.diff.read(line)
    if (read.kind === 'left-out') return
    if (read.kind === 'part') {
      // The text between two hunks is missing: no report continues across it, and no fence.
      this.finder.end()
      this.trackFence = createFenceTracker()
    }
    if (read.line !== null) this.pushDocumentLine(this.fromAsciiDoc(this.fromHtml(read.line)))
  }

  end(): Omit<Walk, 'encoding'> {
    this.finder.end()
    this.strings.finish()
    const { lineCount, hasText, failures, contextEnd } = this
    return {
      lineCount,
      hasText,
      lines: this.kept.sort((a, b) => a.number - b.number),
      blocks: mergeRepeatedOutput(this.blocks.sort((a, b) => a.block.lines[0] - b.block.lines[0])),
      failures,
      foreign: [...this.foreign.values()],
      strings: this.strings.found,
      stringsLeftOutFrom: this.strings.leftOutFrom,
      removed: this.diff.removed,
      contextEnd,
    }
  }

  private refuseShortLines({ number, raw }: Line): void {
    this.characters += raw.length + 1
    if (number % maxShortLines !== 0) return
    if (this.characters < shortLineCharacters * maxShortLines) {
      const message = `it has more than ${maxShortLines.toLocaleString('en')} lines of a few characters`
      const hint = 'No tool prints such a file. Upload the output of the tool without the surrounding text.'
      throw new ImportError('too-large', message, { line: number, hint })
    }
    this.characters = 0
  }

  private pushDocumentLine(line: Line): void {
    if (!this.hasText && line.text.trim() !== '') this.hasText = true
    const { fence, isFenceMark } = this.trackFence(line.text, line.number)
    if (isFenceMark && fence !== null) {
      if (fence.line !== line.number) this.finder.closeMarked(fence.line)
      else if (this.contextEnd === null) this.fences.set(fence.line, fence)
      if (this.contextEnd === null) this.fenceMarks.add(line.number)
    } else if (fence === null && (readHeadingMark(line.text)?.level ?? 7) < 7 && !toolComment.test(line.text)) {
      // A report outside of fences ends with its section.
      if (this.hasHeadings) this.finder.closeMarked(null)
      this.hasHeadings = true
    }
    this.finder.push(line, fence?.line ?? null)
  }

  plain({ line, mark, passed }: PlainLine): void {
    // An application's line amid a log is not the document's; a heading or a command always is.
    if (passed && !/^\s*(?:#{1,6}\s|```|~~~)/.test(line.text) && !namesProgram(line.text)) return
    if (!passed) {
      this.lookForForeign(line)
      this.strings.push(line)
    }
    this.keep(line, mark === null ? null : (this.fences.get(mark) ?? null))
  }

  found(found: FoundBlock): void {
    const { runs, lines } = found.block
    this.getRunCount(runs.length, lines[0])
    this.blocks.push({ ...found, block: { ...found.block, runs: runs.map(makeSound) } })
  }

  failed(error: ImportError): void {
    // An unreadable report counts as at least one run.
    this.getRunCount(1, error.line)
    this.failures.push(error)
  }

  private getRunCount(count: number, line: number | null): void {
    this.runCount += count
    if (this.runCount > maxRunsPerUpload) throw tooManyRuns(line)
  }

  private keep({ number, text }: Line, fence: Fence | null): void {
    if (this.contextEnd !== null) return
    // Tailboard's own comments are read completely or not at all.
    const kept = copyText(isMetadataLine(text) ? text : text.slice(0, maxLineCharacters))
    this.keptCharacters += kept.length
    if (this.kept.length >= maxContextLines || this.keptCharacters > maxContextCharacters) this.contextEnd = number
    else this.kept.push({ number, text: kept, fence, isFenceMark: this.fenceMarks.has(number) })
  }

  private lookForForeign({ text, number }: Line): void {
    if (text.trim() === '') return
    const found = findForeignLine(text, this.before)
    this.before = text
    if (found && this.foreign.size < maxForeignFinds && !this.foreign.has(found.tool))
      this.foreign.set(found.tool, { ...found, line: number })
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
