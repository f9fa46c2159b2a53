/**
 * JSON printed by a Lua script in `done(summary, latency, requests)`, alone or below the report of wrk or wrk2
 * (https://github.com/wg/wrk/blob/4.1.0/src/script.c#L204-L271, script_summary and script_errors: requests, duration in µs,
 * bytes, five errors). Keys are the author's, who usually keeps those names; units that no key names are assumed only
 * if no other one is possible. A widely copied script prints its percentiles as a list and no errors.
 *
 *     { "requests": 2534, "duration_us": 2008263, "bytes": 2979984,
 *       "errors": { "connect": 0, "read": 0, "write": 0, "status": 0, "timeout": 0 },
 *       "latency_us": { "min": 93, "mean": 3185.524, "stdev": 1533.751, "max": 12262, "p50": 2785, "p99.9": 10222 } }
 *
 *     { "requests": 2534, "duration_in_microseconds": 2008263.00, "bytes": 2979984, "requests_per_sec": 1261.79,
 *       "latency_distribution": [ { "percentile": 50, "latency_in_microseconds": 2785 }, … ] }
 */
import * as z from 'zod'
import type { ErrorCount, Latency, Measure, Quantile, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { createJsonImporter, faultOfReports } from '../json-reports'
import { Printed, toMs } from '../printed'
import { latencyOf } from '../latency-of'

/** Reads the JSON of a script; if it is below the report of its run, both are one run. */
export const wrkLuaJson = createJsonImporter({
  id: 'wrk-lua-json',
  name: 'the JSON of a script for wrk',
  hint: 'Upload the whole output of "wrk -s SCRIPT".',
  // `JSON Output: {…}`
  label: /^\s{0,20}[A-Za-z][\w .-]{0,40}[:=] ?(?=\{)/,
  detect: (start) =>
    requestsKey.test(start) && ((durationKey.test(start) && errorsKey.test(start)) || percentileList.test(start)),
  read(reports) {
    const [report] = reports
    const summary = summarySchema.safeParse(report?.value).data
    if (report === undefined || summary === undefined) return faultOfReports(reports, summarySchema)
    const [line] = report.lines
    return { runs: [createRun(summary, line)], completes: (before) => completeReport(before, summary, line) }
  },
})

const requestsKey = /"requests"\s*:\s*\d/
const durationKey = /"duration(?:_(?:us|ms|s))?"\s*:\s*\d/
const percentileList =
  /"latency_distribution"\s*:\s*\[\s*\{\s*"percentile"\s*:\s*\d[\d.]*\s*,\s*"latency_in_microseconds"\s*:\s*\d/
const errorsKey = /"(?:socket_)?errors"\s*:\s*\{\s*"connect"\s*:\s*\d/

const count = z.number().int().nonnegative()
const figure = z.number().nonnegative().nullish()
const figuresSchema = z.record(z.string(), z.number().nullable())
/** Some scripts print both the corrected and the measured latencies, each under its name. */
const bothSchema = z.object({ corrected: figuresSchema, uncorrected: figuresSchema })
const latencySchema = z.union([bothSchema, figuresSchema]).nullish()

const summarySchema = z.object({
  requests: count,
  duration: figure,
  duration_us: figure,
  duration_in_microseconds: figure,
  duration_ms: figure,
  duration_s: figure,
  bytes: figure,
  requests_per_sec: figure,
  latency: latencySchema,
  latency_us: latencySchema,
  latency_ms: latencySchema,
  latency_s: latencySchema,
  latency_distribution: z
    .array(z.object({ percentile: z.number().min(0).max(100), latency_in_microseconds: z.number().nonnegative() }))
    .optional(),
  latency_min: figure,
  latency_mean: figure,
  latency_stdev: figure,
  latency_max: figure,
  total_errors: count.optional(),
  errors: z.record(z.string(), count).optional(),
  socket_errors: z.record(z.string(), count).optional(),
})
type Summary = z.infer<typeof summarySchema>
type Unit = 'µs' | 'ms' | 's'
type Figures = Readonly<Record<string, number | null>>

const units: readonly Unit[] = ['µs', 'ms', 's']
/** The resolution of two decimals in a unit that changes at 85 %. */
const isNear = (one: number, other: number) => Math.abs(one - other) <= 0.015 * Math.max(one, other)

function createRun(summary: Summary, line: number): BlockRun {
  const printed = new Printed()
  const duration = readDuration(summary, null)
  const durationMs = duration === null ? null : printed.time('durationMs', duration.value, duration.unit)
  const latencies = readLatencies(summary, durationMs, null, printed)
  return {
    ...blankRun('wrk', 'wrk-lua-json'),
    ...readCounts(summary),
    durationMs,
    requestsPerSecond: printed.figure('requestsPerSecond', summary.requests_per_sec),
    bytesIn: printed.figure('bytesIn', summary.bytes),
    latencies,
    printed: printed.texts,
    warnings: [
      {
        code: 'script-of-wrk',
        message:
          "A script printed this, without saying whether for wrk or wrk2. wrk2's latencies count from when a request was due.",
        line,
      },
      ...warnOfErrors(summary, line),
      ...(durationMs === null ? [warnOfUnit('duration', line)] : []),
      ...(latencies.length === 0 && latencyFigures(summary) !== null ? [warnOfUnit('latencies', line)] : []),
    ],
  }
}

/** A sum of all kinds shows neither which requests failed nor which only had a socket error. */
const warnOfErrors = ({ total_errors: total = 0 }: Summary, line: number): Warning[] =>
  total === 0
    ? []
    : [
        {
          code: 'errors-of-any-kind',
          message: `The script counted ${total} errors, without saying of which kinds.`,
          line,
        },
      ]

const warnOfUnit = (what: string, line: number): Warning => ({
  code: 'unit-unknown',
  message: `The unit of its ${what} is not stated, and more than one is possible: none was assumed.`,
  line,
})

/**
 * The report with the script's figures, which are not rounded, plus what only the report has. Null: they are not of the
 * same run.
 */
function completeReport(before: BlockRun, summary: Summary, line: number): BlockRun | null {
  if (before.form !== 'wrk-text' || before.requests !== summary.requests || !before.complete) return null
  const printed = new Printed()
  const duration = readDuration(summary, before.durationMs)
  const durationMs = duration === null ? null : printed.time('durationMs', duration.value, duration.unit)
  const [first, ...others] = before.latencies
  const read = readLatencies(summary, durationMs ?? before.durationMs, first ?? null, printed)
  const [latency = null] = read
  const further = read.slice(1).filter(({ of }) => before.latencies.every((known) => known.of !== of))
  const contradicts = latency === null && first?.meanMs != null && latencyFigures(summary) !== null
  // If a list of percentiles has no mean, only the percentiles show that it is of this run: the report's figures stay.
  if (summary.latency_distribution !== undefined && !contradicts)
    return { ...before, measures: [...before.measures, ...listFurther(first, latency, line)] }
  return {
    ...before,
    durationMs: durationMs ?? before.durationMs,
    bytesIn: printed.figure('bytesIn', summary.bytes) ?? before.bytesIn,
    latencies:
      latency === null || first === undefined
        ? before.latencies
        : [mergeLatency(first, latency), ...others, ...further],
    printed: { ...before.printed, ...printed.texts },
    warnings: contradicts
      ? [
          ...before.warnings,
          {
            code: 'script-contradicts-report',
            message: 'The latencies that the script printed are not those of the report above, which were taken.',
            line,
          },
        ]
      : before.warnings,
  }
}

/** The script's percentiles that the report does not print. */
const listFurther = (report: Latency | undefined, script: Latency | null, line: number): Measure[] =>
  (script?.quantiles ?? [])
    .filter(({ q }) => !report?.quantiles.some((printed) => printed.q === q))
    .map(({ q, ms }) => ({ name: `script-p${toPercent(q)}`, value: ms, unit: 'ms', line }))

function mergeLatency(report: Latency, script: Latency): Latency {
  const finer = new Map(script.quantiles.map(({ q, ms }) => [q, ms]))
  for (const { q, ms } of report.quantiles) if (!finer.has(q)) finer.set(q, ms)
  return {
    ...report,
    minMs: script.minMs ?? report.minMs,
    meanMs: script.meanMs ?? report.meanMs,
    stdDevMs: script.stdDevMs ?? report.stdDevMs,
    maxMs: script.maxMs ?? report.maxMs,
    quantiles: [...finer].map(([q, ms]) => ({ q, ms })).sort((a, b) => a.q - b.q),
  }
}

/** `status` counts responses above 399, like the report's last line of errors. */
function readCounts(summary: Summary) {
  const { requests } = summary
  const counts = summary.errors ?? summary.socket_errors ?? {}
  const { status } = counts
  const successes = status === undefined || status > requests ? null : requests - status
  const errors: ErrorCount[] = [
    ...['connect', 'read', 'write', 'timeout'].map((message) => ({ message, count: counts[message] ?? 0 })),
    { message: 'Non-2xx or 3xx responses', count: status ?? 0 },
  ].filter(({ count: times }) => times > 0)
  return {
    requests,
    successes,
    successRatio: successes === null || requests === 0 ? null : successes / requests,
    errors,
  }
}

/** `reportedMs`: the duration in a report. Null: no unit is certain. */
function readDuration(summary: Summary, reportedMs: number | null): { value: number; unit: Unit } | null {
  const {
    duration,
    duration_us: us = summary.duration_in_microseconds,
    duration_ms: ms,
    duration_s: s,
    requests,
    requests_per_sec: rate,
  } = summary
  const named = (
    [
      [us, 'µs'],
      [ms, 'ms'],
      [s, 's'],
    ] as const
  ).find(([value]) => typeof value === 'number')
  if (named !== undefined && typeof named[0] === 'number') return { value: named[0], unit: named[1] }
  const expectedMs = reportedMs ?? (rate ? (requests / rate) * 1e3 : null)
  if (typeof duration !== 'number' || expectedMs === null) return null
  const unit = units.find((one) => isNear(toMs(duration, one), expectedMs))
  return unit === undefined ? null : { value: duration, unit }
}

function latencyFigures(
  summary: Summary,
  kind: 'corrected' | 'uncorrected' = 'corrected',
): { figures: Figures; unit: Unit | null } | null {
  const [latency, us, ms, s] = [summary.latency, summary.latency_us, summary.latency_ms, summary.latency_s].map(
    (given) => {
      const both = bothSchema.safeParse(given).data
      return both?.[kind] ?? (kind === 'corrected' ? figuresSchema.safeParse(given).data : undefined)
    },
  )
  if (us) return { figures: us, unit: 'µs' }
  if (ms) return { figures: ms, unit: 'ms' }
  if (s) return { figures: s, unit: 's' }
  if (kind === 'corrected' && summary.latency_distribution)
    return { figures: listFigures(summary, summary.latency_distribution), unit: 'µs' }
  return latency ? { figures: latency, unit: null } : null
}

/** The figures beside a list of percentiles have no unit: it is the list's if they fit around its values. */
function listFigures(summary: Summary, rows: NonNullable<Summary['latency_distribution']>): Figures {
  const figures = Object.fromEntries(rows.map((row) => [`${row.percentile}`, row.latency_in_microseconds]))
  const { latency_min: min, latency_mean: mean, latency_stdev: stdev, latency_max: max } = summary
  const values = rows.filter(({ percentile }) => percentile < 100).map((row) => row.latency_in_microseconds)
  const isAround =
    typeof min === 'number' && typeof max === 'number' && min <= Math.min(...values) && max >= Math.max(...values)
  return isAround ? { ...figures, min, mean: mean ?? null, stdev: stdev ?? null, max } : figures
}

/** Those of the run, followed by the measured ones if the script prints both. */
function readLatencies(
  summary: Summary,
  durationMs: number | null,
  reported: Latency | null,
  printed: Printed,
): readonly Latency[] {
  const corrected = readLatency(latencyFigures(summary), summary, { durationMs, reported, at: 0 }, printed)
  if (corrected === null) return []
  const place = { durationMs, reported: null, at: 1 }
  const measured = readLatency(latencyFigures(summary, 'uncorrected'), summary, place, printed)
  return measured === null ? [corrected] : [corrected, { ...measured, of: 'uncorrected' }]
}

/**
 * Its unit is named, or known from the report above, or the only possible one: wrk has whole µs, and no latency is
 * longer than the run.
 */
function readLatency(
  found: ReturnType<typeof latencyFigures>,
  summary: Summary,
  {
    durationMs,
    reported,
    at,
  }: { readonly durationMs: number | null; readonly reported: Latency | null; readonly at: number },
  printed: Printed,
): Latency | null {
  if (found === null || summary.requests === 0) return null
  const { figures } = found
  const mean = figures['mean'] ?? figures['avg'] ?? null
  const { max = null, min = null } = figures
  const candidates = (found.unit === null ? units : [found.unit]).filter((unit) => {
    if (reported?.meanMs != null && mean !== null) return isNear(toMs(mean, unit), reported.meanMs)
    if (reported !== null && mean === null)
      return reported.quantiles.every(({ q, ms }) => {
        const value = figures[`${toPercent(q)}`]
        return typeof value !== 'number' || value === 0 || isNear(toMs(value, unit), ms)
      })
    if (found.unit !== null) return true
    const isWhole = [min, max].every((value) => value === null || Number.isInteger(value))
    if (unit === 'µs' && !isWhole) return false
    return durationMs !== null && max !== null && toMs(max, unit) <= durationMs * 1.1
  })
  const [unit] = candidates
  if (unit === undefined || candidates.length > 1) return null
  return latencyOf({
    minMs: printed.time(`latencies.${at}.minMs`, min, unit),
    meanMs: printed.time(`latencies.${at}.meanMs`, mean, unit),
    stdDevMs: printed.time(`latencies.${at}.stdDevMs`, figures['stdev'] ?? figures['stddev'], unit),
    maxMs: printed.time(`latencies.${at}.maxMs`, max, unit),
    quantiles: listQuantiles(figures, { unit, at }, printed),
    method: 'wrk-corrected',
  })
}

const toPercent = (q: number) => Number(`${q}e2`)

/** `p50`, `p99.9`, `p99_9`, `50`; 100 is left out if it is 0: wrk's `latency:percentile(100)` is, wrk2's is not. */
function listQuantiles(
  figures: Figures,
  { unit, at }: { readonly unit: Unit; readonly at: number },
  printed: Printed,
): Quantile[] {
  const percentiles = Object.entries(figures).flatMap(([key, value]) => {
    const percent = /^p?(\d{1,2}(?:[._]\d{1,6})?|100)$/.exec(key)?.[1]
    if (percent === undefined || (percent === '100' && value === 0)) return []
    return [[Number(percent.replace('_', '.')), value] as const]
  })
  return printed.quantiles(at, percentiles, unit)
}
