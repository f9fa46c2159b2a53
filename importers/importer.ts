import type { ImportedRun, ImportProblem } from '../lib/run/run'

/** Bytes as they arrive from a socket or a file, in chunks of any size. */
export type Bytes = AsyncIterable<Uint8Array>

/** One line of a text, freed of carriers (ANSI codes, CR, quote marks, log timestamps): see lines.ts. */
export interface Line {
  /** 1-based number in the file. */
  readonly number: number
  /** Cleaned: no-break spaces are spaces, prefix and end-of-line removed; leading blanks stay. */
  readonly text: string
  /** As decoded, for facts that a prefix carries (log stream, timestamp). */
  readonly raw: string
  /** The line carried a clear-screen code (`ESC[2J`): vegeta's `-every` writes one before each but the last report. */
  readonly clearsScreen?: boolean
  /** The first lines of the JSON that this bracket, alone in its line, opens: they tell whose it is. See json-start.ts. */
  readonly objectStart?: string
  /** Ids of importers whose block began with this line and turned out to be nothing; absent: none. */
  readonly refusedBy?: readonly string[]
  /** The line was longer than 64 KiB: `text` and `raw` are its beginning. */
  readonly tooLong?: boolean
}

/** What reading one block gave: its runs without place and names, which the document adds. */
export interface Block {
  /** First and last line, 1-based inclusive. */
  readonly lines: readonly [number, number]
  readonly runs: readonly BlockRun[]
  readonly problems: readonly ImportProblem[]
  /** Right below another run it may tell it again: gives that run with what this block adds; null: they are two. */
  readonly completes?: ((before: BlockRun) => BlockRun | null) | undefined
}

/** A run as the block alone gives it; `context` and `proposal` are the document's. */
export type BlockRun = Omit<ImportedRun, 'context' | 'proposal'> & {
  /** Lines of this run, when narrower than the block (a table row). */
  readonly lines?: readonly [number, number]
  /** The name that the block itself gives the run: a Lambda function, a table row. */
  readonly name?: string | null
}

/** Reads one block line by line. A reader holds bounded state whatever the block's length. */
export interface BlockReader {
  /**
   * Offers the next line. `taken`: mine. `last`: mine, and the block ends with it. `not-mine`: the block ended before
   * this line. `passed`: not mine, but I am not finished (log lines between REPORT lines); others may read it. `outside`:
   * as `passed`, and it stands between my parts: it is the document's.
   */
  push(line: Line): 'taken' | 'last' | 'not-mine' | 'passed' | 'outside'
  /** The fence that the block began in ends. True: it may go on below, as one run of several answers. */
  goesOn?(): boolean
  /** The block is over (or the file is: `cut` true). Null: it turned out to be nothing. Throws ImportError when nothing in it can be read. */
  end(cut: boolean): Block | null
}

/** A printed form that is found as a block inside any text. */
export interface TextImporter {
  readonly kind: 'text'
  /** Equals the file name and the fixtures folder: `hey-text`. */
  readonly id: string
  /** The characters that may be the first of such a line, blanks aside; absent: any. Spares `detect` the other lines. */
  readonly starts?: string
  /** Cheap and certain: this line opens one of my blocks. Exactly one importer may claim a line. */
  detect(line: Line): boolean
  /** Called with the line that `detect` accepted; that line is pushed first. */
  open(): BlockReader
}

/** A raw form that owns its whole file. Its runs carry no document context. */
export interface RawImporter {
  readonly kind: 'raw'
  readonly id: string
  /** Cheap and certain, on the first 64 KiB (all of it when the file is shorter). */
  detect(head: Uint8Array): boolean
  /**
   * A report, not rows: its bytes are masked as those of a text. Gives what of them is stored, secrets left out that have
   * no look of their own. Absent: rows, which are stored as they were sent.
   */
  stored?(bytes: Bytes): Bytes
  /** Yields runs in order; memory does not grow with the input. Throws ImportError when nothing can be read. */
  read(bytes: Bytes): AsyncIterable<BlockRun | ImportProblem | RawText>
}

/** Yielded by a raw form that is a text which people read: its runs then tell their lines. */
export interface RawText {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly lineCount: number
}

export type Importer = TextImporter | RawImporter
