/**
 * Output that is known and not imported: other tools (some print the headings of hey or wrk), usage texts and error
 * messages, and forms of our tools that no importer reads yet. So a refusal can name what it refuses.
 *
 *     Success rate:	100.00%            oha, below hey's "Summary:"
 *     Statistics        Avg      Stdev        Max            bombardier, above wrk's "Latency Distribution"
 *     unable to connect to 127.0.0.1:18081 Connection refused            wrk, when there is nothing to measure
 */

import { printingTools } from '../lib/run/tools'

/** What was recognised, and where. */
export interface ForeignFind {
  /**
   * other-tool: results of a tool that is not imported. no-results: a message. not-read-yet: a form without importer.
   * not-alone: rows of results, which are read from a file of their own.
   */
  readonly kind: 'other-tool' | 'no-results' | 'not-read-yet' | 'not-alone'
  /** Name of the tool, or of the form: `oha`, `a list of vegeta results (CSV)`. */
  readonly tool: string
  /** Index of the telling line + 1; null when bytes told. */
  readonly line: number | null
  /** One sentence for the user, without the place. */
  readonly message: string
  readonly hint: string
}

interface Sign {
  readonly kind: ForeignFind['kind']
  readonly tool: string
  readonly pattern: RegExp
  /** The line before it (empty ones not counted) must match too. */
  readonly after?: RegExp
}

