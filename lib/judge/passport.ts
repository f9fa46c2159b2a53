import type { ImportedRun, Latency } from '../run/run'
import { leadingLatency } from '../run/figures'

/** How a run's figures came about: what a reader must know before comparing them. Sentences without a full stop. */
export interface Passport {
  /** `open loop`: requests are sent on a schedule; `closed loop`: each connection waits for its answer. */
  readonly loop: string
  readonly rate: string
  readonly errors: string
  readonly quantiles: string
  readonly resolution: string
  readonly sampleCap: string
  readonly coordinatedOmission: string
}

/** How each method finds a percentile, in words. */
export const quantileWords: Readonly<Record<string, string>> = {
  'nearest-rank': 'nearest rank, exact',
  'hey-rank': 'one rank above nearest rank',
  't-digest': 't-digest estimates, up to tens of percent off for few samples',
  'stream-estimate': 'streaming estimates',
  'wrk-corrected': 'from values that include ones added for coordinated omission',
  hdr: 'HdrHistogram, 3 significant digits',
  buckets: 'read off buckets',
  'as-reported': 'as reported by the author, method not stated',
}

const heyFacts = {
  errors: 'failed requests are not in the latencies',
  resolution: '0.1 ms',
  sampleCap: 'only the first 1 000 000 responses are recorded',
  coordinatedOmission: 'not corrected: while waiting for a slow response, a connection sends nothing',
}
const facts: Readonly<Record<ImportedRun['tool'], Omit<Passport, 'loop' | 'rate' | 'quantiles'>>> = {
  hey: heyFacts,
  vegeta: {
    errors: 'failed requests are in the latencies',
    resolution: '1 ns measured; reports since 12.8 round to the next smaller unit',
    sampleCap: 'none',
    coordinatedOmission: 'avoided: requests are sent on schedule, whether or not earlier responses have arrived',
  },
  wrk: {
    errors: 'responses slower than --timeout are counted but not in the latencies',
    resolution: '1 µs measured, two decimals printed',
    sampleCap: 'none',
    coordinatedOmission:
      'values are added for each wait longer than expected: mean and percentiles cover more than real responses',
  },
  wrk2: {
    errors: 'responses slower than --timeout are counted but not in the latencies',
    resolution: '3 significant digits',
    sampleCap: 'the first 10 s of calibration are excluded',
    coordinatedOmission: 'measured from the time a request should have been sent; “uncorrected” from when it was',
  },
  lambda: {
    errors: 'failed and timed-out invocations are in the durations',
    resolution: '0.01 ms',
    sampleCap: 'none',
    coordinatedOmission: 'does not apply: durations are measured inside the function, without queueing and network',
  },
  hdr: {
    errors: 'not stated by the file',
    resolution: 'as the histogram was set up',
    sampleCap: 'none',
    coordinatedOmission: 'not stated by the file',
  },
}

function loopOf(run: ImportedRun): Pick<Passport, 'loop' | 'rate'> {
  if (run.tool === 'hdr') return { loop: 'not stated by the file', rate: 'not stated by the file' }
  if (run.load.kind === 'open') {
    const { ratePerSecond } = run.load
    return {
      loop: 'open loop',
      rate:
        ratePerSecond === null
          ? 'at a fixed rate, which the text does not state'
          : `at a fixed ${ratePerSecond} requests/s`,
    }
  }
  if (run.load.kind === 'closed') {
    const { connections } = run.load
    return {
      loop: 'closed loop',
      rate: connections === null ? 'as fast as its connections allow' : `as fast as ${connections} connections allow`,
    }
  }
  return { loop: 'observed', rate: 'observed load' }
}

/** Text has two decimals, records in JSON have three, and a log may hold both: the figures themselves tell. */
function lambdaResolution(latency: Latency | null): string {
  const exact = latency === null ? [] : [latency.minMs, latency.maxMs, ...exactQuantilesOf(latency)]
  const isFiner = exact.some((ms) => ms !== null && Math.round(ms * 1_000) % 10 !== 0)
  return isFiner ? '0.001 ms' : '0.01 ms'
}

function exactQuantilesOf({ method, quantiles }: Latency): readonly number[] {
  return method === 'nearest-rank' ? quantiles.map(({ ms }) => ms) : []
}

/** The passport of a run, from its tool, form and load. */
export function passportOf(run: ImportedRun): Passport {
  const latency = leadingLatency(run)
  return {
    ...loopOf(run),
    ...facts[run.tool],
    ...(run.tool === 'lambda' ? { resolution: lambdaResolution(latency) } : {}),
    quantiles:
      latency && latency.quantiles.length > 0
        ? run.tool === 'hdr'
          ? 'HdrHistogram: the largest value that its precision cannot distinguish from the exact one'
          : (quantileWords[latency.method] ?? latency.method)
        : 'none printed',
  }
}
