/**
 * ApacheBench's rows for gnuplot (`-g`), as https://github.com/apache/httpd/blob/2.4.62/support/ab.c (output_results)
 * writes them: one per request in whole milliseconds, sorted by the total time, with the second of its start.
 *
 *     starttime	seconds	ctime	dtime	ttime	wait
 *     Sun Nov 22 01:30:24 2026	1795311024	0	15	15	15
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Phase } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { largestNs } from '../samples/flat-histogram'
import { LineRows, readDigits } from '../samples/line-rows'
import { cutProblem } from '../import-problem'
import { batchRows, SampleBatch } from '../samples/sample-batch'
import { Samples } from '../samples/samples'
import { openText } from '../text/bytes'
import { decodeHead } from '../text/text-head'

/** Reads the rows of `-g`. All rows of a file are one run. */
export const abTimesTsv: RawImporter = {
  kind: 'raw',
  id: 'ab-times-tsv',
  detect: (head) => heading.test(decodeHead(head, 64)),
  read: readTimes,
}

const heading = /^starttime\tseconds\tctime\tdtime\tttime\twait\r?(?:\n|$)/
const hint = 'Upload what "ab -g" wrote, unchanged.'
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
class AbTimesRows {
  readonly samples = new Samples()
  readonly connect = new PhaseSum()
  readonly waiting = new PhaseSum()
  private readonly batch = new SampleBatch()
  private hasHeading = false
  readonly rows = new LineRows((bytes, from, to) => this.read(bytes, from, to), "ab's -g")

  private read(bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.hasHeading) {
      this.hasHeading = true
      return true
    }
    const values: number[] = []
    let at = bytes.indexOf(tab, from)
    while (at >= 0 && at < to && values.length < 6) {
      const next = bytes.indexOf(tab, at + 1)
      const end = next < 0 || next > to ? to : next
      values.push(readDigits(bytes, at + 1, end))
      at = end
    }
    const [seconds = -1, connectMs = -1, , totalMs = -1, waitMs = -1] = values
    if (values.length !== 5 || values.includes(-1) || totalMs * 1e6 > largestNs) return false
    this.connect.add(connectMs)
    this.waiting.add(waitMs)
    const { batch } = this
    if (batch.size === batchRows) this.samples.add(batch)
    const row = batch.size++
    batch.seconds[row] = seconds
    batch.nanos[row] = 0
    batch.latencyNs[row] = totalMs * 1e6
    batch.codes[row] = answered
    batch.targets[row] = -1
    batch.bytesIn[row] = 0
    batch.bytesOut[row] = 0
    return true
  }

  finish(): void {
    this.samples.add(this.batch)
  }
}

async function* readTimes(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const reader = new AbTimesRows()
  const { rows, samples } = reader
  const text = await openText(bytes)
  for await (const chunk of text.bytes) rows.push(chunk)
  reader.finish()
  const isTorn = rows.rest().length > 0
  const fault = rows.faults.report(samples.count, hint)
  if (samples.count === 0)
    throw new ImportError(isTorn ? 'truncated' : 'empty', "there is no whole row in ab's -g", { line: 1, hint })
  yield await buildRun(reader, fault === null && !isTorn)
  if (fault !== null) yield fault
  if (isTorn)
    yield cutProblem(
      rows.line,
      'the file ends within a row; its rows are sorted by time, so that the longest ones are missing',
    )
}

async function buildRun({ samples, connect, waiting }: AbTimesRows, complete: boolean): Promise<BlockRun> {
  const { count } = samples
  // Rows sorted by their time reveal nothing about a warm-up.
  const timeline = samples.buildTimeline(true)
  return {
    ...blankRun('ab', 'ab-times-tsv'),
    startedAt: samples.startedAt(),
    requests: count,
    latencies: await samples.latencies(),
    phases: [connect.toPhase('connect', count), waiting.toPhase('waiting', count)],
    timeline: timeline && { ...timeline, warmUp: null },
    complete,
    warnings: [
      {
        code: 'no-statuses',
        message: "ab's -g has times only: statuses, failures, duration and rate are in its report.",
        line: null,
      },
    ],
  }
}
