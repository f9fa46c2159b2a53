import type { Measure, Phase, Warning } from '../../lib/run/run'
import type { NumberColumn } from '../rows/number-column'
import { FlatHistogram, isReached, largestNs, rankOf, roundMs, slotOf } from '../samples/flat-histogram'
import type { HeaderAttributes } from './header-attributes'
import { readNumber, readServerTiming } from './server-timing'

/** The headers that are read, by their lower-case names. All others are ignored. */
export const readHeaders = ['server-timing', 'x-envoy-upstream-service-time', 'x-cache'] as const
const [serverTiming, envoyTime] = [0, 1]

/** Limits on names of metrics: how many are distinguished, and their characters. */
const maxMetrics = 20
const maxNameBytes = 60
/** A response with more header bytes, as written in its file, is left out. */
export const maxHeaderBytes = 32 * 1024

/** State of a response's cache header; if there are several, the last of these. */
const cacheStates = { none: 0, other: 1, miss: 2, hit: 3 } as const

/** Milliseconds of one kind. Memory: 176 kB. */
class Timing {
  private readonly histogram = new FlatHistogram()
  private count = 0
  private sum = 0
  private min = Infinity
  private max = -Infinity

  /** `column`: where the number of each row goes, if somebody asked. */
  constructor(
    readonly column: NumberColumn | null = null,
    readonly name: string | null = null,
  ) {}

  add(ms: number): void {
    const { counts } = this.histogram
    const slot = slotOf(Math.round(ms * 1e6))
    counts[slot] = (counts[slot] ?? 0) + 1
    this.count++
    this.sum += ms
    if (ms < this.min) this.min = ms
    if (ms > this.max) this.max = ms
  }

  phases(name: string): Phase[] {
    const { count, sum, min, max, histogram } = this
    if (count === 0) return []
    const quantile = (q: number) => {
      const [ns = 0] = histogram.valuesAtRanks([rankOf(q, count)])
      // The top of a slot may exceed the values in it.
      return isReached(q, count) ? Math.max(min, Math.min(max, roundMs(ns))) : null
    }
    return [{ name, count, meanMs: sum / count, minMs: min, maxMs: max, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }]
  }
}

/** What is kept of the headers of a run's responses: bounded numbers, however many responses. Memory: under 4 MB. */
export class HeaderFigures {
  private readonly metrics: { readonly name: Uint8Array; readonly timing: Timing }[] = []
  /** Where to look for the next metric first: each response has them in the same order. */
  private nextMetric = 0
  private envoy: Timing | null = null
  private readonly cache = [0, 0, 0, 0]
  /** Of the response being read. */
  private cacheState: number = cacheStates.none
  private tooLong = 0
  private unlisted = 0
  private unreadable = 0

  /** `attributes`: what headers say of each row; null: nobody asked. */
  constructor(readonly attributes: HeaderAttributes | null = null) {}

  /** Takes a value of the header at this position in `readHeaders`. */
  take(header: number, bytes: Uint8Array, from: number, to: number): void {
    if (header === serverTiming) readServerTiming(bytes, from, to, this.takeMetric)
    else if (header === envoyTime) this.takeEnvoyTime(bytes, from, to)
    else {
      this.cacheState = Math.max(this.cacheState, cacheStateOf(bytes, from, to))
      this.attributes?.takeCache(bytes, from, to)
    }
  }

  /** Ends a response: a cache counts once per response. */
  endResponse(): void {
    if (this.cacheState === cacheStates.none) return
    this.cache[this.cacheState] = (this.cache[this.cacheState] ?? 0) + 1
    this.cacheState = cacheStates.none
  }

  /** Counts a response whose headers are too long to read. */
  leaveOut(): void {
    this.tooLong++
  }

  phases(): Phase[] {
    return [
      ...this.metrics.flatMap(({ name, timing }) => timing.phases(`Server-Timing ${utf8.decode(name)}`)),
      ...(this.envoy?.phases('x-envoy-upstream-service-time') ?? []),
    ]
  }

  /** Responses by what their cache stated. Empty: none stated anything. */
  measures(): Measure[] {
    const { cache } = this
    const measure = (name: string, state: number) => ({ name, value: cache[state] ?? 0, unit: 'responses', line: null })
    const others = cache[cacheStates.other] ?? 0
    if (cache.every((count) => count === 0)) return []
    return [
      measure('cache-hits', cacheStates.hit),
      measure('cache-misses', cacheStates.miss),
      ...(others > 0 ? [measure('cache-neither', cacheStates.other)] : []),
    ]
  }

