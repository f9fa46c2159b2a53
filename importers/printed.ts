import type { Milliseconds, Quantile } from '../lib/run/run'

/** Collects the figures of a JSON report as printed, field by field. */
export class Printed {
  readonly texts: Record<string, string> = {}

  /** The figure unchanged; its text is that of the file except for its spelling (1e-05). Null: not in the file. */
  figure(key: string, value: number | null | undefined, unit = ''): number | null {
    if (value === null || value === undefined || !Number.isFinite(value)) return null
    this.texts[key] = unit === '' ? `${value}` : `${value} ${unit}`
    return value
  }

  /** A time of a unit as milliseconds, rounded once. */
  time(key: string, value: number | null | undefined, unit: keyof typeof powers): Milliseconds | null {
    const kept = this.figure(key, value, unit)
    return kept === null ? null : toMs(kept, unit)
  }

  /** Percentiles of `latencies.<at>`, rising; those missing from the file are left out. */
  quantiles(
    at: number,
    values: readonly (readonly [percent: number, value: number | null | undefined])[],
    unit: keyof typeof powers,
  ): Quantile[] {
    return values
      .flatMap(([percent, value]) => {
        const ms = this.time(`latencies.${at}.p${percent}`, value, unit)
        return ms === null ? [] : [{ q: toRatio(percent), ms }]
      })
      .sort((a, b) => a.q - b.q)
  }
}

/** Power of ten that converts a unit to milliseconds. */
const powers = { ns: -6, µs: -3, ms: 0, s: 3 } as const

/** A figure of a unit as milliseconds: 0.0069 s are 6.9 ms, while 0.0069 * 1000 is 6.8999999999999995. */
export function toMs(value: number, unit: keyof typeof powers): Milliseconds {
  const text = `${value}`
  const [digits, exponent = '0'] = text.split('e')
  return Number(`${digits}e${Number(exponent) + powers[unit]}`)
}

/** 99.9 → 0.999, rounded once. */
export const toRatio = (percent: number): number => Number(`${percent}e-2`)
