import type { Milliseconds } from '../../lib/run/run'
import { bytesPerBinaryUnit, msPerUnit } from '../../lib/run/units'
import { parseCount, parseDecimal, parseScaled } from './number'

// Formats of https://github.com/wg/wrk/blob/4.1.0/src/units.c: two decimals, the next unit from 85 % of it on.

/** `343.40us` → ms. Null for `-nan` and undefined. */
export function parseTime(text: string | undefined): Milliseconds | null {
  const [, number, unit] = /^([\d.]+)(us|ms|s|m|h)$/.exec(text ?? '') ?? []
  if (number === undefined) return null
  if (unit === 'us') return parseScaled(number, -3)
  if (unit === 'ms') return parseScaled(number, 0)
  if (unit === 's') return parseScaled(number, 3)
  const value = parseDecimal(number)
  return value === null ? null : withoutDust(value * (unit === 'm' ? msPerUnit.m : msPerUnit.h))
}

/** `10m`, the planned duration → ms. It has no decimals: 51 s and 89 s are both `1m`. */
export function parsePlan(text: string): Milliseconds | null {
  const count = parseCount(text.slice(0, -1))
  if (count === null) return null
  return count * (text.endsWith('h') ? msPerUnit.h : text.endsWith('m') ? msPerUnit.m : msPerUnit.s)
}

/** `8.12MB` → bytes; wrk counts in 1024. Null: not a number. */
export function parseBytes(text: string | undefined): number | null {
  const [, number, unit] = /^([\d.]+)([KMGTP]?B)$/.exec(text ?? '') ?? []
  const value = parseDecimal(number ?? '')
  if (value === null) return null
  if (unit === 'PB') return value * 1024 ** 5
  const factor = unit === 'KB' || unit === 'MB' || unit === 'GB' || unit === 'TB' ? bytesPerBinaryUnit[unit] : 1
  return withoutDust(value * factor)
}

/** `1.26k` → 1260. Null for `-nan`. */
export function parseMetric(text: string): number | null {
  const [, number, unit] = /^([\d.]+)([kMG]?)$/.exec(text) ?? []
  return number === undefined ? null : parseScaled(number, unit === 'k' ? 3 : unit === 'M' ? 6 : unit === 'G' ? 9 : 0)
}

/** Removes binary rounding errors from a product of a short decimal. */
function withoutDust(value: number): number {
  return Number(value.toPrecision(15))
}
