/**
 * HdrHistogram payloads (V2 compressed, base64) in the strings of any JSON: reports of services and of custom load
 * generators. The unit is beside the payload or above it, or in the name of its key; if none is named, the user is
 * asked for it: it is not guessed. Histograms with labels are separate runs, others are parts of one (intervals).
 *
 *     {"name":"items","unit":"us","count":500,"histogram":"HISTFAAAAaN4nD2SMYrcQBBFS6+qt2lEI8QghJCF…"}
 *     {"timeUnit":"MICROSECONDS","intervals":[{"startTimestamp":1795310000000,"histogram":"HISTFAAAAL14nDXKoU4DURCF…"},…]}
 */
import { ImportError } from '../../lib/errors'
import { decodeHistogram, HdrFormatError, type DecodedHistogram } from '../../lib/stats/hdr-codec'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { readJsonDocuments } from '../text/json-documents'
import { decodeHead } from '../text/text-head'
import { addHistogram, describeHistogram, warnOfDigits } from './hdr-latency'
import type { HdrUnit } from './hdr-unit'

/** Reads payloads in JSON. */
export const hdrJson: RawImporter = {
  kind: 'raw',
  id: 'hdr-json',
  detect: (head) => {
    const text = decodeHead(head, head.length)
    return (
      /^\s*(?:\{\s*"|\[\s*[{"[])/.test(text) &&
      !/^\s*\{"tailboard/i.test(text) &&
      /"HIST[EF][A-Za-z0-9+/]{6}/.test(text)
    )
  },
  read: readHdrJson,
}

const hint = 'Upload the JSON as the program wrote it.'
const maxPayloads = 10_000
const maxDepth = 64

const units: Readonly<Record<string, HdrUnit>> = {
  ns: 'ns',
  nanos: 'ns',
  nanosecond: 'ns',
  nanoseconds: 'ns',
  us: 'us',
  µs: 'us',
  μs: 'us',
  usec: 'us',
  micros: 'us',
  microsecond: 'us',
  microseconds: 'us',
  ms: 'ms',
  msec: 'ms',
  millis: 'ms',
  millisecond: 'ms',
  milliseconds: 'ms',
}

/** A payload, and what the JSON around it states about it; null: nothing. */
interface Payload {
  readonly base64: string
  readonly unit: HdrUnit | null
  readonly label: string | null
  readonly line: number
}

async function* readHdrJson(bytes: Bytes): AsyncGenerator<BlockRun> {
  const form = { name: 'the JSON with HdrHistograms', hint, telling: /"HISTFAAA/ }
  const { documents, problems, isTruncated } = await readJsonDocuments(bytes, form)
  const [problem] = problems
  if (problem !== undefined) throw new ImportError('malformed', problem.message, { line: problem.line, hint })
  const payloads: Payload[] = []
  for (const { value, line } of documents) collect(value, { unit: null, label: null, line }, payloads, 0)
  if (payloads.length > maxPayloads)
    throw new ImportError('too-large', `more than ${maxPayloads} HdrHistograms in one file`, { offset: 0, hint })
  if (isTruncated)
    throw new ImportError('truncated', 'the JSON with HdrHistograms is truncated: their sum would be incomplete', {
      offset: 0,
      hint,
    })
  for (const group of groupByLabel(payloads)) yield await readGroup(group)
}

/** Labels identify what a histogram measured; without them all are parts of one. */
function groupByLabel(payloads: readonly Payload[]): readonly (readonly Payload[])[] {
  const groups = new Map<string | null, Payload[]>()
  for (const payload of payloads) groups.set(payload.label, [...(groups.get(payload.label) ?? []), payload])
  return [...groups.values()]
}

function collect(value: unknown, around: Omit<Payload, 'base64'>, into: Payload[], depth: number, key = ''): void {
  if (typeof value === 'string') {
    if (/^HIST[EF][A-Za-z0-9+/]{6}/.test(value) && into.length <= maxPayloads)
      into.push({ ...around, base64: value, unit: unitOfKey(key) ?? around.unit })
    return
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return
  if (Array.isArray(value)) {
    for (const one of value) collect(one, around, into, depth + 1, key)
    return
  }
  const entries = Object.entries(value)
  const inside = { ...around, unit: unitOf(entries) ?? around.unit, label: labelOf(entries) ?? around.label }
  for (const [name, one] of entries) collect(one, inside, into, depth + 1, name)
}

function unitOf(entries: readonly (readonly [string, unknown])[]): HdrUnit | null {
  for (const [name, value] of entries)
    if (typeof value === 'string' && /unit$/i.test(name)) {
      const unit = units[value.trim().toLowerCase()]
      if (unit !== undefined) return unit
    }
  return null
}

/** `latency_us`, `histogramNanos`. */
function unitOfKey(key: string): HdrUnit | null {
  const [, last] = /(?:_|(?=[A-Z]))([A-Za-zµμ]{2,12})$/.exec(key) ?? []
  return (last === undefined ? undefined : units[last.toLowerCase()]) ?? null
}

function labelOf(entries: readonly (readonly [string, unknown])[]): string | null {
  const found = entries.find(
    ([name, value]) => /^(?:label|name|tag|scenario|url|target)$/i.test(name) && typeof value === 'string',
  )
  return typeof found?.[1] === 'string' && found[1] !== '' ? found[1].slice(0, 200) : null
}

async function readGroup(group: readonly Payload[]): Promise<BlockRun> {
  const [first] = group
  if (first === undefined) throw new ImportError('empty', 'it contains no HdrHistogram', { offset: 0, hint })
  const { unit, label, line } = first
  if (unit === null)
    throw new ImportError('malformed', 'the unit of this HdrHistogram is not stated', {
      line,
      hint: 'Write "unit": "us" (or ns, ms) next to it and upload it again: a guess could be off by a thousand.',
    })
  if (group.some((payload) => payload.unit !== unit))
    throw new ImportError('inconsistent', 'these HdrHistograms have different units', { line, hint })
  const histogram = await addAll(group)
  const latency = await describeHistogram(histogram, unit, null)
  if (latency === null)
    throw new ImportError('empty', 'the HdrHistogram contains no values', {
      line,
      hint: 'Upload one of a test that sent requests.',
    })
  return {
    ...blankRun('hdr', 'hdr-json'),
    lines: [line, group.at(-1)?.line ?? line],
    name: label,
    requests: latency.count,
    latencies: [latency],
    warnings: warnOfDigits(histogram, line),
    measures: [
      { name: 'significant-digits', value: histogram.digits, unit: null, line },
      ...(group.length === 1 ? [] : [{ name: 'intervals', value: group.length, unit: null, line }]),
    ],
  }
}

/** Counts can be added if the layouts are the same; not if values share slots differently. */
async function addAll(group: readonly Payload[]): Promise<DecodedHistogram> {
  const counts = new Map<number, number>()
  let layout: DecodedHistogram | null = null
  for (const { base64, line } of group) {
    const decoded = await decodeHistogram(base64).catch((error: unknown) => {
      if (!(error instanceof HdrFormatError)) throw error
      throw new ImportError(error.code, `an HdrHistogram cannot be read: ${error.message}`, { line, hint })
    })
    layout ??= decoded
    if (layout.digits !== decoded.digits || layout.lowest !== decoded.lowest)
      throw new ImportError('inconsistent', 'these HdrHistograms differ in significant digits: they cannot be added', {
        line,
        hint,
      })
    addHistogram(counts, decoded)
  }
  if (layout === null) throw new ImportError('empty', 'it contains no HdrHistogram', { offset: 0, hint })
  return { ...layout, counts }
}
