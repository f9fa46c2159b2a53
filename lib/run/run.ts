import type { BoxedCubes, Cube } from '../cube/cube'
import type { JoinRows } from '../cube/join-rows'
import type { QuantileMethod } from './quantile-method'
import type { Tool } from './tools'

/** Milliseconds, `double precision` in the database. */
export type Milliseconds = number
/** `2026-11-21T03:01:26.888Z`: ISO 8601, always UTC, always `Z`. */
export type UtcIso = string

/**
 * How requests were offered. Null inside: the loop is known from the tool, the number was not printed or found.
 * observed: none was offered, the tool only watches. unstated: it depends on options that the output does not state.
 */
export type Load =
  | { readonly kind: 'open'; readonly ratePerSecond: number | null }
  | { readonly kind: 'closed'; readonly connections: number | null }
  | { readonly kind: 'observed' }
  | { readonly kind: 'unstated' }

/** `q` is 0…1 (0.99, never 99). */
export interface Quantile {
  readonly q: number
  readonly ms: Milliseconds
}

/** One printed bucket. `upperMs` null: open end (+Inf). The histogram states which end is inclusive. */
export interface LatencyBucket {
  readonly lowerMs: Milliseconds
  readonly upperMs: Milliseconds | null
  readonly count: number
}

export type LatencyHistogram =
  /** Rising, adjacent buckets as the tool printed them (bounds rebuilt where it rounds them). */
  | { readonly kind: 'buckets'; readonly inclusive: 'lower' | 'upper'; readonly buckets: readonly LatencyBucket[] }
  /**
   * Standard HdrHistogram V2 compressed payload, base64, values in `unit`. With `lessV2Base64`, that payload's counts
   * are subtracted: a stored run has its successes as "all less the failures", not as a third payload.
   */
  | {
      readonly kind: 'hdr'
      readonly v2Base64: string
      readonly lessV2Base64?: string
      readonly unit: 'ns' | 'us' | 'ms'
    }

/**
 * One latency distribution of a run. Null: not printed and not computable. `quantiles` rise in q, without duplicates.
 */
export interface Latency {
  /** recorded/uncorrected: wrk2's two. all: every response (for vegeta failures too). */
  readonly of: 'all' | 'success' | 'failure' | 'recorded' | 'uncorrected'
  /** Number of values behind the figures; null: unknown (wrk adds values, tables do not state it). */
  readonly count: number | null
  readonly minMs: Milliseconds | null
  readonly meanMs: Milliseconds | null
  readonly stdDevMs: Milliseconds | null
  readonly maxMs: Milliseconds | null
  /** Share (0…1) of values within one standard deviation of the mean; wrk prints it. */
  readonly withinOneStdDevRatio: number | null
  readonly quantiles: readonly Quantile[]
  readonly histogram: LatencyHistogram | null
  readonly origin: 'samples' | 'buckets' | 'summary'
  readonly method: QuantileMethod
}

/**
 * A part of each request (hey's Details: DNS+dialup, DNS-lookup, req write, resp wait, resp read), or a timing stated
 * by its server; average/min/max.
 */
export interface Phase {
  readonly name: string
  readonly meanMs: Milliseconds | null
  readonly minMs: Milliseconds | null
  readonly maxMs: Milliseconds | null
  /** Number of values behind these, if not every request has one; absent: not stated. */
  readonly count?: number | undefined
  /** Nearest rank within 0.1 %, three digits. Absent: not stated. Null: too few values for it. */
  readonly p50Ms?: Milliseconds | null | undefined
  readonly p99Ms?: Milliseconds | null | undefined
}

/** `count` null: the tool lists the message without a count (vegeta's Error Set). */
export interface ErrorCount {
  readonly message: string
  readonly count: number | null
}

/** A figure without a field of its own: wrk's thread statistics, RSS, instances … `line`: where it was written. */
export interface Measure {
  readonly name: string
  readonly value: number
  readonly unit: string | null
  readonly line: number | null
}

/** Something that readers of the figures must know. `code` is stable kebab-case; `line` 1-based or null. */
export interface Warning {
  readonly code: string
  readonly message: string
  readonly line: number | null
  /** The numbers behind it, by name with unit; absent: only the message. */
  readonly numbers?: Readonly<Record<string, number>> | undefined
}

/** Values of one Lambda field over invocations. All null but `count`/`mean` is legal; quantiles are nearest-rank. */
export interface FieldSummary {
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly mean: number
  readonly max: number
  readonly quantiles: readonly { readonly q: number; readonly value: number }[]
}

