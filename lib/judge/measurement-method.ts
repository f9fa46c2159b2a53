import type { ImportedRun, Latency } from '../run/run'
import { leadingLatency } from '../run/figures'
import { quantileMethods } from '../run/quantile-method'
import { tools } from '../run/tools'

/** How a run's figures came about: what a reader must know before comparing them. Sentences without a full stop. */
export interface MeasurementMethod {
  /** `open loop`: requests are sent on a schedule; `closed loop`: each connection waits for its response. */
  readonly loop: string
  readonly rate: string
  readonly errors: string
  readonly quantiles: string
  readonly resolution: string
  readonly sampleCap: string
  readonly coordinatedOmission: string
}

function loopOf(run: ImportedRun): Pick<MeasurementMethod, 'loop' | 'rate'> {
  if (tools[run.tool].kind === 'file-format') return { loop: 'not stated by the file', rate: 'not stated by the file' }
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
  if (run.load.kind === 'unstated') return { loop: 'not stated by its output', rate: 'not stated by its output' }
  return { loop: 'observed', rate: 'observed load' }
}

/** Whether a figure has more than two decimal places. */
function isFiner(latency: Latency | null): boolean {
  const exact = latency === null ? [] : [latency.minMs, latency.maxMs, ...exactQuantilesOf(latency)]
  return exact.some((ms) => ms !== null && Math.round(ms * 1_000) % 10 !== 0)
}

function exactQuantilesOf({ method, quantiles }: Latency): readonly number[] {
  return method === 'nearest-rank' ? quantiles.map(({ ms }) => ms) : []
}

/** The measurement method of a run, from its tool, form and load. */
export function measurementMethodOf(run: ImportedRun): MeasurementMethod {
  const latency = leadingLatency(run)
  const facts = tools[run.tool]
  const hasQuantiles = latency !== null && latency.quantiles.length > 0
  return {
    ...loopOf(run),
    errors: facts.failures.words,
    quantiles: hasQuantiles ? (facts.quantiles.words ?? quantileMethods[latency.method]) : 'none printed',
    resolution: facts.finerResolution !== null && isFiner(latency) ? facts.finerResolution : facts.resolution,
    sampleCap: facts.sampleCap.words,
    coordinatedOmission: facts.coordinatedOmission.words,
  }
}
