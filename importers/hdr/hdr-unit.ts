import type { Milliseconds, Warning } from '../../lib/run/run'
import { parseScaled } from '../text/number'

/** The unit of a histogram's values. */
export type HdrUnit = 'ns' | 'us' | 'ms'

const names: Readonly<Record<HdrUnit, string>> = { ns: 'nanoseconds', us: 'microseconds', ms: 'milliseconds' }
const powers: Readonly<Record<HdrUnit, number>> = { ns: -6, us: -3, ms: 0 }

/**
 * The unit of recorded values if none is named: the one in which their median is between 0.1 and 100 ms. Callers must
 * report it with `warnOfUnit`.
 */
export function guessUnit(medianValue: number): HdrUnit {
  if (medianValue >= 100_000) return 'ns'
  return medianValue >= 100 ? 'us' : 'ms'
}

/** A printed decimal in a unit as milliseconds, rounded once. Null: not a number. */
export function parseInUnit(text: string, unit: HdrUnit): Milliseconds | null {
  return parseScaled(text, powers[unit])
}

/** Recorded whole values as milliseconds, rounded once. */
export function toMs(value: number, unit: HdrUnit): Milliseconds {
  return Number(`${value}e${powers[unit]}`)
}

/** Reports which unit was assumed, and why. */
export function warnOfUnit(unit: HdrUnit, why: string, line: number | null): Warning {
  return {
    code: 'unit-assumed',
    message: `HdrHistogram files name no unit: the values are read as ${names[unit]}, ${why}. Compare only with runs of the same source.`,
    line,
  }
}