/** Lambda REPORT fields. Duration itself is `latencies[0]`. Null: the field never occurred. */
export interface LambdaStats {
  readonly functionName: string | null
  readonly invocations: number | null
  readonly billedMs: FieldSummary | null
  readonly initMs: FieldSummary | null
  readonly restoreMs: FieldSummary | null
  readonly billedRestoreMs: FieldSummary | null
  readonly maxMemoryUsedMb: FieldSummary | null
  /**
   * Durations of invocations that had to start an environment (init or restore), and of the others. Null: not
   * distinguished.
   */
  readonly coldMs: FieldSummary | null
  readonly warmMs: FieldSummary | null
  /** Configured memory in MB → invocations with it. */
  readonly memorySizeMb: Readonly<Record<string, number>>
  /** Invocations with an Init Duration, or null where init is never reported. */
  readonly coldStarts: number | null
  /** success (no Status field) | error | timeout | failure → invocations. */
  readonly statuses: Readonly<Record<string, number>>
  readonly errorTypes: Readonly<Record<string, number>>
  /** Distinct log streams seen (execution environments), null when the log names none. */
  readonly logStreams: number | null
}

/**
 * A run over time, from raw results; printed reports have none. Columns of equal length, one entry for each bin, in
 * order and without holes; a result is in the bin in which its request began. Bins are whole multiples of `binMs`,
 * so the first and the last are covered in part.
 */
export interface Timeline {
  /** Start of the first bin; null: the form states no time of day, so bins count from the tool's start. */
  readonly startedAt: UtcIso | null
  /** 1,000, doubled until the run fits in 200 bins. */
  readonly binMs: Milliseconds
  readonly requests: readonly number[]
  /** Those of them that failed, as the tool counts failures. */
  readonly errors: readonly number[]
  /** Of all requests, including failed ones; nearest rank within 1.6 %, three digits. Null: no request in the bin. */
  readonly p50Ms: readonly (Milliseconds | null)[]
  readonly p90Ms: readonly (Milliseconds | null)[]
  readonly p95Ms: readonly (Milliseconds | null)[]
  readonly p99Ms: readonly (Milliseconds | null)[]
  /** Four digits. */
  readonly maxMs: readonly (Milliseconds | null)[]
  readonly heat: TimelineHeat
  /** Null: not evaluated (invocations, intervals), or fewer than 100 requests succeeded. */
  readonly warmUp: RunWarmUp | null
}

/** When a run reached its steady state (lib/judge/warm-up.ts). */
export interface RunWarmUp {
  /** Since the first request; 0: steady from the start. Null: still changing at the end. */
  readonly endMs: Milliseconds | null
  readonly isSteady: boolean
  /** Null: all of the run is steady, or none, or too little for a whole bin. */
  readonly steady: SteadyPart | null
}

/** The run from the first whole bin of its timeline after its warm-up. */
export interface SteadyPart {
  /** Its start, counted from the first request: at most a bin after the warm-up's end. */
  readonly fromMs: Milliseconds
  /** All requests that began in it; those that failed. */
  readonly requests: number
  readonly errors: number
  /** Successful requests divided by the time until the last response ended. */
  readonly servedPerSecond: number
  /** Of all requests, including failed ones; exact. */
  readonly meanMs: Milliseconds
  /** Nearest rank within 1.6 %, three digits. Null: too few requests for it. */
  readonly p50Ms: Milliseconds | null
  readonly p90Ms: Milliseconds | null
  readonly p95Ms: Milliseconds | null
  readonly p99Ms: Milliseconds | null
  /** Four digits. */
  readonly maxMs: Milliseconds
}

/** Latencies over time, coarse enough for a heat map. */
export interface TimelineHeat {
  /** Width of a column: a multiple of the timeline's `binMs`; the first column begins with the first bin. */
  readonly binMs: Milliseconds
  /** Lower bounds of the latency bands, rising; half a doubling each (× 1.5, then × 1.33). */
  readonly lowerMs: readonly Milliseconds[]
  /** Requests: one row for each band, one entry for each column. */
  readonly counts: readonly (readonly number[])[]
}

/**
 * Requests to one address. The 50 most frequent ones, most frequent first; then the rest in one entry with a null
 * `url`.
 */
export interface Target {
  /** Null: not stated, or the rest. */
  readonly method: string | null
  readonly url: string | null
  readonly count: number
  readonly errors: number
  /** Null: not stated. */
  readonly bytesIn: number | null
  readonly meanMs: Milliseconds
  /** Nearest rank within 1.6 %, three digits. */
  readonly p50Ms: Milliseconds
  readonly p95Ms: Milliseconds
  readonly p99Ms: Milliseconds
  /** Exact. */
  readonly maxMs: Milliseconds
}

/** One thing that the document's author wrote near a block, with its line. */
export interface Fact {
  readonly kind: 'environment' | 'label' | 'measure'
  /** Lower-case kebab key: `instances`, `memory`, `region`, `instance-type`, `cpu`, `payload`, `rss`. */
  readonly key: string
  /** As written, without the key: `20`, `512 MB`, `us-east-2`. */
  readonly value: string
  readonly line: number
}

