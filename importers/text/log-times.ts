import type { UtcIso } from '../../lib/run/run'

const isoTime = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?:Z|(?: \()?([+-])(\d\d):?(\d\d))?/

/**
 * Milliseconds since 1970 of the first ISO 8601 time in a text; null: none. A time without zone is UTC, as written by
 * CloudWatch's tools. Fractions of a millisecond are dropped.
 */
export function findTimeMs(text: string): number | null {
  if (text.length < 19) return null
  const found = isoTime.exec(text)
  if (found === null) return null
  const [, year, month, day, hours, minutes, seconds, fraction = '', sign, zoneHours, zoneMinutes] = found
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
    ms,
  )
  if (sign === undefined) return local
  const offsetMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000
  return sign === '-' ? local + offsetMs : local - offsetMs
}

/** Tracks the earliest and latest time of a log's lines. */
export class LogTimes {
  /** The lines' clock is in an unstated time zone, so no time is known. */
  isZoneUnknown = false
  private first = Infinity
  private last = -Infinity

  /** Looks for a time at the start of a line. */
  addLine(raw: string): void {
    // Cheap checks first: this runs on every line of a log.
    if (raw.charCodeAt(4) !== 0x2d || raw.charCodeAt(7) !== 0x2d || raw.charCodeAt(13) !== 0x3a) return
    this.add(findTimeMs(raw.slice(0, 40)))
  }

  /** Takes milliseconds since 1970; null: no time. */
  add(ms: number | null): void {
    if (ms === null) return
    if (ms < this.first) this.first = ms
    if (ms > this.last) this.last = ms
  }

  get firstAt(): UtcIso | null {
    return this.isZoneUnknown ? null : toUtcIso(this.first)
  }

  get lastAt(): UtcIso | null {
    return this.isZoneUnknown ? null : toUtcIso(this.last)
  }
}

function toUtcIso(ms: number): UtcIso | null {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
