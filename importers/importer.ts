import type { ImportedRun, ImportProblem, RunBeside } from '../lib/run/run'
import type { Wanted } from './rows/wanted'

/** Bytes as they arrive from a socket or a file, in chunks of any size. */
export type Bytes = AsyncIterable<Uint8Array>

/** One line of a text without carriers (ANSI codes, CR, quote marks, log timestamps): see lines.ts. */
export interface Line {
  /** 1-based number in the file. */
  readonly number: number
  /** Cleaned: no-break spaces are spaces, prefix and end-of-line removed; leading blanks stay. */
  readonly text: string
  /** As decoded, for facts in a prefix (log stream, timestamp). */
  readonly raw: string
  /** The line carried a clear-screen code (`ESC[2J`): vegeta's `-every` writes one before each but the last report. */
  readonly clearsScreen?: boolean
  /**
   * The first lines of the JSON opened by this bracket, alone on its line: they identify its tool. See json-start.ts.
   */
  readonly objectStart?: string
  /** Ids of importers whose block began with this line and turned out to be nothing; absent: none. */
  readonly refusedBy?: readonly string[]
  /** The line was longer than 64 KiB: `text` and `raw` are its beginning. */
  readonly tooLong?: boolean
}

/** The result of reading one block: its runs without place and names, which the document adds. */
export interface Block {
  /** First and last line, 1-based inclusive. */
  readonly lines: readonly [number, number]
  readonly runs: readonly BlockRun[]
  readonly problems: readonly ImportProblem[]
  /**
   * Directly below another run it may repeat it: returns that run plus what this block adds; null: they are two runs.
   */
  readonly completes?: ((before: BlockRun) => BlockRun | null) | undefined
}

/** A run as read from the block alone; `context` and `proposal` come from the document. */
export type BlockRun = Omit<ImportedRun, 'context' | 'proposal'> & {
  /** Lines of this run, if narrower than the block (a table row). */
  readonly lines?: readonly [number, number]
  /** The run's name from the block itself: a Lambda function, a table row. */
  readonly name?: string | null
  /** What was asked for beside it. */
  readonly beside?: RunBeside
}

/** Reads one block line by line. A reader's state is bounded whatever the block's length. */
export interface BlockReader {
  /**
   * Offers the next line. `taken`: mine. `last`: mine, and the block ends with it. `not-mine`: the block ended before
   * this line. `passed`: not mine, but I am not finished (log lines between REPORT lines); others may read it.
   * `outside`: like `passed`, between my parts: it belongs to the document.
   */
  push(line: Line): 'taken' | 'last' | 'not-mine' | 'passed' | 'outside'
  /** The fence that the block began in has ended. True: the block may continue below, as one run of several answers. */
  goesOn?(): boolean
  /**
   * The block is over (or the file is: `atEnd`). Null: it was no block after all. Throws ImportError when nothing in
   * it can be read.
   */
  end(atEnd: boolean): Block | null
}

/** A printed form found as a block inside any text. */
export interface TextImporter {
  readonly kind: 'text'
  /** Equals the file name and the fixtures folder: `hey-text`. */
  readonly id: string
  /** A report that is one JSON value: several of them are often put together in a list or an object. */
  readonly isJsonReport?: true
  /** Possible first non-blank characters of such a line; absent: any. Spares `detect` the other lines. */
  readonly starts?: string
  /** Cheap and certain: this line opens one of my blocks. Exactly one importer may claim a line. */
  detect(line: Line): boolean
  /** Called with the line that `detect` accepted; that line is pushed first. */
  open(): BlockReader
}

/** A raw form that owns its whole file. Its runs have no document context. */
export interface RawImporter {
  readonly kind: 'raw'
  readonly id: string
  /** As for a text. */
  readonly isJsonReport?: true
  /** Cheap and certain, on the first 64 KiB (or all of a shorter file). */
  detect(head: Uint8Array): boolean
  /**
   * For a report, not rows: its bytes are masked like text. Returns what is stored of them, without secrets that no
   * pattern could recognise. Absent: rows, which are stored as sent.
   */
  stored?(bytes: Bytes): Bytes
  /**
   * Yields runs in order; memory does not grow with the input. Throws ImportError when nothing can be read. `wanted`:
   * what runs carry beside their fields, if the form has rows.
   */
  read(bytes: Bytes, wanted?: Wanted): AsyncIterable<BlockRun | ImportProblem | RawText>
}

/** Yielded by a raw form that is human-readable text: its runs then state their lines. */
export interface RawText {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly lineCount: number
}

export type Importer = TextImporter | RawImporter
