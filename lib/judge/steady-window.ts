import { findMetric, percentiles, type Metric } from '../run/metrics'
import type { RunGuard } from '../run/guard'
import type { ImportedRun, SteadyPart } from '../run/run'
import { isSteadyThroughout, steadyMetrics, steadyPartOf } from '../run/steady-part'
import { neededCount } from '../stats/quantile'
import type { ComparedRun, NoiseOf, Side, StepOf } from './sides'

/** What a comparison judges: whole runs, or what was measured after their warm-up. */
export type ComparedWindow = 'whole' | 'steady'

/**
 * Whether a metric is taken after the warm-up. Counts and shares are always of whole runs: failures during warm-up are
 * failures.
 */
export const isOfWindow = ({ id, unit }: Metric): boolean =>
  steadyMetrics.has(id) && unit !== 'count' && unit !== 'ratio'

/**
 * Whether all runs have a steady state and can be compared after their warm-up. Null: none had a warm-up, so there is
 * no choice.
 */
export function canCompareSteady(runs: readonly { readonly imported: ImportedRun }[]): boolean | null {
  if (runs.every(({ imported }) => steadyPartOf(imported) === null)) return null
  return runs.every(({ imported }) => steadyPartOf(imported) !== null || isSteadyThroughout(imported))
}

/**
 * A side with mean, percentiles, max and served/s from after the warm-up; a run that was always steady is unchanged.
 */
export function afterWarmUp<Run extends ComparedRun>([first, ...rest]: Side<Run>): Side<Run> {
  return [steadyRun(first), ...rest.map((run) => steadyRun(run))]
}

const steadyRun = <Run extends ComparedRun>(run: Run): Run => ({
  ...run,
  ...measuresAfterWarmUp(run, run.imported ? steadyPartOf(run.imported) : null),
})

type Measures = Pick<ComparedRun, 'figures' | 'guards'>

/** Figures and guards of a run after its warm-up; `steady` null: all of it is steady. */
export function measuresAfterWarmUp({ figures: whole, guards }: Measures, steady: SteadyPart | null): Measures {
  if (steady === null) return { figures: whole, guards }
  const figures = Object.fromEntries(
    [...steadyMetrics].flatMap(([id, read]) => {
      const metric = findMetric(id)
      return metric !== null && isOfWindow(metric) ? [[metric.key, read(steady)]] : []
    }),
  )
  return { figures: { ...whole, ...figures }, guards: guardsWithin(guards, steady) }
}

const steadyPercentiles = percentiles.filter(({ id }) => steadyMetrics.has(id))

/** The guards of the run; whether a percentile has enough requests is decided for the part. */
function guardsWithin(guards: readonly RunGuard[], { requests, errors }: SteadyPart): readonly RunGuard[] {
  const others = guards.flatMap((guard) => {
    if (guard.code !== 'few-for-tail') return [guard]
    const metricIds = guard.metricIds?.filter((id) => steadyPercentiles.every((one) => one.id !== id)) ?? []
    return metricIds.length === 0 ? [] : [{ ...guard, metricIds }]
  })
  const successes = requests - errors
  const few = steadyPercentiles.flatMap(({ id, q }): RunGuard[] => {
    const needed = neededCount(q)
    return successes >= needed ? [] : [{ code: 'few-for-tail', numbers: { successes, needed }, metricIds: [id] }]
  })
  return [...others, ...few]
}

/** A metric as named in headings and sentences: `p99 after warm-up`. Unchanged if it is of whole runs. */
export function namedAfterWarmUp(metric: Metric): Metric {
  if (!isOfWindow(metric)) return metric
  const name = (label: string) => `${label} after warm-up`
  const explain = `${metric.explain} After the warm-up of each run; percentiles within 1.6 %.`
  return { ...metric, label: name(metric.label), shortLabel: name(metric.shortLabel), explain }
}

/** Whether `namedAfterWarmUp` made it. */
export const isNamedAfterWarmUp = (metric: Metric): boolean => metric.label !== findMetric(metric.id)?.label

/** Noise and alert reports of whole runs do not apply to their steady parts. */
export function knownOfSteady<Run>(
  noiseOf: NoiseOf<Run>,
  stepOf: StepOf<Run>,
): { readonly noiseOf: NoiseOf<Run>; readonly stepOf: StepOf<Run> } {
  return {
    noiseOf: (side, metric) => (isOfWindow(metric) ? null : noiseOf(side, metric)),
    stepOf: (base, side, metric) => (isOfWindow(metric) ? null : stepOf(base, side, metric)),
  }
}
