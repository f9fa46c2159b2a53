/**
 * Results of vegeta as JSON, one object after the other, as
 * https://github.com/tsenart/vegeta/blob/v12.12.0/lib/results.go (NewJSONEncoder) writes them, and in any other layout:
 * keys in another order, over several lines, in a list, without body or headers, as jq leaves them.
 *
 *     {"attack":"","seq":0,"code":200,"timestamp":"2026-11-21T02:14:08.120429165Z","latency":597291,"bytes_out":0,
 *      "bytes_in":0,"error":"","body":null,"method":"GET","url":"http://127.0.0.1:18081/r","headers":null}
 *     {"code":200,"timestamp":"2026-11-21T02:14:37.363447998Z","latency":4469056,"bytes_out":0,"bytes_in":1024,"error":""}
 */
import { ImportError } from '../../lib/errors'
import type { BlockRun } from '../importer'
import { createSampleImporter } from '../samples/sample-file'
import { decodeHead } from '../text/text-head'
import { buildResultsRun } from './results-run'
import { VegetaJsonRows } from './vegeta-results-json-rows'

const firstKey =
  /^\s*(?:\[\s*)?\{\s*"(?:attack|seq|code|timestamp|latency|bytes_out|bytes_in|error|body|method|url|headers)"\s*:/
const telling = [/"latency"\s*:\s*\d/, /"timestamp"\s*:\s*"\d{4}-/, /"code"\s*:\s*\d/]
/** Numbers that other programs have damaged: to be refused by name. */
const spoilt = [
  /"latency"\s*:\s*(?:"-?\d|-|NaN|Infinity)/,
  /"timestamp"\s*:\s*"\d{4}-/,
  /"code"\s*:\s*"?\d/,
  /"bytes_out"\s*:/,
]

const hint = 'Upload what "vegeta encode -to json" wrote, unchanged.'

/** New seconds, few and many digits, a failure, a name, a body, headers, an offset, another layout. */
const rowsOfEachKind =
  [
    ['', 0, 200, '2026-11-21T01:20:00.123456789Z', 5_000_000, 0, 512, '', 'null', 'GET', 'null'],
    ['', 1, 200, '2026-11-21T01:20:00.1234567Z', 81_234_567, 20, 12_345, '', '"aGk="', 'GET', '{"A":["b"]}'],
    ['', 2, 0, '2026-11-21T01:20:00Z', 12_000_000_000, 0, 0, 'port 80', 'null', 'GET', 'null'],
    ['', 3, 0, '2026-11-21T01:20:01.123456789Z', 12_000_000_000, 0, 0, 'port 80', 'null', 'GET', 'null'],
    ['name', 70_000, 0, '2026-11-21T02:20:01.1+01:00', 300, 0, 0, 'port 81', 'null', 'POST', 'null'],
    ['name', 70_001, 500, '2026-11-21T02:20:02.1+01:00', 300, 0, 0, 'a \\"b\\"', 'null', 'POST', 'null'],
  ]
    .map(
      ([attack, seq, code, at, latency, sent, received, error, body, method, headers]) =>
        `{"attack":"${attack}","seq":${seq},"code":${code},"timestamp":"${at}","latency":${latency},"bytes_out":${sent},"bytes_in":${received},"error":"${error}","body":${body},"method":"${method}","url":"http://127.0.0.1/","headers":${headers}}\n`,
    )
    .join('') + '{"code":200,"timestamp":"2026-11-21T02:20:02Z","latency":5}\n'.repeat(2)

/** Reads vegeta's results as JSON. */
export const vegetaResultsJson = createSampleImporter({
  id: 'vegeta-results-json',
  detect(head) {
    if (!/[{[]/.test(decodeHead(head, 64).trimStart().charAt(0))) return false
    const text = decodeHead(head, head.length)
    return firstKey.test(text) && (telling.every((key) => key.test(text)) || spoilt.every((key) => key.test(text)))
  },
  rowsOfEachKind,
  open: (samples) => new VegetaJsonRows(samples),
  hint,
  truncation: 'the file ends within a result: more are missing',
  nothing: ({ samples: { negatives }, isTorn }) =>
    negatives > 0
      ? new ImportError('malformed', "this is vegeta's JSON, but every “latency” is negative", { line: 1, hint })
      : new ImportError(isTorn ? 'truncated' : 'empty', 'it contains no complete result', {
          line: 1,
          hint: 'Upload what "vegeta encode -to json" wrote.',
        }),
  async build({ samples, reader, complete }) {
    const run = await buildResultsRun(samples, reader.headers, complete, {
      form: 'vegeta-results-json',
      toolVersion: reader.hasTargets ? '>=12.8' : reader.hasSeq ? '>=8' : null,
      decodeText: decodeString,
      decodeError: decodeString,
      decodeTarget,
    })
    return reader.lacksBytes ? withoutBytes(run) : run
  },
})

function withoutBytes(run: BlockRun): BlockRun {
  const warnings = run.warnings.filter(({ code }) => code !== 'payload-changed')
  return { ...run, bytesIn: null, bytesOut: null, warnings }
}

const utf8 = new TextDecoder()

/** Text between quotes, decoded; unchanged if it is truncated. */
function decodeString(bytes: Uint8Array): string {
  const raw = utf8.decode(bytes)
  try {
    const text: unknown = JSON.parse(`"${raw}"`)
    return typeof text === 'string' ? text : raw
  } catch {
    return raw
  }
}

const betweenNames = '","url":"'

function decodeTarget(key: Uint8Array): { method: string | null; url: string | null } {
  const text = utf8.decode(key)
  const at = text.indexOf(betweenNames)
  const decode = (part: string) => decodeString(new TextEncoder().encode(part)) || null
  return { method: decode(text.slice(0, at)), url: decode(text.slice(at + betweenNames.length)) }
}
