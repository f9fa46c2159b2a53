/**
 * A run that Tailboard itself wrote to a Markdown page (lib/export/run-json.ts) because the tool's output is no text:
 * everything read from raw results, one field per line. The run keeps the tool and form that it was read from.
 *
 *     {"tailboardRun":1,
 *     "tool":"vegeta",
 *     "form":"vegeta-gob",
 */
import { ImportError } from '../../lib/errors'
import type { ImportedRun, Latency, Timeline, Warning } from '../../lib/run/run'
import { figuresOnlyCode, readRunJson, runJsonHead } from '../../lib/export/run-json'
import {
  decodeHistogram,
  encodeDecoded,
  HdrFormatError,
  highestOfSlot,
  lastSlotOf,
  withinThreeDigits,
  type DecodedHistogram,
} from '../../lib/stats/hdr-codec'
import { warnOfDigits } from '../hdr/hdr-latency'
import type { Block, BlockReader, BlockRun, TextImporter } from '../importer'
import { JsonCollector } from '../text/json-collector'

/** Reads a run that a Tailboard page holds as figures. */
export const tailboardRun: TextImporter = {
  kind: 'text',
  id: 'tailboard-run',
  starts: '{',
  detect: ({ text }) => text.startsWith(runJsonHead),
  open: createReader,
}

function createReader(): BlockReader {
  const collector = new JsonCollector()
  let first = 0
  let last = 0
  let isClosed = false
  return {
    push(line) {
      if (first === 0) first = line.number
      const state = collector.add(line.text, line.tooLong === true)
      if (state === 'not-json') return 'not-mine'
      last = line.number
      isClosed = state === 'closed'
      return isClosed ? 'last' : 'taken'
    },
    end() {
      const place = { line: first, hint: 'Export the page again, or leave the block as Tailboard wrote it.' }
      if (!isClosed || collector.isShortened)
        throw new ImportError('truncated', 'a run exported as figures lacks its end', place)
      const figures = readRunJson(collector.parse())
      if (figures === null || !isWhole(figures))
        throw new ImportError('malformed', 'a run exported as figures cannot be read', place)
      const run = withSoundTimeline({ ...figures, ...atLine(figures, first) }, first)
      const block: Block = { lines: [first, last], runs: [run], problems: [] }
      return block
    },
  }
}

/** Line numbers of the file that the run was read from are meaningless here. */
function atLine({ warnings, measures }: BlockRun, line: number): Pick<BlockRun, 'warnings' | 'measures'> {
  return {
    warnings: warnings.map((warning) => ({ ...warning, line })),
    measures: measures.map((measure) => ({ ...measure, line })),
  }
}

/** Drops a timeline with more or fewer requests than there are latencies: one of the two was edited. */
function withSoundTimeline(run: BlockRun, line: number): BlockRun {
  const { timeline, latencies, warnings } = run
  const { count = null } = latencies.find(({ of }) => of === 'all') ?? latencies[0] ?? {}
  const sum = timeline?.requests.reduce((total, requests) => total + requests, 0) ?? count
  if (count === null || sum === count) return run
  const message = `The timeline counts ${sum} requests, but the latencies are of ${count}; it is omitted.`
  return { ...run, timeline: null, warnings: [...warnings, { code: 'damaged-timeline', message, line }] }
}

/** Columns of equal length, no negative count or time, rising buckets. */
function isWhole({ timeline, latencies }: BlockRun): boolean {
  return (timeline === null || isEven(timeline)) && latencies.every(isRising)
}

function isEven({ requests, heat, binMs, ...columns }: Timeline): boolean {
  const { errors, p50Ms, p90Ms, p95Ms, p99Ms, maxMs } = columns
  const widths = new Set(heat.counts.map((row) => row.length))
  return (
    binMs > 0 &&
    heat.binMs > 0 &&
    requests.length <= 1_000 &&
    [errors, p50Ms, p90Ms, p95Ms, p99Ms, maxMs].every((column) => column.length === requests.length) &&
    heat.counts.length === heat.lowerMs.length &&
    [requests, errors, p50Ms, p90Ms, p95Ms, p99Ms, maxMs, heat.lowerMs, ...heat.counts].every(isNotBelowZero) &&
    widths.size <= 1
  )
}

function isNotBelowZero(column: readonly (number | null)[]): boolean {
  return column.every((value) => value === null || value >= 0)
}

function isRising({ histogram }: Latency): boolean {
  if (histogram === null || histogram.kind === 'hdr') return true
  const { buckets } = histogram
  return buckets.every(
    ({ lowerMs, upperMs, count }, at) =>
      count >= 0 && (upperMs ?? Infinity) >= lowerMs && lowerMs >= (buckets[at - 1]?.lowerMs ?? -Infinity),
  )
}

/**
 * The run without histograms whose payload cannot be decoded, and with fewer digits in those of too many values: the
 * content of a page cannot be trusted. Runs printed by tools are returned unchanged.
 */
export async function withSoundPayloads(run: ImportedRun): Promise<ImportedRun> {
  if (!run.warnings.some(({ code }) => code === figuresOnlyCode)) return run
  const line = run.context.lines[0]
  const lost: string[] = []
  const warnings: Warning[] = []
  const latencies: Latency[] = []
  for (const latency of run.latencies) {
    const { histogram } = latency
    const decoded = histogram?.kind === 'hdr' ? await findDecoded(histogram.v2Base64) : null
    if (histogram?.kind !== 'hdr') latencies.push(latency)
    else if (decoded === null) {
      lost.push(latency.of)
      latencies.push({ ...latency, histogram: null })
    } else {
      const coarser = withinThreeDigits(decoded)
      warnings.push(...warnOfDigits(decoded, line))
      const largest = highestOfSlot(coarser, lastSlotOf(coarser))
      const v2Base64 = coarser === decoded ? histogram.v2Base64 : await encodeDecoded(coarser, largest)
      latencies.push({ ...latency, histogram: { ...histogram, v2Base64 } })
    }
  }
  if (lost.length > 0)
    warnings.push({
      code: 'damaged-histogram',
      message: `The histogram of ${lost.join(', ')} is damaged; it is omitted.`,
      line,
    })
  return warnings.length === 0 ? run : { ...run, latencies, warnings: [...run.warnings, ...warnings] }
}

async function findDecoded(v2Base64: string): Promise<DecodedHistogram | null> {
  try {
    return await decodeHistogram(v2Base64)
  } catch (error) {
    if (error instanceof HdrFormatError) return null
    throw error
  }
}
