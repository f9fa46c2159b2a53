import { ImportError } from '../../lib/errors'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { createStartIndex } from '../text/first-character'
import { copyLine } from '../text/lines'
import { createJsonOpener, JsonOpening } from './json-opener'

/** A line that no open block took, in order of the text except for lines given back by a false start. */
export interface PlainLine {
  readonly line: Line
  /** Value of `mark` when it came. */
  readonly mark: number | null
  /** An open block passed on it (an application's line between REPORT lines): it is inside that block. */
  readonly passed: boolean
}

/** A block that was found. */
export interface FoundBlock {
  readonly block: Block
  /** Value of `mark` when the block's first line came. */
  readonly mark: number | null
}

/** Receives what a finder finds. */
export interface BlockSink {
  plain(line: PlainLine): void
  found(block: FoundBlock): void
  /** A block that its importer could not read at all. */
  failed(error: ImportError): void
}

interface Offer {
  readonly line: Line
  readonly mark: number | null
  /** Ids of importers whose block turned out to be nothing although it contained this line. */
  readonly refusedBy: readonly string[]
}

interface OpenReader {
  readonly importer: TextImporter
  readonly reader: BlockReader
  readonly mark: number | null
  /** The place whose end closes the block: `mark`; null once it continued beyond it. */
  place: number | null
  lastNumber: number
  /** The last line it was offered. */
  asked: Offer | null
  /** Lines it took, to be given back; null: too many for a false start. */
  taken: Offer[] | null
}

/** A false start is noticed within a few lines; a log of a million REPORT lines is none. */
const maxGivenBack = 400

/**
 * Passes the lines of a text to the readers of its blocks. Several readers may be open at once: the one opened last
 * gets a line first, so that a hey report printed amid a Lambda log is hey's. Lines of a block that turned out to be
 * nothing are offered to all the others again. Memory: the readers' own and at most 400 lines for each open one.
 */
export class BlockFinder {
  private readonly importersOf: (text: string) => readonly TextImporter[]
  private open: OpenReader[] = []

  constructor(
    forms: readonly TextImporter[],
    private readonly sink: BlockSink,
  ) {
    this.importersOf = createStartIndex([...forms, createJsonOpener(forms)])
  }

  /**
   * Offers the next line. `mark`: the fence or other place it is in, see `closeMarked`.
   * @throws ImportError `ambiguous-format` when two importers claim it.
   */
  push(line: Line, mark: number | null): void {
    // Nearly every line of a log belongs to no block.
    if (this.open.length === 0 && !this.importersOf(line.text).some((importer) => importer.detect(line)))
      this.sink.plain({ line, mark, passed: false })
    // Readers keep parts of their input.
    else this.offer({ line: copyLine(line), mark, refusedBy: [] })
  }

  /** Ends the blocks that began in this place: nothing after it belongs to them. */
  closeMarked(mark: number | null): void {
    for (const reader of this.open)
      if (mark !== null && reader.place === mark && reader.reader.goesOn?.() === true) reader.place = null
    this.closeAll(false, (reader) => reader.place === mark)
  }

  /** Ends the text. */
  end(): void {
    this.closeAll(true, () => true)
  }

  private offer(offered: Offer): void {
    const { line, mark } = offered
    let passing: TextImporter[] | null = null
    let isInside = false
    // Lines given back by a block that ends here can open and close readers, so the stack is evaluated again.
    for (let reader = this.findUnasked(offered); reader !== null; reader = this.findUnasked(offered)) {
      reader.asked = offered
      // A line given back is older than what the readers below have seen by now.
      if (reader.lastNumber >= line.number) continue
      reader.lastNumber = line.number
      const answer = reader.reader.push(line)
      if (answer === 'passed' || answer === 'outside') {
        if (answer === 'passed') isInside = true
        passing ??= []
        passing.push(reader.importer)
        continue
      }
      if (answer !== 'not-mine') keepTaken(reader, offered)
      if (answer !== 'taken') this.close(reader, false)
      if (answer !== 'not-mine') return
    }
    const importer = this.claimLine(offered, passing)
    if (importer === null) this.sink.plain({ line, mark, passed: isInside })
    else this.openReader(importer, offered)
  }

  /** The last opened reader that has not been offered this line yet. */
  private findUnasked(offered: Offer): OpenReader | null {
    for (let at = this.open.length - 1; at >= 0; at--) {
      const reader = this.open[at]
      if (reader !== undefined && reader.asked !== offered) return reader
    }
    return null
  }

  private claimLine({ line, refusedBy }: Offer, passing: readonly TextImporter[] | null): TextImporter | null {
    let claiming: TextImporter | null = null
    for (const importer of this.importersOf(line.text)) {
      if (!importer.detect(line) || refusedBy.includes(importer.id) || passing?.includes(importer)) continue
      if (claiming !== null)
        throw new ImportError('ambiguous-format', `${claiming.id} and ${importer.id} both claim this line`, {
          line: line.number,
          hint: 'This is a mistake in Tailboard: please report it with the file.',
        })
      claiming = importer
    }
    return claiming
  }

  private openReader(importer: TextImporter, offered: Offer): void {
    const { line, mark } = offered
    const reader = importer.open()
    const opened: OpenReader = {
      importer,
      reader,
      mark,
      place: mark,
      lastNumber: line.number,
      asked: offered,
      taken: [],
    }
    this.open.push(opened)
    const answer = reader.push(line)
    if (answer === 'outside') this.sink.plain({ line, mark, passed: false })
    else keepTaken(opened, offered)
    if (answer === 'last' || answer === 'not-mine') this.close(opened, false)
  }

  private closeAll(atEnd: boolean, isMeant: (reader: OpenReader) => boolean): void {
    // Giving lines back can open readers again: each line at most once for each importer.
    for (let next = this.open.findLast(isMeant); next !== undefined; next = this.open.findLast(isMeant))
      this.close(next, atEnd)
  }

  private close(closing: OpenReader, atEnd: boolean): void {
    this.open = this.open.filter((reader) => reader !== closing)
    let block: Block | null
    try {
      block = closing.reader.end(atEnd)
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      this.sink.failed(error)
      return
    }
    if (block !== null) this.sink.found({ block, mark: closing.mark })
    else this.giveBack(closing)
  }

  private giveBack({ taken, importer, reader }: OpenReader): void {
    const start = reader instanceof JsonOpening ? reader.start : null
    taken?.forEach(({ line, mark, refusedBy: before }, index) => {
      // A list belongs to no importer, but what its next bracket opens may.
      const refusedBy = reader instanceof JsonOpening && index > 0 ? before : [...before, importer.id]
      this.offer({ line: index === 0 ? openingLine(line, refusedBy, start) : line, mark, refusedBy })
    })
  }
}

function keepTaken(reader: OpenReader, offered: Offer): void {
  if (reader.taken === null) return
  if (reader.taken.length < maxGivenBack) reader.taken.push(offered)
  else reader.taken = null
}

/** The first line of a false start, with the importers that refused it; `objectStart`: of the JSON that it opens. */
function openingLine(line: Line, refusedBy: readonly string[], objectStart: string | null): Line {
  if (objectStart !== null) return { ...line, refusedBy, objectStart }
  if (line.clearsScreen !== undefined || line.tooLong !== undefined) return { ...line, refusedBy }
  const { number, text, raw } = line
  return { number, text, raw, refusedBy }
}
