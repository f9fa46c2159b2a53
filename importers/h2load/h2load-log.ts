/**
 * h2load's log (`--log-file`), as https://github.com/nghttp2/nghttp2/blob/v1.52.0/src/h2load.cc (Client::record_request_time,
 * on_stream_close) writes it: start in µs since 1970, status (−1: the stream failed), duration in µs, a row for each
 * finished request in order of completion. A log that exists is appended to.
 *
 *     1795311013480930	200	2076
 *     1795311013480949	503	2093
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { largestNs } from '../samples/flat-histogram'
import { LineRows, readDigits } from '../samples/line-rows'
import { cutProblem } from '../import-problem'
import { warnOfRows } from '../samples/row-warnings'
import { batchRows, SampleBatch } from '../samples/sample-batch'
import { Samples } from '../samples/samples'
import { openText } from '../text/bytes'
import { decodeHead } from '../text/text-head'

/** Reads h2load's log. All rows of a file are one run. */
export const h2loadLog: RawImporter = {
  kind: 'raw',
  id: 'h2load-log',
  detect: (head) => /^(?:\d{16}\t(?:\d{3}|-1)\t\d{1,12}\r?(?:\n|$)){1,3}/.test(decodeHead(head, 200)),
  read: readH2loadLog,
}

const hint = 'Upload what "h2load --log-file" wrote, unchanged.'
const tab = 9
const minus = 45

async function* readH2loadLog(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const samples = new Samples()
  const batch = new SampleBatch()
  const rows = new LineRows((row, from, to) => {
    const first = row.indexOf(tab, from)
    const second = first < 0 ? -1 : row.indexOf(tab, first + 1)
    if (second < 0 || second >= to) return false
    const startUs = readDigits(row, from, first)
    const code = row[first + 1] === minus ? 0 : readDigits(row, first + 1, second)
    const durationUs = readDigits(row, second + 1, to)
    if (startUs < 0 || code < 0 || code > 999 || durationUs < 0 || durationUs * 1_000 > largestNs) return false
    if (batch.size === batchRows) samples.add(batch)
    const at = batch.size++
    const seconds = Math.floor(startUs / 1e6)
    batch.seconds[at] = seconds
    batch.nanos[at] = (startUs - seconds * 1e6) * 1_000
    batch.latencyNs[at] = durationUs * 1_000
    batch.codes[at] = code
    batch.targets[at] = -1
    batch.bytesIn[at] = 0
    batch.bytesOut[at] = 0
    return true
  }, "h2load's log")
  const text = await openText(bytes)
  for await (const chunk of text.bytes) rows.push(chunk)
  samples.add(batch)
  // Each row ends with a line feed: without it the last duration may lack digits.
  const isTorn = rows.rest().length > 0
  const fault = rows.faults.report(samples.count, hint)
  if (samples.count === 0)
    throw new ImportError(isTorn ? 'truncated' : 'empty', "there is no whole row in h2load's log", { line: 1, hint })
  yield await buildRun(samples, fault === null && !isTorn)
  if (fault !== null) yield fault
  if (isTorn) yield cutProblem(rows.line, 'the file ends within a row: more requests are missing')
}

async function buildRun(samples: Samples, complete: boolean): Promise<BlockRun> {
  const { count, successes } = samples
  const durationMs = (samples.span()?.totalNs ?? 0) / 1e6
  return {
    ...blankRun('h2load', 'h2load-log'),
    startedAt: samples.startedAt(),
    durationMs,
    requests: count,
    successes,
    successRatio: successes / count,
    requestsPerSecond: durationMs > 0 ? count / (durationMs / 1_000) : null,
    statusCodes: samples.statusCodes(),
    latencies: await samples.latencies(),
    timeline: samples.buildTimeline(true),
    complete,
    warnings: [
      {
        code: 'finished-only',
        message:
          "h2load's log has finished requests only: those that it could not send, and those that a reset or a timeout ended, are in its printed report.",
        line: null,
      },
      ...warnOfRows(samples),
    ],
  }
}
