/** A change of what is counted raises it: stored cubes of another version are made again from the raw upload. */
export const cubeVersion = 1
/** Slices that a run's time is cut into, from its first to its last start. */
export const sliceCount = 60
/** Most values of an attribute that are counted individually; the others are the rest. */
export const maxValues = 50
/** Most numbers from headers. */
export const maxNumbers = 5
/** Classes of status codes: no answer, 1xx … 5xx. */
export const statusClassCount = 6

/** The name of what is beyond the most frequent values, and of rows that state no value. */
export const restValue = '(rest)'
export const absentValue = '(absent)'

/** Rows by bucket of latency (buckets.ts); `bucketCount` numbers. */
export type BucketCounts = Uint32Array

/** One value of an attribute. */
export interface CubeValue {
  readonly value: string
  readonly rows: number
  /** Sum of its latencies, ms. */
  readonly sumMs: number
  readonly counts: BucketCounts
  /** Rows by class of status; index 0: no answer. */
  readonly statusClasses: readonly number[]
}

/** What rows differ by: `target`, `method`, `status`, `error`, `bytes`, `connection`, `cold`, `memory`, `header:NAME`. */
export interface CubeAttribute {
  readonly name: string
  /** Most frequent first; `(rest)` is last. */
  readonly values: readonly CubeValue[]
  /** Distinct values within `(rest)`, as far as they were told apart. */
  readonly restValues: number
}

/** A number that some rows state beside their latency: milliseconds that a server says it needed. */
export interface CubeNumber {
  /** `server-timing;db`, `x-envoy-upstream-service-time`, `lambda;duration`. */
  readonly name: string
  readonly rows: number
  readonly counts: BucketCounts
  /** Of latency − number in the same rows; below 0 counts as 0. */
  readonly restCounts: BucketCounts
  /** Of the latency of the same rows. */
  readonly clientCounts: BucketCounts
  /** Rows whose number exceeds their latency. */
  readonly negative: number
}

/** A run's rows, counted while they were read: attribute → value → histogram, and what does not fit into it. */
export interface Cube {
  readonly version: number
  readonly tool: string
  readonly rows: number
  /** Step of the printed latencies, ms; 0: finer than a bucket. */
  readonly resolutionMs: number
  /** From the first to the last start. */
  readonly spanMs: number
  /** Sum of all latencies, exact to the ns. */
  readonly sumMs: number
  /** Users that the tool was told (their median over the rows); null: it does not say. */
  readonly users: number | null
  /** Most requests in flight at once; null: not counted. */
  readonly peakInFlight: number | null
  /** Requests start at a rate, whatever the answers. */
  readonly isOpenLoop: boolean
  readonly all: BucketCounts
  /** One histogram a slice; empty: rows have no times. */
  readonly slices: readonly BucketCounts[]
  readonly attributes: readonly CubeAttribute[]
  readonly numbers: readonly CubeNumber[]
  /** Headers left out: ids, with more than 50 values. */
  readonly dropped: readonly string[]
}

/** The rows of a run in a box (row-box.ts), and all others: their times, loads and numbers are not counted. */
export interface BoxedCubes {
  readonly inside: Cube
  readonly outside: Cube
}
