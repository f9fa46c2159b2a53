import { JsonCollector } from '../text/json-collector'
import { parseJson } from '../json-fault'
import { decodeBase64, LambdaEvents, type EventPlace } from './lambda-events'
import type { LambdaLog } from './lambda-log'

/** `REPORT RequestId: ` in base64, at each of the three positions where it can begin in a group of three bytes. */
const reportInBase64 = ['UkVQT1JUIFJlcXVlc3RJZ', 'JFUE9SVCBSZXF1ZXN0SWQ6', 'SRVBPUlQgUmVxdWVzdElkOi']
const logResult = /"LogResult"\s*:\s*"([A-Za-z0-9+/=]{40,10000})"/
const record = /"type"\s*:\s*"platform\.[a-zA-Z]/
/** A pretty-printed record: its relevant part follows its type. */
const reportType = /^\s*"type"\s*:\s*"platform\.report"\s*,\s*$/

/** Whether a line contains a record of the JSON log format, or a log's end in base64 from the answer of `invoke`. */
export function isJsonLine(text: string): boolean {
  return (text.includes('"platform.') && record.test(text)) || holdsBase64(text)
}

/** Whether a line contains a log's end in base64. */
export function holdsBase64(text: string): boolean {
  return (text.includes('"LogResult"') && logResult.test(text)) || reportInBase64.some((mark) => text.includes(mark))
}

function holdsReport(text: string): boolean {
  return text.includes('"platform.report"') || reportInBase64.some((mark) => text.includes(mark))
}

/** Reads such lines within a text: with times and log streams before them, pretty-printed, in documents. */
export class LambdaJsonLines {
  private readonly events: LambdaEvents
  private collector: JsonCollector | null = null
  private place: EventPlace | null = null
  /** Number of reports in answers of `invoke`. */
  answered = 0

  constructor(private readonly log: LambdaLog) {
    // Gzipped payloads are read from files of their own.
    this.events = new LambdaEvents(log, () => undefined)
  }

  /** Whether a pretty-printed record has begun and not ended. */
  get isOpen(): boolean {
    return this.collector !== null
  }

  /** Offers a line; true: it was one of these. */
  push(text: string, tooLong: boolean, place: EventPlace): boolean {
    if (this.collector !== null) return this.collect(this.collector, text, tooLong)
    if (!isJsonLine(text)) return false
    if (reportType.test(text)) {
      this.place = place
      this.collector = new JsonCollector()
      this.collector.add('{', false)
      return this.collect(this.collector, text, tooLong)
    }
    const { found } = this.log
    const base64 = logResult.exec(text)?.[1] ?? (text.includes('{') ? null : text.trim().replace(/^"|",?$/g, ''))
    if (base64 !== null && decodeBase64(base64) !== null) {
      this.events.readBase64(base64, place)
      this.answered += this.log.found - found
    } else this.events.read(parseJson(text.slice(text.indexOf('{'))), place)
    if (this.log.found === found && holdsReport(text))
      this.log.lose(place.line, 'malformed', 'its JSON or base64 is damaged')
    return true
  }

  private collect(collector: JsonCollector, text: string, tooLong: boolean): boolean {
    const state = collector.add(text, tooLong)
    if (state === 'open') return true
    this.collector = null
    // The record's brackets may be followed by those of the list that contains it.
    const { place } = this
    if (place === null) return state === 'closed'
    const { found } = this.log
    if (state === 'closed') this.events.read(parseJson(collector.text.trimEnd().replace(/\}[\s,\]]*$/, '}')), place)
    if (this.log.found === found) this.log.lose(place.line, 'malformed', 'its JSON is damaged')
    return state === 'closed'
  }
}
