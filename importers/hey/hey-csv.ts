/**
 * hey's CSV (`-o csv`), as https://github.com/rakyll/hey/blob/v0.1.4/requester/print.go (csvTmpl) prints it from 0.1.1
 * on: one row per response, seconds with four decimals. Failed requests are not in it. Also as saved by a spreadsheet
 * with a decimal comma.
 *
 *     response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset
 *     0.0041,0.0000,0.0000,0.0000,0.0039,0.0001,200,0.0006
 *     0,0041;0,0000;0,0000;0,0000;0,0039;0,0001;200;0,0006
 */
import { ImportError } from '../../lib/errors'
import type { Phase, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { besideOf } from '../samples/run-cube'
import { warnOfRows } from '../samples/row-warnings'
import { createSampleImporter, type SampleFile } from '../samples/sample-file'
import { decodeHead } from '../text/text-head'
import { HeyCsvRows } from './hey-csv-rows'

const hint = 'Upload what "hey -o csv" printed, unchanged.'
/** hey keeps at most this many responses. */
const sampleCap = 1_000_000

/** New seconds, several digits, a failure. */
const rowsOfEachKind = `response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset
0.0048,0.0008,0.0000,0.0000,0.0047,0.0000,200,0.0003
0.0048,0.0008,0.0000,0.0000,0.0047,0.0000,200,1.0003
12.0048,0.0008,0.0000,0.0000,12.0047,0.0000,503,79.9889
3.0048,0.0008,0.0000,0.0000,3.0047,0.0000,503,79.9889
0.0022,0.0000,0.0000,0.0000,0.0022,0.0000,200,179.9889
`

/** Reads hey's CSV. */
export const heyCsv = createSampleImporter({
  id: 'hey-csv',
  detect: (head) => /^\s*"?response-time"?[,;\t]"?DNS\+dialup"?[,;\t]/.test(decodeHead(head, 200)),
  rowsOfEachKind,
  open: (samples) => new HeyCsvRows(samples),
  hint,
  truncation: 'the file ends within a row: more responses are missing',
  refuse: ({ hasHeading }, isTorn) =>
    hasHeading
      ? null
      : new ImportError(isTorn ? 'truncated' : 'malformed', "hey's CSV ends within its heading, or it lacks a column", {
          line: 1,
          hint,
        }),
  // It has no row when every request failed.
  nothing: () => null,
  build: buildRun,
})

async function buildRun({ samples, reader, complete }: SampleFile<HeyCsvRows>): Promise<BlockRun> {
  const { count } = samples
  return {
    ...blankRun('hey', 'hey-csv'),
    toolVersion: '>=0.1.1',
    durationMs: count === 0 ? null : reader.endNs / 1e6,
    statusCodes: samples.statusCodes(),
    latencies: await samples.latencies(),
    phases: count === 0 ? [] : listPhases(reader, count),
    timeline: samples.buildTimeline(false),
    measures: [{ name: 'responses', value: count, unit: null, line: null }],
    complete,
    ...besideOf(samples, { tool: 'hey', resolutionMs: 0.1, isOpenLoop: false, decodeError: String }),
    warnings: [...listWarnings(count), ...warnOfRows(samples)],
  }
}

/** Named as in hey's summary. */
const phaseNames = ['DNS+dialup', 'DNS-lookup', 'req write', 'resp wait', 'resp read'] as const

function listPhases({ phases }: HeyCsvRows, count: number): Phase[] {
  return phases.map(({ sum, min, max }, index) => ({
    name: phaseNames[index] ?? '',
    meanMs: sum / count / 1e6,
    minMs: min / 1e6,
    maxMs: max / 1e6,
  }))
}

function listWarnings(count: number): Warning[] {
  const warn = (code: string, message: string): Warning => ({ code, message, line: null })
  if (count === 0) return [warn('no-responses', 'No responses listed: every request failed, or none was sent.')]
  const responsesOnly = warn(
    'responses-only',
    "hey's CSV lists responses only. Failed requests are not in it, so the number of requests, their rate and the share of errors are unknown. The duration is the time from hey's start to the end of the last response.",
  )
  if (count < sampleCap) return [responsesOnly]
  return [responsesOnly, warn('sample-cap', 'hey records at most 1,000,000 responses: later ones are not in its CSV.')]
}
