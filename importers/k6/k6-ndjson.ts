/**
 * k6's NDJSON (`--out json`), as https://github.com/grafana/k6/blob/v1.8.1/output/json/wrapper.go writes it: a line for
 * each value of each metric, with the time at which its request ended. One request has a dozen of them.
 *
 *     {"type":"Metric","data":{"name":"http_reqs","type":"counter","contains":"default",…},"metric":"http_reqs"}
 *     {"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-22T01:27:19.072842121Z","value":11.073048,
 *     "tags":{"expected_response":"true","group":"","method":"GET","name":"mixed",…,"status":"200","url":"mixed"}}}
 */
import { truncatedProblem } from '../import-problem'
import { decodeHead } from '../text/text-head'
import { K6Lines } from './k6-lines'
import { K6Rows } from './k6-rows'
import { createK6Importer } from './k6-run'

/** Longest end of a k6 line: tags make it long, but not longer. */
const maxTornCharacters = 8_000
const headCharacters = maxTornCharacters + 1_000

/** Whether a file begins in the middle of a line: its beginning is missing. */
function beginsTorn(head: string): boolean {
  const lineEnd = head.indexOf('\n')
  const first = head.slice(0, Math.max(0, lineEnd)).trimEnd()
  if (!first.endsWith('}') || !firstLine.test(head.slice(lineEnd + 1, lineEnd + 1_001))) return false
  try {
    JSON.parse(first)
    return false
  } catch {
    return true
  }
}

const firstLine =
  /^\s*\{"(?:metric":"[^"]{1,200}","type":"Point","data":\{"time":"|type":"Metric","data":\{"name":"|type":"Point","data":\{"time":"[^"]{1,40}","value":)/

/** A failure, a phase, a counter, another second. */
const rowsOfEachKind = ['2026-11-22T01:27:19.072842121Z', '2026-11-22T01:27:20.07Z']
  .flatMap((time, at) => [
    `{"metric":"http_reqs","type":"Point","data":{"time":"${time}","value":1,"tags":{"group":""}}}`,
    `{"metric":"http_req_duration","type":"Point","data":{"time":"${time}","value":${[11.073048, 1500][at]},"tags":{"error_code":"1404","expected_response":"${at === 0}","method":"GET","name":"mixed","status":"${[200, 404][at]}"}}}`,
    `{"metric":"http_req_waiting","type":"Point","data":{"time":"${time}","value":0.25,"tags":{"group":""}}}\n`,
  ])
  .join('\n')

/** Reads k6's NDJSON. */
export const k6Ndjson = createK6Importer({
  id: 'k6-ndjson',
  detect: (head) => {
    const text = decodeHead(head, headCharacters)
    return firstLine.test(text) || beginsTorn(text)
  },
  rowsOfEachKind,
  open(samples, head) {
    const text = decodeHead(head, headCharacters)
    return new K6Lines(new K6Rows(samples), !firstLine.test(text) && beginsTorn(text))
  },
  lostBeginning: ({ lacksBeginning }) =>
    lacksBeginning
      ? truncatedProblem(
          1,
          'the beginning of the file is missing, and requests with it',
          'Upload the whole file to get all.',
        )
      : null,
  command: 'k6 run --out json',
  decode: decodeJsonText,
})

const utf8 = new TextDecoder()

/** A string as written in JSON, without its quotes. */
function decodeJsonText(bytes: Uint8Array): string {
  const text = utf8.decode(bytes)
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
