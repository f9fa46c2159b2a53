import { requestedLoadOf } from '../judge/requested-load'
import { leadingLatency, quantileMs } from '../run/figures'
import { attemptsOfFigures, figuresOf } from '../run/metrics'
import type { ImportedRun } from '../run/run'
import { latencyQuantiles, type LatencyMetric } from './objective'
import type { CapacityRun } from './capacity-run'

/** What a person or a command declared of a run beside its output. Absent: nothing. */
export interface DeclaredLoad {
  readonly ratePerSecond?: number | undefined
  readonly connections?: number | undefined
  readonly durationMs?: number | undefined
  readonly machine?: string | undefined
  readonly payload?: string | undefined
  readonly instances?: number | undefined
}

/** A run of a tool's output: its load as declared, or else from its command and output. */
export function runOfFile(id: string, run: ImportedRun, declared: DeclaredLoad): CapacityRun {
  const asked = requestedLoadOf(run)
  const connections = declared.connections ?? asked.connections
  const ratePerSecond = declared.ratePerSecond ?? asked.ratePerSecond
  const loop = ratePerSecond !== null ? 'open' : run.load.kind !== 'open' && connections !== null ? 'closed' : null
  const figures = figuresOf(run)
  const { requestsPerSecond, throughputPerSecond, successRatio } = figures
  const requests = attemptsOfFigures(figures)
  const served = requestsPerSecond === null || successRatio === null ? null : requestsPerSecond * successRatio
  // Each worker of hey waits for its first tick.
  const waiting = run.tool === 'hey' && run.durationMs ? ((connections ?? 0) / run.durationMs) * 1_000 : 0
  return {
    ...{ id, tool: run.tool, loop, ratePerSecond },
    connections: loop === 'closed' ? connections : null,
    madePerSecond: requestsPerSecond === null ? null : requestsPerSecond + (loop === 'open' ? waiting : 0),
    servedPerSecond: throughputPerSecond ?? served,
    durationMs: declared.durationMs ?? asked.durationMs ?? run.durationMs,
    // Failures that are not known leave the share unknown, too.
    requests: figures.errorCount === null ? null : requests,
    failed: figures.errorCount ?? 0,
    missing: 0,
    latencyMs: latenciesOf(run),
    machine: declared.machine ?? null,
    payload: declared.payload ?? null,
    instances: declared.instances ?? null,
  }
}

function latenciesOf(run: ImportedRun): CapacityRun['latencyMs'] {
  const latency = leadingLatency(run)
  const known = (Object.keys(latencyQuantiles) as LatencyMetric[]).map((metric) => {
    const ms = metric === 'mean' ? (latency?.meanMs ?? null) : quantileMs(latency, latencyQuantiles[metric])
    return [metric, ms] as const
  })
  return Object.fromEntries(known.filter(([, ms]) => ms !== null))
}
