import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * Large files of vegeta results, the same on every run: lognormal latencies around 5 ms with a slow tail, 1 % failed,
 * three addresses, 10,000 requests a second. lean: no bodies and headers. fat: 256 bytes of body and five headers.
 * errors: every request failed with a different text. headers: the five, no bodies. timed: with numbers in three more.
 */
export type ResultsKind = 'lean' | 'fat' | 'errors' | 'headers' | 'timed'
export type ResultsForm = 'csv' | 'json' | 'gob'

const urls = [
  'http://127.0.0.1:8080/items?page=1',
  'http://127.0.0.1:8080/items/42',
  'http://127.0.0.1:8080/search?q=x',
]
const plainHeaders = ['Content-Type', 'Content-Length', 'Date', 'Server', 'X-Request-Id'].map((name, index) => [
  name,
  `value-${index}-of-some-length`,
])
const body = Buffer.alloc(256, 'response body ')
const startSeconds = 1_795_226_400

interface Row {
  readonly seq: number
  readonly seconds: number
  readonly nanos: number
  readonly code: number
  readonly ns: number
  readonly error: string
  readonly url: string
}

/** Writes one file of `rows` results and returns its path. */
export function writeResults(folder: string, kind: ResultsKind, form: ResultsForm, rows: number): string {
  const file = path.join(folder, `${kind}-${rows}.${form}`)
  const descriptor = openSync(file, 'w')
  const encode = encoders[form]
  let parts: Buffer[] = form === 'gob' ? [readDefinitions()] : []
  for (const row of makeRows(rows, kind)) {
    parts.push(encode(row, kind))
    if (parts.length < 5_000) continue
    writeSync(descriptor, Buffer.concat(parts))
    parts = []
  }
  writeSync(descriptor, Buffer.concat(parts))
  closeSync(descriptor)
  return file
}

function* makeRows(rows: number, kind: ResultsKind): Generator<Row> {
  let state = 42
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  for (let seq = 0; seq < rows; seq++) {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
    const ns = Math.round(random() < 0.002 ? 2e8 + random() * 1.8e9 : 5e6 * Math.exp(0.5 * normal))
    const failed = kind === 'errors' || random() < 0.01
    const port = 30_000 + Math.floor(random() * 30_000)
    const nanos = 123_456_789 + (seq % 10_000) * 100_000 + Math.floor(random() * 20_000)
    yield {
      seq,
      seconds: startSeconds + Math.floor(seq / 10_000) + (nanos >= 1e9 ? 1 : 0),
      nanos: nanos % 1e9,
      code: failed ? 0 : 200,
      ns,
      error: failed
        ? `read tcp 127.0.0.1:${port}->127.0.0.1:8080: read: connection reset by peer (${kind === 'errors' ? seq : 0})`
        : '',
      url: urls[Math.floor(random() * 3)] ?? '',
    }
  }
}

const encoders: Readonly<Record<ResultsForm, (row: Row, kind: ResultsKind) => Buffer>> = {
  csv: ({ seq, seconds, nanos, code, ns, error, url }, kind) =>
    Buffer.from(
      `${seconds}${String(nanos).padStart(9, '0')},${code},${ns},0,512,${error},${kind === 'fat' ? body64 : ''},,${seq},GET,${url},${base64Headers(headersOf(kind, seq))}\n`,
    ),
  json: ({ seq, seconds, nanos, code, ns, error, url }, kind) => {
    const time = `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${String(nanos).padStart(9, '0').replace(/0+$/, '')}Z`
    const text = error.replaceAll('>', '\\u003e')
    return Buffer.from(
      `{"attack":"","seq":${seq},"code":${code},"timestamp":"${time}","latency":${ns},"bytes_out":0,"bytes_in":512,"error":"${text}","body":${kind === 'fat' ? `"${body64}"` : 'null'},"method":"GET","url":"${url}","headers":${jsonHeaders(headersOf(kind, seq))}}\n`,
    )
  },
  gob: encodeGob,
}

const body64 = body.toString('base64')

type Headers = readonly (readonly string[])[]

function headersOf(kind: ResultsKind, seq: number): Headers {
  if (kind === 'fat' || kind === 'headers') return plainHeaders
  if (kind !== 'timed') return []
  return [
    ...plainHeaders,
    ['Server-Timing', `db;dur=${(seq % 1_000) / 8}, app;dur=${(seq % 77) / 4}`],
    ['X-Cache', seq % 3 === 0 ? 'HIT' : 'MISS'],
    ['X-Envoy-Upstream-Service-Time', String(seq % 40)],
  ]
}

function base64Headers(headers: Headers): string {
  if (headers.length === 0) return ''
  return Buffer.from(`${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`).toString('base64')
}

function jsonHeaders(headers: Headers): string {
  if (headers.length === 0) return 'null'
  return JSON.stringify(Object.fromEntries(headers.map(([name = '', value]) => [name, [value]])))
}

/** The type definitions as vegeta 12.13 writes them: all messages before the first result. */
function readDefinitions(): Buffer {
  const bytes = readFileSync(path.join(import.meta.dirname, '../fixtures/vegeta-gob/one-request.bin'))
  const isResult = (at: number) => bytes[at] === 0xff && bytes[at + 1] === 0x80
  let at = 0
  for (;;) {
    const first = bytes[at] ?? 0
    const width = first < 128 ? 0 : 256 - first
    const start = at + 1 + width
    if (isResult(start)) return bytes.subarray(0, at)
    at = start + (width === 0 ? first : bytes.readUIntBE(at + 1, width))
  }
}

function encodeGob({ seq, seconds, nanos, code, ns, error, url }: Row, kind: ResultsKind): Buffer {
  const headers = headersOf(kind, seq)
  const time = Buffer.alloc(17)
  time.set([15, 1])
  time.writeBigInt64BE(BigInt(seconds) + 62_135_596_800n, 2)
  time.writeInt32BE(nanos, 10)
  time.writeInt16BE(-1, 14)
  const values: (Uint8Array | null)[] = [
    null,
    seq === 0 ? null : unsigned(seq),
    code === 0 ? null : unsigned(code),
    time.subarray(0, 16),
    unsigned(ns * 2),
    null,
    unsigned(512),
    error === '' ? null : text(error),
    kind === 'fat' ? Buffer.concat([unsigned(body.length), body]) : null,
    text('GET'),
    text(url),
    headers.length > 0
      ? Buffer.concat([
          unsigned(headers.length),
          ...headers.flatMap(([name = '', value = '']) => [text(name), unsigned(1), text(value)]),
        ])
      : null,
  ]
  const parts: Uint8Array[] = [Buffer.from([0xff, 0x80])]
  let last = -1
  values.forEach((value, field) => {
    if (value === null) return
    parts.push(Buffer.from([field - last]), value)
    last = field
  })
  parts.push(Buffer.from([0]))
  const payload = Buffer.concat(parts)
  return Buffer.concat([unsigned(payload.length), payload])
}

/** One byte below 128, otherwise the negated number of bytes followed by the bytes, highest first. */
function unsigned(value: number): Buffer {
  if (value < 128) return Buffer.from([value])
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([256 - bytes.length, ...bytes])
}

function text(value: string): Buffer {
  return Buffer.concat([unsigned(Buffer.byteLength(value)), Buffer.from(value)])
}