const otherTools: readonly (readonly [tool: string, pattern: RegExp, after?: RegExp])[] = [
  ['oha', /^\s*Success rate:\s+[\d.]+%?\s*$/],
  ['oha', /^\s*"successRate": *[\d.]+,?\s*$|^\{"summary":\{"successRate":/],
  ['oha', /^request-start,DNS,DNS\+dialup,/],
  ['ghz', /^\s*Count:\s+\d+\s*$/, /^\s*Summary:\s*$/],
  ['bombardier', /^Bombarding \S+ /],
  ['bombardier', /^\s*Statistics\s+Avg\s+Stdev\s+Max\s*$/],
  ['ApacheBench (ab)', /^This is ApacheBench, Version /],
  ['ApacheBench (ab)', /^Percentage of the requests served within a certain time \(ms\)/],
  ['autocannon', /^│ Stat\s+│/],
  ['autocannon', /^\d+ connections(?: with \d+ pipelining factor)?\s*$/, /^Running \S+ test @ /],
  ['k6', /^\s*http_req_duration\.+\s*:/],
  ['k6', /^\{"(?:type":"(?:Metric|Point)"|metric":"http_req).*http_req/],
  ['fortio', /^Fortio [\d.]+ running at |^Aggregated Function Time : |^# target 50% [\d.]+$/],
  ['fortio', /^\s*"RunType": "(?:HTTP|GRPC|TCP|UDP)",?$/],
  ['JMeter', /^timeStamp,elapsed,label,responseCode/],
  ['JMeter', /^<testResults version=/],
  ['JMeter', /^summary [+=]\s+\d+ in /],
  ['Gatling', /^---- Global Information -{10,}/],
  ['Gatling', /^(?:> )?request count\s+\d+ \(OK=/],
  ['Locust', /^Type\s+Name\s+# reqs\s+# fails/],
  ['Locust', /^"?Type"?,"?Name"?,"?Request Count"?,/],
  ['siege', /^Lifting the server siege|^Transactions:\s+\d+ hits\s*$/],
  ['Artillery', /^Summary report @ \d|^http\.response_time:\s*$/],
  ['h2load', /^finished in [\d.]+\w?s, [\d.]+ req\/s, /],
]

const emptyInput = "vegeta's message that its input was empty or unreadable"

const messages: readonly (readonly [tool: string, pattern: RegExp])[] = [
  ["hey's usage text", /^Usage: hey \[options/],
  ["wrk's usage text", /^Usage: wrk2? <options> <url>/],
  ["vegeta's usage text", /^Usage: vegeta \[/],
  ["wrk's message that it could not connect", /^unable to connect to \S+ \S/],
  ["wrk's message about its options", /^number of connections must be >= threads|^invalid URL: /],
  [emptyInput, /^(?:report|encode|plot): (?:EOF|no )/],
]

const formsNotRead: readonly (readonly [form: string, pattern: RegExp, after?: RegExp])[] = [
  ['CloudWatch Logs Insights CSV', /^"?@\w+"?,.*@(?:duration|billedDuration|message)/],
  ['CloudWatch Logs Insights JSON', /^\s*"field": "@\w+",?$/],
  ['CloudWatch log events as JSON', /^\s*"logStreamName": "|^\s*"messageType": "DATA_MESSAGE"/],
  ['the response of a Lambda invocation (LogResult)', /^\s*"LogResult": "/],
]

const formsOfTheirOwn: readonly (readonly [form: string, pattern: RegExp, after?: RegExp])[] = [
  ["hey's CSV", /^"?response-time"?[,;]"?DNS\+dialup"?[,;]/],
  ['a list of vegeta results (JSON)', /^\{(?=.*"latency":\d)(?=.*"timestamp":")(?=.*"code":\d).*\}?$/],
  ['a list of vegeta results (JSON)', /^\s*"seq": *\d+,$/, /^\s*"attack": *"/],
  ['an HdrHistogram log (.hlog)', /^#\[Histogram log format version |^"StartTimestamp","Interval_Length"/],
  ['an encoded HdrHistogram', /^HISTFAAA/],
  ['a list of vegeta results (CSV)', /^\d{19},\d{1,3},\d+,\d+,\d+,/],
]

const atStart: readonly Sign[] = [
  ...otherTools.map(
    ([tool, pattern, after]) => ({ kind: 'other-tool', tool, pattern, ...(after ? { after } : {}) }) as const,
  ),
  ...messages.map(([tool, pattern]) => ({ kind: 'no-results', tool, pattern }) as const),
  ...formsNotRead.map(
    ([tool, pattern, after]) => ({ kind: 'not-read-yet', tool, pattern, ...(after ? { after } : {}) }) as const,
  ),
  ...formsOfTheirOwn.map(
    ([tool, pattern, after]) => ({ kind: 'not-alone', tool, pattern, ...(after ? { after } : {}) }) as const,
  ),
]

/** Signs anywhere in a line, and the part of them that is cheap to look for. */
const anywhere: readonly (Sign & { readonly holds: string })[] = [
  { kind: 'no-results', tool: emptyInput, pattern: /can't detect encoding of "/, holds: "can't detect" },
  { kind: 'not-read-yet', tool: 'a page of "vegeta plot"', pattern: /<title>Vegeta Plot/i, holds: '<' },
  { kind: 'not-read-yet', tool: 'a Lambda log as JSON', pattern: /"type": *"platform\.\w+"/, holds: '"platform.' },
]

/** All that stand at a line's start in one: nearly every line has none, and one search tells. */
const anyAtStart = new RegExp(atStart.map(({ pattern }) => pattern.source).join('|'))

/**
 * Names the foreign tool, message or form that a line shows; null when it shows none. `before` is the line above it that is
 * not empty. Ask it only for lines that no importer claims: the report of wrk2, for one, holds a percentile table.
 */
export function findForeignLine(text: string, before: string): ForeignFind | null {
  // Long lines are data; their beginning tells.
  const part = text.slice(0, 2_000)
  const sign =
    (anyAtStart.test(part)
      ? atStart.find(({ pattern, after }) => pattern.test(part) && (after === undefined || after.test(before)))
      : undefined) ?? anywhere.find(({ pattern, holds }) => part.includes(holds) && pattern.test(part))
  return sign ? describe(sign.kind, sign.tool) : null
}

const magics: readonly (readonly [name: string, offset: number, bytes: readonly number[]])[] = [
  ['a gzip file', 0, [0x1f, 0x8b]],
  ['a zip file', 0, [0x50, 0x4b, 0x03, 0x04]],
  ['an empty zip file', 0, [0x50, 0x4b, 0x05, 0x06]],
  ['an xz file', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['a zstd file', 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ['a bzip2 file', 4, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]],
  ['a 7z file', 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['a tar file', 257, [0x75, 0x73, 0x74, 0x61, 0x72]],
  ['a picture', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['a picture', 0, [0xff, 0xd8, 0xff]],
  ['a PDF', 0, [0x25, 0x50, 0x44, 0x46, 0x2d]],
]

/** Names what the first bytes of a file that is not text are: an archive, a picture. Null: unknown. */
export function findForeignBytes(head: Uint8Array): ForeignFind | null {
  const magic = magics.find(([, offset, bytes]) => bytes.every((byte, index) => head[offset + index] === byte))
  return magic ? describe('not-read-yet', magic[0]) : null
}

function describe(kind: ForeignFind['kind'], tool: string): ForeignFind {
  return { kind, tool, line: null, message: sentence(kind, tool), hint: hints[kind](tool) }
}

function sentence(kind: ForeignFind['kind'], tool: string): string {
  if (kind === 'other-tool') return `this is the output of ${tool}, which is not imported`
  if (kind === 'no-results') return `this is ${tool}: it holds no results`
  if (kind === 'not-alone') return `this is ${tool} amid other text, which is not supported`
  return `this is ${tool}, which is not supported`
}

const hints: Readonly<Record<ForeignFind['kind'], (tool: string) => string>> = {
  'other-tool': () => `Upload the output of ${printingTools('or')}.`,
  'no-results': () => 'Upload what the tool printed after the test ran.',
  'not-alone': () => 'Upload it as a file of its own.',
  'not-read-yet': (tool) => {
    if (tool.includes('vegeta')) return 'Upload the output of "vegeta report" or "vegeta report -type=json".'
    if (/file$/.test(tool)) return 'Unpack it and upload the files in it.'
    return /picture|PDF/.test(tool)
      ? 'Upload the text itself.'
      : 'Upload the printed report or the REPORT lines of the log.'
  },
}
