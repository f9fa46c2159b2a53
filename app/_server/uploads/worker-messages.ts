import type { RowBox } from '@/lib/cube/row-box'
import type { ImportErrorCode } from '@/lib/errors'
import type { BoxAnswer } from '@/lib/explain/explain-box'
import type { NamedMapping } from '@/lib/run/column-mapping'
import type { ImportedFile, ImportedRun } from '@/lib/run/run'

/** Bytes from the server that the worker reads: the upload, or a part of it once it is stored. Used once. */
export type FeedId = string

export type ToWorker =
  /** `masks`: secrets in what is read are masked before it is handed over. `mapping`: how samples are read. */
  | {
      readonly kind: 'read'
      readonly feed: FeedId
      readonly masks: boolean
      /** The rows of each run are counted, too. */
      readonly counts: boolean
      readonly mapping: NamedMapping | null
      /** Only what is in a box of one run is asked for; null: all runs are. */
      readonly box: AskedBox | null
    }
  | { readonly kind: 'chunk'; readonly feed: FeedId; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly feed: FeedId }
  /** The bytes broke off: the server knows the cause. */
  | { readonly kind: 'broken'; readonly feed: FeedId }
  | { readonly kind: 'stored'; readonly sizeBytes: number }
  /** The runs of the last message are taken. */
  | { readonly kind: 'taken' }

export type FromWorker =
  /** There is room for one more chunk. */
  | { readonly kind: 'want'; readonly feed: FeedId }
  /** Requests the location of the stored upload: a zip is read from its end. */
  | { readonly kind: 'store' }
  | { readonly kind: 'open'; readonly feed: FeedId; readonly start: number; readonly end: number }
  | { readonly kind: 'close'; readonly feed: FeedId }
  /** Some of the runs, in order. The next follow when these are taken. */
  | {
      readonly kind: 'runs'
      readonly runs: readonly ImportedRun[]
      /** Their cubes, encoded; null: none. */
      readonly cubes: readonly (Uint8Array | null)[]
    }
  | {
      readonly kind: 'done'
      readonly file: Omit<ImportedFile, 'runs'>
      /** What was masked, in the order found. */
      readonly masked: readonly string[]
      /** Null: it was not asked for, or the run has no rows. */
      readonly box: ReadBox | null
      readonly heapBytes: number
    }
  | { readonly kind: 'refused'; readonly error: RefusedImport; readonly heapBytes: number }
  /** A defect of ours. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | null }

/** An ImportError on its way between threads. */
export interface RefusedImport {
  readonly code: ImportErrorCode
  readonly message: string
  readonly line: number | null
  readonly offset: number | null
  readonly hint: string | null
}

/** A box over the rows of one of an upload's runs. */
export interface AskedBox {
  readonly of: RowBox
  /** The run, by its place in the upload. */
  readonly index: number
  /** What its times count from, in seconds as rows have them. */
  readonly originS: number
}

/** What is in a box. */
export interface ReadBox {
  readonly answer: BoxAnswer
  /** Second in which the first bin of the run's timeline begins: another than was asked, and the answer is void. */
  readonly originS: number
}
