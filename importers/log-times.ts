import type { UtcIso } from '../lib/run'

const isoTime = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/

/**
 * Keeps the earliest and latest time of a log's lines. ISO 8601; a time without zone is UTC, as CloudWatch's tools
 * write it. Times of one log are compared as text: they are written alike.
 */
export class LogTimes {
  private first: string | null = null
  private last: string | null = null

  /** Looks for a time at the start of a line. */
  addLine(raw: string): void {
    // Cheap refusals first: this sees every line of a log.
    if (raw.charCodeAt(4) !== 0x2d || raw.charCodeAt(7) !== 0x2d || raw.charCodeAt(13) !== 0x3a) return
    this.addPrefix(raw.slice(0, 40))
  }

  /** Looks for a time anywhere in what stands before a line's own text. */
  addPrefix(prefix: string): void {
    if (prefix.length < 19) return
    const time = isoTime.exec(prefix)?.[0]
    if (time === undefined) return
    if (this.first === null || time < this.first) this.first = time
    if (this.last === null || time > this.last) this.last = time
  }

  get firstAt(): UtcIso | null {
    return toUtcIso(this.first)
  }

  get lastAt(): UtcIso | null {
    return toUtcIso(this.last)
  }
}

function toUtcIso(time: string | null): UtcIso | null {
  if (time === null) return null
  const [, date = '', clock = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/.exec(time) ?? []
  const offset = zone === '' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const parsed = Date.parse(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString()
}
