import { leadingLatency } from '../run/figures'
import { tools } from '../run/tools'
import { countsBelow } from '../stats/histogram'
import type { ImportedRun, Latency, LatencyHistogram } from '../run/run'

/** The forms in which the same attack may also have been uploaded. `isExact`: the run itself is made of results. */
export function counterpartForms(run: Pick<ImportedRun, 'tool' | 'form'>): {
  readonly forms: readonly string[]
  readonly isExact: boolean
} {
  const { results, reports } = tools[run.tool].attackForms ?? { results: {}, reports: {} }
  if (Object.hasOwn(results, run.form)) return { forms: Object.keys(reports), isExact: true }
  return { forms: Object.hasOwn(reports, run.form) ? Object.keys(results) : [], isExact: false }
}

/**
 * Whether a report was made from these results: as many responses; equal minimum, maximum and mean within the printed
 * places; equal status codes if both have them; the results fill the printed buckets identically; the times overlap if
 * both outputs state one. False if the report contains too little to be certain.
 */
export function isSameAttack(results: ImportedRun, report: ImportedRun): boolean {
  const exact = leadingLatency(results)
  const printed = leadingLatency(report)
  const forms = tools[report.tool].attackForms
  if (!forms || !exact || !printed || exact.count === null || exact.count !== printed.count) return false
  const { placeMs, sharesDuration, sharesBuckets } = forms
  const figures = [
    matches(exact.minMs, printed.minMs, placeMs),
    matches(exact.maxMs, printed.maxMs, placeMs),
    // The mean of rows that were themselves rounded is off by as much again.
    matches(exact.meanMs, printed.meanMs, placeMs, 2),
    sharesDuration ? durationsMatch(results, report) : null,
    sharesBuckets ? bucketsMatch(exact.histogram, printed) : null,
    codesMatch(results, report),
    timesOverlap(results, report),
  ]
  // Extremes and mean together, or every bucket: a single figure may match by chance.
  const printedCount = [figures[1], figures[2], figures[4]].filter((figure) => figure !== null).length
  const isEnough =
    printedCount >= 2 || printed.maxMs === exact.maxMs || (printed.histogram?.kind === 'buckets' && sharesBuckets)
  return isEnough && figures.every((figure) => figure !== false)
}

/** Null: one of them is not stated. `parts`: how many times rounding may have applied. */
function matches(
  exactMs: number | null,
  printedMs: number | null,
  placeMs: (ms: number) => number,
  parts = 1,
): boolean | null {
  if (exactMs === null || printedMs === null) return null
  return Math.abs(exactMs - printedMs) <= (placeMs(printedMs) / 2) * parts + Math.abs(exactMs) * 1e-9
}

/** A report's total may exceed the last response by a little. */
function durationsMatch(results: ImportedRun, report: ImportedRun): boolean | null {
  if (results.durationMs === null || report.durationMs === null) return null
  const late = report.durationMs - results.durationMs
  return late >= -1 && late <= Math.max(20, results.durationMs * 0.02)
}

function bucketsMatch(exact: LatencyHistogram | null, printed: Latency): boolean | null {
  if (exact?.kind !== 'hdr' || printed.histogram?.kind !== 'buckets') return null
  const { buckets } = printed.histogram
  const bounds = buckets.flatMap(({ upperMs }) => (upperMs === null ? [] : [upperMs]))
  const counted = countsBelow(exact, bounds)
  let below = 0
  return buckets.every(({ count, upperMs }, index) => {
    below += count
    const range = upperMs === null ? undefined : counted[index]
    return range === undefined || (below >= range.min && below <= range.max)
  })
}

function codesMatch(results: ImportedRun, report: ImportedRun): boolean | null {
  const [own, other] = [results.statusCodes, report.statusCodes]
  const codes = Object.keys(other)
  if (codes.length === 0 || Object.keys(own).length === 0) return null
  return codes.length === Object.keys(own).length && codes.every((code) => own[code] === other[code])
}

/** Only times stated by the output itself: a date in a heading is no clock. */
function timesOverlap(results: ImportedRun, report: ImportedRun): boolean | null {
  const [own, other] = [spanOf(results), spanOf(report)]
  return own && other ? own.from <= other.to && other.from <= own.to : null
}

function spanOf(run: ImportedRun): { readonly from: number; readonly to: number } | null {
  if (run.startedAt === null || !run.proposal.sources['startedAt']?.endsWith('in the output')) return null
  const from = Date.parse(run.startedAt)
  return { from, to: from + (run.durationMs ?? run.attackMs ?? 0) }
}
