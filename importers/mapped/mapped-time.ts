import type { TimeFormat } from '../../lib/run/column-mapping'

const powers = { ns: 9, us: 6, ms: 3, s: 0 } as const satisfies Readonly<Record<Exclude<TimeFormat, 'iso'>, number>>
const isoTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?$/

/** Reads the times of samples: to the nanosecond, whatever their unit. */
export class MappedTime {
  /** Of the last time read: whole seconds since 1970, and 0…999,999,999. */
  seconds = 0
  nanos = 0
  /** All times so far are whole seconds. */
  isCoarse = true
  /** A time without a zone was read as UTC. */
  lacksZone = false
  private lastSecond = ''
  private lastSeconds = 0

  constructor(private readonly format: TimeFormat) {}

  /** False: not a time in this format. */
  read(text: string): boolean {
    const isRead = this.format === 'iso' ? this.readIso(text) : this.readEpoch(text, powers[this.format])
    if (isRead && this.nanos !== 0) this.isCoarse = false
    return isRead
  }

  /** Moves the time back by a latency, if it is when the request ended. */
  back(ns: number): void {
    this.nanos -= ns % 1e9
    this.seconds -= Math.floor(ns / 1e9)
    if (this.nanos >= 0) return
    this.nanos += 1e9
    this.seconds--
  }

  /** Splits the digits before the point, so that even 19 of them are exact. */
  private readEpoch(text: string, power: number): boolean {
    if (!/^\d{1,20}(?:\.\d{1,20})?$/.test(text)) return false
    const point = text.indexOf('.')
    const whole = point < 0 ? text : text.slice(0, point)
    const rest = point < 0 ? '' : text.slice(point + 1)
    const split = Math.max(0, whole.length - power)
    this.seconds = Number(whole.slice(0, split) || '0')
    this.nanos = Number((whole.slice(split).padStart(power, '0') + rest).padEnd(9, '0').slice(0, 9))
    return this.seconds < 253_402_300_800
  }

  private readIso(text: string): boolean {
    const [, day = '', clock = '', fraction = '', zone = ''] = isoTime.exec(text) ?? []
    if (day === '') return false
    const second = `${day}T${clock}${zone === '' || zone === 'UTC' ? 'Z' : zone}`
    if (second !== this.lastSecond) {
      const ms = Date.parse(second)
      if (Number.isNaN(ms)) return false
      this.lastSecond = second
      this.lastSeconds = ms / 1e3
    }
    if (zone === '') this.lacksZone = true
    this.seconds = this.lastSeconds
    this.nanos = Number(fraction.padEnd(9, '0'))
    return true
  }
}
