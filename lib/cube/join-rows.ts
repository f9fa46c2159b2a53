/** Rows of a load generator as columns, to be joined with a server's. */
export interface JoinRows {
  readonly count: number
  /** ms since 1970, or since the tool's start; NaN: the row has no time. */
  readonly startMs: Float64Array
  readonly latencyMs: Float64Array
  /** What the server says it needed, ms; NaN: it does not say. */
  readonly serverMs: Float64Array
  /** Null: the row states none. */
  readonly ids: readonly (string | null)[]
  /** `Server-Timing total`, `Server-Timing, sum of its parts`, `x-envoy-upstream-service-time`; null: none. */
  readonly serverName: string | null
}

/** An invocation as its log reports it. */
export interface ServerRow {
  /** Null: the log does not state it. */
  readonly id: string | null
  /** Duration and Init Duration together, ms. */
  readonly serverMs: number
  readonly isCold: boolean
  /** ms since 1970 of the report; null: the line has no time. */
  readonly endMs: number | null
}