  warnings(): Warning[] {
    const { tooLong, unlisted, unreadable } = this
    const count = (number: number, one: string, many: string) => (number === 1 ? `1 ${one}` : `${number} ${many}`)
    const signs = [
      ...(tooLong > 0
        ? [`those of ${count(tooLong, 'response', 'responses')} are longer than ${maxHeaderBytes / 1024} kB`]
        : []),
      ...(unlisted > 0
        ? [
            `${count(unlisted, 'value', 'values')} of Server-Timing have names beyond the first ${maxMetrics}, or of more than ${maxNameBytes} characters`,
          ]
        : []),
      ...(unreadable > 0 ? [`${count(unreadable, 'duration is not a number', 'durations are not numbers')}`] : []),
    ]
    if (signs.length === 0) return []
    const message = `Headers of responses are not all in the figures: ${signs.join('; ')}.`
    return [{ code: 'headers-left-out', message, line: null, numbers: { tooLong, unlisted, unreadable } }]
  }

  private readonly takeMetric = (bytes: Uint8Array, from: number, to: number, ms: number): void => {
    if (!isDuration(ms)) this.unreadable++
    else {
      const timing = this.findMetric(bytes, from, to)
      if (timing === null) this.unlisted++
      else {
        timing.add(ms)
        this.attributes?.setNumber(timing.column, timing.name, ms)
      }
    }
  }

  /** Null: it is not distinguished. */
  private findMetric(bytes: Uint8Array, from: number, to: number): Timing | null {
    const { metrics } = this
    for (let tried = 0, index = this.nextMetric; tried < metrics.length; tried++, index++) {
      if (index >= metrics.length) index = 0
      const metric = metrics[index]
      if (metric === undefined || !isSame(metric.name, bytes, from, to)) continue
      this.nextMetric = index + 1
      return metric.timing
    }
    if (metrics.length === maxMetrics || to - from > maxNameBytes) return null
    const name = utf8.decode(bytes.subarray(from, to)).toLowerCase()
    const timing = new Timing(this.attributes?.addNumber(`server-timing;${name}`), name)
    metrics.push({ name: Uint8Array.from(bytes.subarray(from, to)), timing })
    return timing
  }

  private takeEnvoyTime(bytes: Uint8Array, from: number, to: number): void {
    let [start, end] = [from, to]
    while (start < end && (bytes[start] ?? 0) <= 32) start++
    while (end > start && (bytes[end - 1] ?? 0) <= 32) end--
    const ms = readNumber(bytes, start, end)
    if (!isDuration(ms)) {
      this.unreadable++
      return
    }
    this.envoy ??= new Timing(this.attributes?.addNumber('x-envoy-upstream-service-time'))
    this.envoy.add(ms)
    this.attributes?.setNumber(this.envoy.column, null, ms)
  }
}

const utf8 = new TextDecoder()

function isDuration(ms: number): boolean {
  return ms >= 0 && ms * 1e6 <= largestNs
}

function isSame(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== name.length) return false
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[from + at]) return false
  return true
}

/**
 * `HIT`, `Hit from cloudfront`, `TCP_MEM_HIT from …`; in `MISS, HIT`, written by chained caches, one hit is enough.
 * Only the first word of each counts: names of hosts follow.
 */
function cacheStateOf(bytes: Uint8Array, from: number, to: number): number {
  let state: number = cacheStates.other
  let isFirstWord = true
  let isInWord = false
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    const isComma = byte === 44
    if (isComma || byte <= 32) {
      isFirstWord = isComma || (isFirstWord && !isInWord)
      isInWord = false
      continue
    }
    isInWord = true
    if (!isFirstWord) continue
    if (isWord(bytes, at, to, 'hit')) return cacheStates.hit
    if (isWord(bytes, at, to, 'miss')) state = cacheStates.miss
  }
  return state
}

function isWord(bytes: Uint8Array, at: number, to: number, word: string): boolean {
  if (to - at < word.length) return false
  for (let index = 0; index < word.length; index++)
    if (((bytes[at + index] ?? 0) | 32) !== word.charCodeAt(index)) return false
  return true
}
