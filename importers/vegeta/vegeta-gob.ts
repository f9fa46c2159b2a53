/**
 * Results of vegeta as `vegeta attack` writes them: Go's encoding/gob of
 * https://github.com/tsenart/vegeta/blob/v12.12.0/lib/results.go (Result), versions 6 to 12. Streams that were joined
 * (`cat a.bin b.bin`) are a run each; vegeta itself stops at the second.
 *
 *     ff96 7f03 0101 0652 6573 756c 7401 ff80 0001 0c01 0641 7474 6163 6b01 0c00 …    the type Result { Attack …
 *     10ff 8105 0101 0454 696d 6501 ff82 0000 00                                      the type Time
 *     ffa0 ff80 040f 0100 0000 0ee2 92f5 7007 2d9a 6d00 0001 fd12 3a56 0363 …         a result: only fields that are not zero
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import type { Wanted } from '../rows/wanted'
import { GobReader } from './gob-types'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { buildResultsRun } from './results-run'
import { truncatedProblem, errorAt } from '../import-problem'
import { VegetaGobRows, type GobStream } from './vegeta-gob-rows'

/** Streams that one file may hold. */
const maxStreams = 1_000

/** Reads vegeta's results as gob. */
export const vegetaGob: RawImporter = {
  kind: 'raw',
  id: 'vegeta-gob',
  detect: (head) => magic.test(latin1.decode(head.subarray(0, 32))),
  read: readVegetaGob,
}

const latin1 = new TextDecoder('latin1')
/** The first message defines a struct (`03 01 01`) by the name of Result. */
const magic = /^[^]{2,6}\x03\x01\x01\x06Result/

async function* readVegetaGob(bytes: Bytes, wanted?: Wanted): AsyncGenerator<BlockRun | ImportProblem> {
  const rows = new VegetaGobRows(wanted)
  let count = 0
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length;) {
      at = rows.push(chunk, at)
      const run = await buildRun(rows.takeFinished(), true)
      if (run === null) continue
      if (++count > maxStreams)
        throw new ImportError('too-large', `more than ${maxStreams} streams in one file`, {
          hint: 'Upload fewer files at once.',
        })
      yield run
    }
  const { stream, truncatedAt, finished } = rows.finish()
  for (const earlier of finished) {
    const run = await buildRun(earlier, true)
    if (run !== null) yield run
    count++
  }
  const { fault } = rows
  const run = await buildRun(stream, fault === null && truncatedAt === null)
  if (run !== null) yield run
  const hasRuns = run !== null || count > 0
  if (fault !== null) {
    const { code, offset } = fault
    const message = `there is no vegeta result at byte ${offset}: ${fault.message}`
    if (!hasRuns) throw new ImportError(code, message, { offset, hint })
    yield errorAt(code, null, `${message}. The rest was not read`, hint)
  }
  if (truncatedAt !== null) {
    const message = `the file ends within the result at byte ${truncatedAt}: more results are missing`
    if (!hasRuns)
      throw new ImportError('truncated', 'the file ends before its first result', { offset: truncatedAt, hint })
    yield truncatedProblem(null, message)
  }
}

const hint = 'Upload the file that "vegeta attack" wrote, unchanged.'

async function buildRun(stream: GobStream | null, complete: boolean): Promise<BlockRun | null> {
  if (stream === null || stream.samples.count === 0) return null
  const { samples, headers, layout } = stream
  return buildResultsRun(samples, headers, complete, {
    form: 'vegeta-gob',
    toolVersion: layout.toolVersion,
    decodeText: decodeUtf8,
    decodeError: decodeUtf8,
    decodeTarget,
  })
}

const utf8 = new TextDecoder()

function decodeUtf8(bytes: Uint8Array): string {
  return utf8.decode(bytes)
}

/**
 * A key is the method with its length; then, unless there is no address, a step of 1 and the address with its length.
 */
function decodeTarget(key: Uint8Array): { method: string | null; url: string | null } {
  const reader = new GobReader(key, 0, key.length)
  const method = reader.string() || null
  if (reader.at === key.length) return { method, url: null }
  reader.unsigned()
  return { method, url: reader.string() || null }
}
