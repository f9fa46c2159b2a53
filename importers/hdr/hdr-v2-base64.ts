/**
 * HdrHistogram's payloads in base64 (compressed V2, and V1 and V0 of older versions), alone in a file, as
 * https://github.com/HdrHistogram/HdrHistogram/blob/HdrHistogram-2.2.2/src/main/java/org/HdrHistogram/AbstractHistogram.java
 * (encodeIntoCompressedByteBuffer) and its ports write it. One payload for each line that begins with `HIST`; lines
 * after it continue it, as base64 tools wrap them. It names no unit.
 *
 *     HISTFAAAAIp4nDWIMQrCQBQF385+NiFuYkAMGEIQG8FCrHMBS1tr72Bn6Q0UG6/kETyInbKKr5mZ150vE0knSU4S+i15+dru9e93H2Mobu7B
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import { decodeHistogram, HdrFormatError } from '../../lib/stats/hdr-codec'
import { describeHistogram, guessUnitOf, warnOfDigits } from './hdr-latency'
import { warnOfUnit } from './hdr-unit'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { readLines } from '../text/lines'
import { decodeHead } from '../text/text-head'
import { errorAt } from '../import-problem'

/** The longest payload that is read; a full one of five digits is not much longer. */
const maxCharacters = 4 * 1024 * 1024
const maxPayloads = 1_000
const hint = 'Upload the whole text, from "HISTF" to its end.'

/** Reads encoded histograms without surrounding text. */
export const hdrV2Base64: RawImporter = {
  kind: 'raw',
  id: 'hdr-v2-base64',
  detect: (head) => /^\s*HIST[ABCEFGIJKQRSghi][A-Za-z0-9+/]{20,}={0,2}\s*(?:$|[\r\n])/.test(decodeHead(head, 65_536)),
  read: readPayloads,
}

async function* readPayloads(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  let failed: ImportError | null = null
  let runs = 0
  for await (const { text, line } of joinPayloads(bytes)) {
    try {
      yield await readPayload(text, line)
      runs++
    } catch (error) {
      if (!(error instanceof HdrFormatError)) throw error
      failed ??= new ImportError(error.code, `the encoded histogram cannot be read: ${error.message}`, { line, hint })
      if (runs > 0) yield errorAt(error.code, line, failed.message, hint)
    }
  }
  if (failed !== null && runs === 0) throw failed
}

async function* joinPayloads(bytes: Bytes): AsyncGenerator<{ text: string; line: number }> {
  let payload: { text: string; line: number } | null = null
  let count = 0
  for await (const { text, number, tooLong } of readLines(bytes)) {
    const part = text.trim()
    if (part === '') continue
    if (tooLong === true || !/^[A-Za-z0-9+/]+={0,2}$/.test(part))
      throw new ImportError(tooLong ? 'too-large' : 'malformed', 'this line is not valid base64', {
        line: number,
        hint,
      })
    if (payload !== null && !part.startsWith('HIST')) payload.text += part
    else {
      if (payload !== null) yield payload
      payload = { text: part, line: number }
      if (++count > maxPayloads)
        throw new ImportError('too-large', `more than ${maxPayloads} histograms in one file`, { line: number, hint })
    }
    if (payload.text.length > maxCharacters)
      throw new ImportError('too-large', 'the encoded histogram is too long to read', { line: number, hint })
  }
  if (payload !== null) yield payload
}

async function readPayload(text: string, line: number): Promise<BlockRun> {
  const histogram = await decodeHistogram(text)
  const unit = guessUnitOf(histogram)
  const latency = await describeHistogram(histogram, unit, null)
  return {
    ...blankRun('hdr', 'hdr-v2-base64'),
    latencies: latency === null ? [] : [latency],
    warnings:
      latency === null
        ? [{ code: 'no-results', message: 'The histogram contains no values.', line }]
        : [warnOfUnit(unit, 'by their size', line), ...warnOfDigits(histogram, line)],
  }
}
