/**
 * h2load's log (`--log-file`), as https://github.com/nghttp2/nghttp2/blob/v1.52.0/src/h2load.cc (Client::record_request_time,
 * on_stream_close) writes it: start in µs since 1970, status (−1: the stream failed), duration in µs, a row for each
 * finished request in order of completion. A log that exists is appended to.
 *
 *     1795311013480930	200	2076
 *     1795311013480949	503	2093
 */
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { largestNs } from '../samples/flat-histogram'
import { LineRows } from '../samples/line-rows'
import { besideOf } from '../samples/run-cube'
import { warnOfRows } from '../samples/row-warnings'
import { createSampleImporter, type SampleFile } from '../samples/sample-file'
import type { Samples } from '../samples/samples'
import { readDigits } from '../text/digits'
import { decodeHead } from '../text/text-head'

/** Reads h2load's log. */
export const h2loadLog = createSampleImporter({
  id: 'h2load-log',
  detect: (head) => /^(?:\d{16}\t(?:\d{3}|-1)\t\d{1,12}\r?(?:\n|$)){1,3}/.test(decodeHead(head, 200)),
  // Each row ends with a line feed: without it the last duration may lack digits.
  open: (samples) => new H2loadRows(samples),
  hint: 'Upload what "h2load --log-file" wrote, unchanged.',
  truncation: 'the file ends within a row: more requests are missing',
  nothing: "there is no complete row in h2load's log",
  build: buildRun,
})

const tab = 9
const minus = 45

class H2loadRows extends LineRows {
  constructor(private readonly samples: Samples) {
    super("row of h2load's log")
  }

  protected read(bytes: Uint8Array, _view: DataView, from: number, to: number): boolean {
    const first = bytes.indexOf(tab, from)
    const second = first < 0 ? -1 : bytes.indexOf(tab, first + 1)
    if (second < 0 || second >= to) return false
    const startUs = readDigits(bytes, from, first, 16)
    const code = bytes[first + 1] === minus ? 0 : readDigits(bytes, first + 1, second, 16)
    const durationUs = readDigits(bytes, second + 1, to, 16)
    if (startUs < 0 || code < 0 || code > 999 || durationUs < 0 || durationUs * 1_000 > largestNs) return false
    const seconds = Math.floor(startUs / 1e6)
    this.samples.write(seconds, (startUs - seconds * 1e6) * 1_000, durationUs * 1_000, code, 0, -1)
    return true
  }
}

async function buildRun({ samples, complete }: SampleFile<H2loadRows>): Promise<BlockRun> {
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
    ...besideOf(samples, { tool: 'h2load', resolutionMs: 0.001, isOpenLoop: false, decodeError: String }),
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