/** A sentence of the author (take-aways, cost, analysis), as written, without list marks. */
export interface Note {
  readonly text: string
  readonly line: number
}

/** Where a block was in its document. */
export interface RunContext {
  /** Headings above it, outermost first, Markdown marks removed. */
  readonly headings: readonly string[]
  /** First and last line of the block, 1-based, inclusive. */
  readonly lines: readonly [first: number, last: number]
  /** The archive entry that contains it, as the archive names it; absent: the upload is the file. */
  readonly file?: string | undefined
  readonly facts: readonly Fact[]
  readonly notes: readonly Note[]
}

/** Where a proposed name or date came from, in words for the preview: `heading, line 12`. */
export interface Proposal {
  /** Null: not stated anywhere; the app then asks the user. `variant`/`environment` null means "none". */
  readonly scenario: string | null
  readonly variant: string | null
  readonly environment: string | null
  readonly environmentAttributes: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  /** Field name (`scenario`, `variant`, `environment`, `startedAt`, `label:…`, `attribute:…`) → source in words. */
  readonly sources: Readonly<Record<string, string>>
}

/**
 * One run as an importer read it: units converted once, nothing invented (null is a gap), nothing rounded.
 * `form` is the id of the importer that read it (`hey-text`).
 */
export interface ImportedRun {
  readonly tool: Tool
  readonly form: string
  /** The tool's version, if the text reveals it (`0.1.5`, `>=12.8`); else null. */
  readonly toolVersion: string | null
  readonly command: string | null
  readonly url: string | null
  readonly method: string | null
  readonly startedAt: UtcIso | null
  readonly durationMs: Milliseconds | null
  readonly attackMs: Milliseconds | null
  readonly waitMs: Milliseconds | null
  readonly load: Load
  /** All requests, answered and failed. */
  readonly requests: number | null
  /** Requests that got a response with a status that the tool calls good; null: not stated. */
  readonly successes: number | null
  readonly successRatio: number | null
  readonly requestsPerSecond: number | null
  /** Successful requests per second (vegeta's definition); null when not printed. */
  readonly throughputPerSecond: number | null
  readonly bytesIn: number | null
  readonly bytesOut: number | null
  /** `0` is vegeta's "no response". A class such as `non-2xx-3xx` is not a code: see `errors`. */
  readonly statusCodes: Readonly<Record<string, number>>
  readonly errors: readonly ErrorCount[]
  readonly latencies: readonly Latency[]
  readonly phases: readonly Phase[]
  readonly timeline: Timeline | null
  readonly lambda: LambdaStats | null
  readonly targets: readonly Target[] | null
  readonly measures: readonly Measure[]
  /** False: the text was truncated; what could be read is here, with a `truncated` problem. */
  readonly complete: boolean
  /** Field → text exactly as the tool printed it: `latencies.0.p99` → `99.9ms`, `requestsPerSecond` → `2740.6270`. */
  readonly printed: Readonly<Record<string, string>>
  readonly context: RunContext
  readonly proposal: Proposal
  readonly warnings: readonly Warning[]
}

/** What was asked for of a run's rows beside its fields: a cube of them, and each of them. */
export interface RunBeside {
  readonly cube?: Cube
  /** Its rows in a box, and all others; `originS`: when the first bin of its timeline begins, as rows have seconds. */
  readonly box?: BoxedCubes & { readonly originS: number }
  readonly rows?: JoinRows
}

/** A statement about a file that belongs to no run. `line` 1-based; null: about the whole file. */
export interface ImportProblem {
  /**
   * An ImportErrorCode, or `not-imported`, `not-understood`, `foreign-tool`; `corrected`: a later change to the file
   * was undone.
   */
  readonly code: string
  /** error: something was lost or refused. warning: read, but doubtful. info: deliberately left out. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly line: number | null
  readonly lastLine: number | null
  readonly message: string
  readonly hint: string | null
  /** The archive entry it belongs to; absent: the upload itself. */
  readonly file?: string | undefined
}

/** Why a cell of the scenario × variant matrix is empty, in the author's words ("not possible: 6 MB limit"). */
export interface CellNote {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly text: string
  readonly line: number
}

/** Everything read from one file. `runs` in order of appearance. */
export interface ImportedFile {
  /** utf-8, utf-16le, utf-16be, windows-1252; null for binary. */
  readonly encoding: string | null
  readonly lineCount: number | null
  readonly runs: readonly ImportedRun[]
  readonly problems: readonly ImportProblem[]
  readonly cellNotes: readonly CellNote[]
  /** For each run what was asked for beside it; null: its form has no rows. Absent: nothing was asked for. */
  readonly beside?: readonly (RunBeside | null)[]
}
