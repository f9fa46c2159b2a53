/**
 * HdrHistogram's interval log (.hlog), versions 1.0 to 1.3, as
 * https://github.com/HdrHistogram/HdrHistogram/blob/HdrHistogram-2.2.2/src/main/java/org/HdrHistogram/HistogramLogWriter.java
 * and its ports write it: one histogram for each interval, its maximum scaled (to ms by default), its payload in recorded
 * values. Intervals of one tag make one run.
 *
 *     #[Histogram log format version 1.3]
 *     #[StartTime: 1795227251.210 (seconds since epoch), Sat Nov 21 2026 02:14:11 GMT+0000 (Coordinated Universal Time)]
 *     "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
 *     Tag=faulty,0.000,1.000,250.992,HISTFAAAAF14nDWJMQqDQBQF307Wz0fdRsFK0qXxCLGxEa+Q6wT0BNa5ZzplEaeaYfp1byVNkoIkdJE9
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { decodeHistogram, HdrFormatError } from '../../lib/stats/hdr-codec'
import { HdrLogRun, maxTags } from './hdr-log-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { readLines } from '../text/lines'
import { decodeHead } from '../text/text-head'

const legend = /^\s*"?StartTimestamp"?,"?(?:Interval_Length|EndTimestamp)"?,"?Interval_Max"?,/
const time = /^\s*#\[(Start|Base)Time: (\d{1,12}(?:\.\d{1,9})?) \(seconds since epoch\)/
const number = String.raw`\d{1,15}(?:\.\d{1,9})?`
const row = new RegExp(
  String.raw`^\s*(?:Tag=([^,\s]{1,200}),)?(${number}),(${number}),(${number}),(HIST[A-Za-z0-9+/]{1,}={0,2})\s*$`,
)
const maxProblems = 20
const hint = 'Upload the log as it was written.'

/** Reads an interval log. */
export const hdrLog: RawImporter = {
  kind: 'raw',
  id: 'hdr-log',
  detect: (head) =>
    decodeHead(head, 8_192)
      .split(/[\r\n]+/, 40)
      .some((line) => /^\s*#\[Histogram log format version /.test(line) || legend.test(line) || row.test(line)),
  read: readLog,
}

async function* readLog(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const runs = new Map<string, HdrLogRun>()
  const problems: ImportProblem[] = []
  let faults = 0
  let startSeconds: number | null = null
  let baseSeconds: number | null = null
  for await (const line of readLines(bytes)) {
    const { text } = line
    const [, kind, seconds] = time.exec(text) ?? []
    if (kind === 'Start') startSeconds = Number(seconds)
    if (kind === 'Base') baseSeconds = Number(seconds)
    if (text.trim() === '' || /^\s*#/.test(text) || legend.test(text)) continue
    const fault = await readInterval(text, line.number, line.tooLong === true, runs)
    if (fault !== null && ++faults <= maxProblems) problems.push(fault)
  }
  if (runs.size === 0) {
    const [first] = problems
    throw new ImportError(
      first === undefined ? 'empty' : 'malformed',
      first?.message ?? 'the log holds no interval',
      first === undefined ? { hint } : { line: first.line, hint },
    )
  }
  for (const run of runs.values()) yield await run.build({ startSeconds, baseSeconds, complete: faults === 0 })
  yield* problems
  if (faults > maxProblems)
    yield {
      code: 'malformed',
      severity: 'error',
      line: null,
      lastLine: null,
      message: `${faults - maxProblems} more intervals of the log cannot be read`,
      hint,
    }
}

/** Null: the interval was read. */
async function readInterval(
  text: string,
  line: number,
  tooLong: boolean,
  runs: Map<string, HdrLogRun>,
): Promise<ImportProblem | null> {
  const fault = (code: string, message: string): ImportProblem => ({
    code,
    severity: 'error',
    line,
    lastLine: null,
    message,
    hint,
  })
  if (tooLong) return fault('too-large', 'the histogram of this interval is longer than is read')
  const [, tag = '', start, length, max, payload] = row.exec(text) ?? []
  if (start === undefined || length === undefined || max === undefined || payload === undefined)
    return fault('truncated', 'this line of the log is no whole interval')
  try {
    const histogram = await decodeHistogram(payload)
    const known = runs.get(tag)
    if (known === undefined && runs.size >= maxTags) return fault('too-large', `more than ${maxTags} tags in one log`)
    const run = known ?? new HdrLogRun(tag === '' ? null : tag, histogram, line)
    if (!run.add(histogram, { startSeconds: Number(start), lengthSeconds: Number(length), max }))
      return fault('inconsistent', 'this interval was recorded with other digits than the ones before it')
    runs.set(tag, run)
    return null
  } catch (error) {
    if (!(error instanceof HdrFormatError)) throw error
    return fault(error.code, `the histogram of this interval cannot be read: ${error.message}`)
  }
}
