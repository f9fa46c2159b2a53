import { boundRun } from '../lib/run/bounded-run'
import type { Latency, Phase, Quantile, Warning } from '../lib/run/run'
import type { BlockRun } from './importer'

/**
 * Removes impossible figures from a run, whatever its file states: counts below zero, a share above 1, two values for
 * one percentile. Lists are bounded. Each removal leaves a gap and a warning with the figure; the rest is credible or
 * reported by findings.
 */
export function makeSound(run: BlockRun): BlockRun {
  const warnings: Warning[] = []
  const doubt = (what: string, value: number | string) => {
    const message = `${what} of ${value} is impossible; it is omitted.`
    warnings.push({ code: 'impossible-figure', message, line: run.lines?.[0] ?? null })
    return null
  }
  const kept = (name: string, value: number | null, isPossible: boolean) =>
    value === null || (isPossible && Number.isFinite(value)) ? value : doubt(name, value)
  const notBelowZero = (name: string, value: number | null) => kept(name, value, (value ?? 0) >= 0)
  const times = <Times extends Pick<Phase, 'minMs' | 'meanMs' | 'maxMs'>>(stated: Times, of: string): Times => ({
    ...stated,
    minMs: notBelowZero(`minMs (${of})`, stated.minMs),
    meanMs: notBelowZero(`meanMs (${of})`, stated.meanMs),
    maxMs: notBelowZero(`maxMs (${of})`, stated.maxMs),
  })
  const share = (name: string, value: number | null) => kept(name, value, (value ?? 0) >= 0 && (value ?? 0) <= 1)

  const sound = {
    ...run,
    requests: notBelowZero('requests', run.requests),
    successes: notBelowZero('successes', run.successes),
    bytesIn: notBelowZero('bytesIn', run.bytesIn),
    bytesOut: notBelowZero('bytesOut', run.bytesOut),
    requestsPerSecond: notBelowZero('requestsPerSecond', run.requestsPerSecond),
    throughputPerSecond: notBelowZero('throughputPerSecond', run.throughputPerSecond),
    durationMs: notBelowZero('durationMs', run.durationMs),
    attackMs: notBelowZero('attackMs', run.attackMs),
    waitMs: notBelowZero('waitMs', run.waitMs),
    successRatio: share('successRatio', run.successRatio),
    phases: run.phases.map((phase) => times(phase, phase.name)),
    measures: run.measures.filter(({ name, value }) => notBelowZero(name, value) !== null),
    latencies: run.latencies.map((latency): Latency => {
      const name = (field: string) => `${field} (${latency.of})`
      return {
        ...times(latency, latency.of),
        stdDevMs: notBelowZero(name('stdDevMs'), latency.stdDevMs),
        withinOneStdDevRatio: share(name('withinOneStdDevRatio'), latency.withinOneStdDevRatio),
        quantiles: soundQuantiles(latency.quantiles, doubt),
      }
    }),
  }
  return boundRun(warnings.length === 0 ? sound : { ...sound, warnings: [...run.warnings, ...warnings] })
}

/** Rising in q, without duplicates: of two values for one percentile neither is known to be right. */
function soundQuantiles(
  quantiles: readonly Quantile[],
  doubt: (what: string, value: number | string) => null,
): readonly Quantile[] {
  const possible = quantiles.filter(({ q, ms }) => {
    const isPossible = q >= 0 && q <= 1 && ms >= 0 && Number.isFinite(ms)
    if (!isPossible) doubt(`p${Number((q * 100).toPrecision(12))}`, `${ms} ms`)
    return isPossible
  })
  const values = new Map<number, number[]>()
  for (const { q, ms } of possible) values.set(q, [...(values.get(q) ?? []), ms])
  return [...values]
    .sort(([a], [b]) => a - b)
    .flatMap(([q, all]) => {
      const [ms] = all
      if (ms !== undefined && all.every((one) => one === ms)) return [{ q, ms }]
      doubt(`p${Number((q * 100).toPrecision(12))}`, all.map((one) => `${one} ms`).join(' and '))
      return []
    })
}
