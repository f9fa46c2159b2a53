import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { truncatedProblem } from '../import-problem'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { openText, readHead } from '../text/bytes'
import { warmUpJitOnce } from './jit-warm-up'
import type { RowFaults } from './row-faults'
import { Samples } from './samples'
import type { Wanted } from '../rows/wanted'

const encoder = new TextEncoder()
/** The beginning of a file that `open` gets. */
const headBytes = 16_384

/** Reads the rows of a file into `Samples`, chunk by chunk. */
export interface SampleReader {
  readonly faults: RowFaults
  /** Line of the next row, 1-based. */
  readonly line: number
  /** Readable rows, if these are not the samples. */
  readonly readable?: number
  push(chunk: Uint8Array): void
  /** Reads the remaining bytes. True: the last row is torn, and was not counted. */
  finish(): boolean
}

/** A file whose rows were read. */
export interface SampleFile<Reader extends SampleReader> {
  readonly samples: Samples
  readonly reader: Reader
  readonly isTorn: boolean
  /** Every row was read. */
  readonly complete: boolean
}

/** Raw samples as a tool writes them. All rows of a file are one run. */
export interface SampleForm<Reader extends SampleReader> {
  /** Equals the file name and the fixtures folder. */
  readonly id: string
  /** See RawImporter. */
  detect(head: Uint8Array): boolean
  /** For `warmUpJitOnce`: rows of every kind; absent: the form is read as it comes. */
  readonly rowsOfEachKind?: string
  open(samples: Samples, head: Uint8Array): Reader
  /** What to upload instead of a file with unreadable rows. */
  readonly hint: string
  /** Of a file that ends within a row. */
  readonly truncation: string
  /** Of a file that begins within one, or null. */
  lostBeginning?(reader: Reader): ImportProblem | null
  /** Why a file without a sample is refused before its unreadable rows are looked at; null: it is not. */
  refuse?(reader: Reader, isTorn: boolean): ImportError | null
  /** Why a file without a sample is refused: a message, or its error; null: it is a run all the same. */
  readonly nothing: string | ((file: SampleFile<Reader>) => ImportError | null)
  build(file: SampleFile<Reader>): Promise<BlockRun>
}

/** Makes the importer of a form. */
export function createSampleImporter<Reader extends SampleReader>(form: SampleForm<Reader>): RawImporter {
  return {
    kind: 'raw',
    id: form.id,
    detect: (head) => form.detect(head),
    read: (bytes, wanted) => readSampleFile(bytes, form, wanted),
  }
}

async function* readSampleFile<Reader extends SampleReader>(
  bytes: Bytes,
  form: SampleForm<Reader>,
  wanted?: Wanted,
): AsyncGenerator<BlockRun | ImportProblem> {
  const { rowsOfEachKind, hint } = form
  if (rowsOfEachKind !== undefined) {
    const rows = encoder.encode(rowsOfEachKind)
    warmUpJitOnce(form.id, (unused) => {
      const reader = form.open(unused, rows)
      reader.push(rows)
      reader.finish()
      unused.flush()
    })
  }
  const text = await openText(bytes)
  const { head, bytes: whole } = await readHead(text.bytes, headBytes)
  const samples = new Samples(wanted)
  const reader = form.open(samples, head)
  for await (const chunk of whole) reader.push(chunk)
  const isTorn = reader.finish()
  samples.flush()
  const refusal = samples.count === 0 ? form.refuse?.(reader, isTorn) : null
  if (refusal) throw refusal
  const fault = reader.faults.report(reader.readable ?? samples.count, hint)
  const lost = form.lostBeginning?.(reader) ?? null
  const file = { samples, reader, isTorn, complete: fault === null && !isTorn && lost === null }
  const nothing = samples.count === 0 ? explainNothing(form, file) : null
  if (nothing !== null) throw nothing
  yield await form.build(file)
  if (fault !== null) yield fault
  if (lost !== null) yield lost
  if (isTorn) yield truncatedProblem(reader.line, form.truncation)
}

function explainNothing<Reader extends SampleReader>(
  { nothing, hint }: SampleForm<Reader>,
  file: SampleFile<Reader>,
): ImportError | null {
  if (typeof nothing === 'function') return nothing(file)
  return new ImportError(file.isTorn ? 'truncated' : 'empty', nothing, { line: 1, hint })
}
