import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { zipFile } from '../app/zip-file'
import { heyReport, lambdaReport, vegetaJsonRow } from '../hostile/texts'
import { steadyRows, vegetaCsv } from '../vegeta-csv'

/** A file to upload. */
interface SentFile {
  readonly name: string
  readonly body: Buffer
}

const document = readFileSync('tests/fixtures/documents/smithy-wrk.md', 'utf8')
/** vegeta results that differ for every number: `rows` of 65 bytes. */
const results = (number: number, rows: number): string => vegetaCsv(steadyRows(rows, 60_000, 0, 5_000_000 + number))
const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

const forms: readonly ((number: number) => SentFile)[] = [
  (number) => ({
    name: 'wrk.md',
    body: Buffer.from(`${document}\n<!-- ${number}: ${'x'.repeat((number % 7) * 20_000)} -->\n`),
  }),
  (number) => ({ name: 'hey.txt', body: Buffer.from(heyReport(number)) }),
  (number) => ({ name: 'vegeta.csv', body: Buffer.from(results(number, 500)) }),
  (number) => ({ name: 'vegeta.csv.gz', body: gzipSync(results(number, 2_000)) }),
  (number) => ({
    name: 'all.zip',
    body: zipFile([
      { name: 'vegeta.csv', content: results(number, 300) },
      { name: 'notes/wrk.md', content: `${document}\n<!-- ${number} -->\n` },
    ]),
  }),
  (number) => ({
    name: 'vegeta.ndjson',
    body: Buffer.from(times(300, (index) => vegetaJsonRow(number * 1_000 + index))),
  }),
  (number) => ({ name: 'lambda.log', body: Buffer.from(times(40, (index) => lambdaReport(number * 100 + index))) }),
]

/**
 * The `number`-th of a sequence of files with alternating form and size: text, samples, packed ones, from 300 bytes to
 * 2 MB, one of them 13 MB. All are different.
 */
export function variedUpload(number: number): SentFile {
  if (number % 100 === 57) return { name: 'long.csv', body: Buffer.from(results(number, 200_000)) }
  if (number % 20 === 13) return { name: 'longer.csv', body: Buffer.from(results(number, 30_000)) }
  const form = forms[number % forms.length]
  if (form === undefined) throw new Error('There are no forms.')
  return form(number)
}

const savedSchema = z.object({ upload: z.object({ id: z.string() }), runs: z.array(z.unknown()).min(1) })
const problemSchema = z.object({ status: z.number(), code: z.string(), detail: z.string() })

/** The server's response to one of them: how many runs it acknowledged, or why not. */
type SentUpload = { readonly status: number; readonly retryAfter: number } & (
  { readonly id: string; readonly runs: number; readonly sha256: string } | { readonly id: null; readonly said: string }
)

/** Sends the `number`-th to a project. Throws if the connection breaks. */
export async function sendVaried(url: string, project: string, number: number): Promise<SentUpload> {
  const { name, body } = variedUpload(number)
  const response = await fetch(`${url}/api/v1/projects/${project}/uploads?create=1&name=${name}`, {
    method: 'PUT',
    body: new Uint8Array(body),
    headers: { accept: 'application/json' },
  })
  const answer: unknown = await response.json()
  const { status } = response
  const retryAfter = Number(response.headers.get('retry-after'))
  if (response.ok) {
    const { upload, runs } = savedSchema.parse(answer)
    const sha256 = createHash('sha256').update(body).digest('hex')
    return { status, retryAfter, id: upload.id, runs: runs.length, sha256 }
  }
  const { code, detail } = problemSchema.parse(answer)
  return { status, retryAfter, id: null, said: `${status} ${code}: ${detail}` }
}
