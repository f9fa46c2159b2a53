import type { UtcIso } from '../../lib/run/run'

const dayMs = 86_400_000
/** Years that ISO 8601 writes with four digits. */
const first = -62_167_219_200_000
const last = 253_402_300_799_999

/**
 * Milliseconds since 1970 as text, like `Date.toISOString`; null outside the years 0 to 9999. The first call of
 * `toISOString` loads the time zones, which takes 12 ms, too long for a small file.
 */
export function isoOf(epochMs: number): UtcIso | null {
  if (!(epochMs >= first && epochMs <= last)) return null
  const whole = Math.floor(epochMs)
  const day = Math.floor(whole / dayMs)
  const { year, month, date } = civilOf(day)
  const ms = whole - day * dayMs
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map((part) => padded(Math.floor(part), 2))
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(date, 2)}T${clock.join(':')}.${padded(ms % 1_000, 3)}Z`
}

/** Date of a day since 1970-01-01 (https://howardhinnant.github.io/date_algorithms.html#civil_from_days). */
function civilOf(day: number): { year: number; month: number; date: number } {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  }
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}

/** Seconds since 1970 of `2026-11-21T02:14:08` read as UTC; NaN: not a time. */
export function readSecond(bytes: Uint8Array, at: number): number {
  const text = String.fromCharCode(...bytes.subarray(at, at + 19))
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) / 1_000 : NaN
}

/** Seconds of `+05:30`; NaN: not an offset. */
export function readOffset(bytes: Uint8Array, at: number): number {
  const [sign = 0, h1 = 0, h2 = 0, colon = 0, m1 = 0, m2 = 0] = bytes.subarray(at, at + 6)
  const digits = [h1, h2, m1, m2].map((byte) => byte - 48)
  const [a = 0, b = 0, c = 0, d = 0] = digits
  if ((sign !== 43 && sign !== 45) || colon !== 58 || digits.some((digit) => digit < 0 || digit > 9)) return NaN
  return (sign === 43 ? 1 : -1) * ((a * 10 + b) * 3_600 + (c * 10 + d) * 60)
}

/**
 * RFC 3339 with any offset and up to nine decimals, truncated to milliseconds. Null: missing, not such a time, or Go's
 * zero time.
 */
export function readUtcIso(text: string | null | undefined): UtcIso | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text ?? '')) return null
  const time = Date.parse((text ?? '').replace(/(\.\d{3})\d+/, '$1'))
  return Number.isNaN(time) || time <= 0 ? null : new Date(time).toISOString()
}
