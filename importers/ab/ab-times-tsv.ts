/**
 * ApacheBench's rows for gnuplot (`-g`), as https://github.com/apache/httpd/blob/2.4.62/support/ab.c (output_results)
 * writes them: one per request in whole milliseconds, sorted by the total time, with the second of its start.
 *
 *     starttime	seconds	ctime	dtime	ttime	wait
 *     Sun Nov 22 01:30:24 2026	1795311024	0	15	15	15
 */
import type { Phase } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { largestNs } from '../samples/flat-histogram'
import { LineRows } from '../samples/line-rows'
import { besideOf } from '../samples/run-cube'
import { createSampleImporter, type SampleFile } from '../samples/sample-file'
import type { Samples } from '../samples/samples'
import { readDigits } from '../text/digits'
import { decodeHead } from '../text/text-head'

/** Reads the rows of `-g`. */
export const abTimesTsv = createSampleImporter({
  id: 'ab-times-tsv',
  detect: (head) => /^starttime\tseconds\tctime\tdtime\tttime\twait\r?(?:\n|$)/.test(decodeHead(head, 64)),
  open: (samples) => new AbTimesRows(samples),
  hint: 'Upload what "ab -g" wrote, unchanged.',
  truncation: 'the file ends within a row; its rows are sorted by time, so that the longest ones are missing',
  nothing: "there is no complete row in ab's -g",
  build: buildRun,
})

const tab = 9
const answered = 200

class PhaseSum {
  private sum = 0
  private min = Infinity
  private max = 0

  add(ms: number): void {
    this.sum += ms
    if (ms < this.min) this.min = ms
    if (ms > this.max) this.max = ms
  }

  toPhase(name: string, count: number): Phase {
    return { name, meanMs: this.sum / count, minMs: this.min, maxMs: this.max }
  }
}

/** Reads rows: the first column is the time of the second one as a date in the zone of the machine. */
class AbTimesRows extends LineRows {
  readonly connect = new PhaseSum()
  readonly waiting = new PhaseSum()
  private hasHeading = false

  constructor(private readonly samples: Samples) {
    super("row of ab's -g")
  }

  protected read(bytes: Uint8Array, _view: DataView, from: number, to: number): boolean {
    if (!this.hasHeading) {
      this.hasHeading = true
      return true
    }
    const values: number[] = []
    let at = bytes.indexOf(tab, from)
    while (at >= 0 && at < to && values.length < 6) {
      const next = bytes.indexOf(tab, at + 1)
      const end = next < 0 || next > to ? to : next
      values.push(readDigits(bytes, at + 1, end, 16))
      at = end
    }
    const [seconds = -1, connectMs = -1, , totalMs = -1, waitMs = -1] = values
    if (values.length !== 5 || values.includes(-1) || totalMs * 1e6 > largestNs) return false
    this.connect.add(connectMs)
    this.waiting.add(waitMs)
    this.samples.write(seconds, 0, totalMs * 1e6, answered, 0, -1)
    return true
  }
}

async function buildRun({ samples, reader, complete }: SampleFile<AbTimesRows>): Promise<BlockRun> {
  const { count } = samples
  // Rows sorted by their time reveal nothing about a warm-up.
  const timeline = samples.buildTimeline(true)
  return {
    ...blankRun('ab', 'ab-times-tsv'),
    startedAt: samples.startedAt(),
    requests: count,
    latencies: await samples.latencies(),
    phases: [reader.connect.toPhase('connect', count), reader.waiting.toPhase('waiting', count)],
    timeline: timeline && { ...timeline, warmUp: null },
    complete,
    ...besideOf(samples, { tool: 'ab', resolutionMs: 1, isOpenLoop: false, decodeError: String }),
    warnings: [
      {
        code: 'no-statuses',
        message: "ab's -g has times only: statuses, failures, duration and rate are in its report.",
        line: null,
      },
    ],
  }
}
