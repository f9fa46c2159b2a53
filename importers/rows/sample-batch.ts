/** Rows passed on by a parser at once: columns, so that neither side allocates and each loop stays small. */
export const batchRows = 1_024

/** Results of some requests, column by column. A parser fills rows 0…size − 1. */
export class SampleBatch {
  size = 0
  /** Whole seconds since 1970, or since the tool's start. */
  readonly seconds = new Float64Array(batchRows)
  /** 0…999,999,999 */
  readonly nanos = new Int32Array(batchRows)
  /** Whole nanoseconds 0…2^51 − 1. */
  readonly latencyNs = new Float64Array(batchRows)
  /** 0…65,535; 0 is "no response". */
  readonly codes = new Int32Array(batchRows)
  readonly bytesIn = new Float64Array(batchRows)
  readonly bytesOut = new Float64Array(batchRows)
  /** Index from `ByteKeys.find` for the address; −1: none stated. */
  readonly targets = new Int32Array(batchRows)
  /** Number that the tool gave the request, in order of start; −1: the form has none. */
  readonly sequences = new Int32Array(batchRows).fill(-1)
  /** Set by `Samples.add`: whether the request failed (1). */
  readonly failed = new Uint8Array(batchRows)
  /** Set by `Samples.add`: in its first `crossed` entries the rows that began in another second than the row before. */
  readonly crossings = new Int32Array(batchRows)
  crossed = 0
}
