/**
 * CSV that was opened and saved in a spreadsheet with a decimal comma: `;` between columns, commas in numbers, trailing
 * zeros left out, and long numbers rounded to six digits.
 *
 *     request-start;DNS;DNS+dialup;Response-delay;request-duration;bytes;status
 *     0,006260681;0,000039077;0,00021417;0,023569627;0,023627381;64;200
 */
import { ImportError } from '../../lib/errors'
import type { Bytes } from '../importer'
import { openText } from '../text/bytes'
import { CsvRecords } from '../text/csv-records'
import { decodeHead } from '../text/text-head'
import { warningAt } from '../import-problem'

const encoder = new TextEncoder()
const decimal = /^-?\d{1,15},\d{1,20}$/
const rounded = /^-?\d(?:[.,]\d{1,14})?E\+\d{1,3}$/

/** Null: no such file. Else its beginning with commas between columns and points in numbers. */
export function mendedHead(head: Uint8Array): Uint8Array | null {
  const text = decodeHead(head, 16_384)
  const first = text.split(/\r?\n/, 9).find((line) => line.trim() !== '') ?? ''
  if (!first.includes(';') || first.includes(',') || first.length > 4_000) return null
  const mender = new Mender(false)
  return encoder.encode(mender.take(text))
}

/** Reported with the run: figures may have lost trailing zeros to the spreadsheet, but never their value. */
export const spreadsheetProblem = warningAt(
  'corrected',
  1,
  'a spreadsheet saved this file: it was read with “;” between columns and commas in numbers; it does not show whether numbers were rounded',
  'Upload the file as the tool wrote it.',
)

/**
 * The file with commas between columns and points in numbers.
 * @throws ImportError `malformed` at the first number that was rounded to a power of ten.
 */
export async function* mendSpreadsheet(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  const mender = new Mender(true)
  for await (const chunk of (await openText(bytes)).bytes)
    yield encoder.encode(mender.take(decoder.decode(chunk, { stream: true })))
  yield encoder.encode(mender.take(decoder.decode()) + mender.finish())
}

class Mender {
  private out: string[] = []
  private readonly records = new CsvRecords((fields, line) => this.out.push(`${this.join(fields, line)}\n`))

  /** `isStrict`: it throws at a rounded number. */
  constructor(private readonly isStrict: boolean) {}

  private join(fields: readonly string[], line: number): string {
    const lost = this.isStrict ? fields.find((field) => rounded.test(field)) : undefined
    if (lost === undefined) return fields.map(mend).join(',')
    throw new ImportError('malformed', `a spreadsheet has rounded its long numbers: ${lost} has lost its last digits`, {
      line,
      hint: 'Upload the file as the tool wrote it: what a spreadsheet rounded cannot be read again.',
    })
  }

  take(text: string): string {
    this.records.push(text)
    const mended = this.out.join('')
    this.out = []
    return mended
  }

  /** The last record where it lacks its line feed. */
  finish(): string {
    const rest = this.records.finish()
    const { line } = this.records
    return this.take('') + (rest === null ? '' : this.join(rest.fields, line))
  }
}

function mend(field: string): string {
  if (decimal.test(field)) return field.replace(',', '.')
  return /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
