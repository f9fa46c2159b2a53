import type { Instrument } from '../instrument/instrument'
import { smallestHeld } from '../experiment/visible'
import { formatPercent, plural } from '../format'
import { sentenceLabel, type Metric } from '../run/metrics'

/** A rule's threshold that is below what its environment shows. Ratios: 0.02 is 2 %. */
export interface RefusedThreshold {
  readonly environment: string
  readonly askedRatio: number
  /** The smallest change that so many runs show in four of five cases: it is held instead. */
  readonly heldRatio: number
  readonly runs: number
}

interface Asked {
  readonly metric: Metric
  readonly askedRatio: number
  /** Runs that the value is the median of, and those that it is compared with. */
  readonly runs: number
  readonly against: number
}

const alpha = 0.05

/** Null: the environment shows changes of this size, or is not certified: then nothing is refused. */
export function refusedThreshold(
  instrument: Instrument | undefined,
  { metric, askedRatio, runs, against }: Asked,
): RefusedThreshold | null {
  const own = instrument?.metrics.find((one) => one.metric.id === metric.id)
  if (instrument?.isCertified !== true || own === undefined || runs < 1 || against < 1) return null
  const heldRatio = smallestHeld(own, { runs, against, alpha })
  return askedRatio >= heldRatio ? null : { environment: instrument.environment, askedRatio, heldRatio, runs }
}

/** Whether a value is farther from what is expected than what is held, so that its verdict counts. */
export const isBeyond = ({ heldRatio }: RefusedThreshold, value: number, expected: number): boolean =>
  value <= 0 || expected <= 0 || Math.abs(Math.log(value / expected)) >= Math.log1p(heldRatio)

const percent = (ratio: number): string => formatPercent(Number(ratio.toPrecision(2)))

/** `A threshold of 2 % for p99 is refused: 1 run on m7i.large shows 6.1 %, which is held instead`. */
export const refusedThresholdWords = (
  { environment, askedRatio, heldRatio, runs }: RefusedThreshold,
  metric: Metric,
): string =>
  `A threshold of ${percent(askedRatio)} for ${sentenceLabel(metric)} is refused: ${plural(runs, 'run')} on ${environment} ${runs === 1 ? 'shows' : 'show'} ${percent(heldRatio)}, which is held instead`
