/**
 * Results of vegeta as CSV, as https://github.com/tsenart/vegeta/blob/v12.12.0/lib/results.go (NewCSVEncoder) writes
 * them: 12 columns from 12.8 on, 9 from 8, 7 in 7, 6 in 6 (error as `"%s"`, not quoted properly). No heading.
 *
 *     1795227235301736569,200,4223118,0,64,,dGhl,,0,GET,http://127.0.0.1:18080/r,Q29udGVudC1MZW5ndGg6IDY0DQoNCg==
 *     1795227248120429165,0,597291,0,0,"Get ""http://127.0.0.1:18081/down"": connection refused",,,0,GET,http://…,
 *     1795227277363447998,200,4469056,0,1024,""
 */
import { ImportError } from '../../lib/errors'
import { createSampleImporter } from '../samples/sample-file'
import { decodeHead } from '../text/text-head'
import { buildResultsRun } from './results-run'
import { csvHeading, VegetaCsvRows } from './vegeta-csv-rows'

/** Time, code, latency, bytes out, bytes in; also times damaged by spreadsheets, so that they can be refused. */
const resultRow = /^\s*"?(?:\d{16,19}|\d[.,]\d{1,12}E\+1\d)"?[,;]"?\d{1,5}"?[,;]"?\d{1,19}"?[,;]"?\d+"?[,;]"?\d+"?[,;]/i

/** Whether the first row has all of vegeta's columns, in another order. */
export function isReorderedCsv(head: Uint8Array): boolean {
  const [row = ''] = decodeHead(head, 8_000).split('\n', 1)
  const cells = row.split(',')
  return (
    [9, 12].includes(cells.length) &&
    cells.some((cell) => /^1[3-9]\d{17}$/.test(cell)) &&
    cells.some((cell) => /^(?:0|[1-5]\d\d)$/.test(cell)) &&
    (cells.length === 9 || cells.some((cell) => /^https?:\/\//.test(cell)))
  )
}

const versions: Readonly<Record<number, string>> = { 6: '6', 7: '7', 9: '>=8 <12.8', 12: '>=12.8' }

/** New seconds, few and many digits, a failure, a name, a body, headers, two addresses. */
const rowsOfEachKind = `1795226400123456789,200,5000000,0,512,,,,0,GET,http://127.0.0.1:8080/items,
1795226400123456789,200,81234567,20,12345,,aGVsbG8=,,1,GET,http://127.0.0.1:8080/items,aGVsbG8=
1795226400123456789,0,12000000000,0,0,read 127.0.0.1:80: refused,,,2,GET,http://127.0.0.1:8080/items/1,
1795226400123456789,0,12000000000,0,0,read 127.0.0.1:80: refused,,,2,GET,http://127.0.0.1:8080/items/1,
1795226401123456789,0,300,0,0,read 127.0.0.1:81: refused,,name,3,POST,http://127.0.0.1:8080/items/1,
1795226401123456789,0,300,0,0,closed,,name,3,POST,http://127.0.0.1:8080/items/1,
1795226402123456789,1000,5000000000,0,512,1000,,name,10,GET,http://127.0.0.1:8080/items,
`

/** Reads vegeta's results as CSV. */
export const vegetaCsv = createSampleImporter({
  id: 'vegeta-csv',
  detect(head) {
    const text = decodeHead(head, 1_000)
    return csvHeading.test(text) || resultRow.test(text)
  },
  rowsOfEachKind,
  open: (samples) => new VegetaCsvRows(samples),
  hint: 'Upload what "vegeta encode -to csv" wrote, unchanged.',
  truncation: 'the file ends within a row: more results are missing',
  nothing: ({ isTorn }) =>
    new ImportError(isTorn ? 'truncated' : 'empty', 'it contains no complete row', {
      line: 1,
      hint: 'Upload what "vegeta encode -to csv" wrote.',
    }),
  build: ({ samples, reader: { columns, headers }, complete }) =>
    buildResultsRun(samples, headers, complete, {
      form: 'vegeta-csv',
      toolVersion: versions[columns] ?? null,
      decodeText: decodeField,
      decodeError: columns === 6 ? decodeUtf8 : decodeField,
      decodeTarget,
    }),
})

const utf8 = new TextDecoder()

function decodeUtf8(bytes: Uint8Array): string {
  return utf8.decode(bytes)
}

/** Text of a field with doubled quotes. */
function decodeField(bytes: Uint8Array): string {
  return utf8.decode(bytes).replaceAll('""', '"')
}

function decodeTarget(key: Uint8Array): { method: string | null; url: string | null } {
  const text = decodeField(key)
  const comma = text.indexOf(',')
  return { method: text.slice(0, comma) || null, url: text.slice(comma + 1) || null }
}
