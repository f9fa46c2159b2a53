import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CsvRows } from '../../../importers/samples/csv-rows'
import type { CsvFields } from '../../../importers/text/csv-fields'
import { caseCount } from '../../case-count'

const decoder = new TextDecoder()
const columns = 2

class TwoColumns extends CsvRows {
  readonly rows: string[][] = []

  protected heading(names: readonly string[]) {
    return names.length === columns
  }

  protected row(of: Uint8Array, _: DataView, { count, from, to }: CsvFields) {
    if (count !== columns) return false
    this.rows.push(Array.from({ length: columns }, (__, at) => decoder.decode(of.subarray(from[at], to[at]))))
    return true
  }

  protected override isWhole() {
    return true
  }
}

/** The rows of a text that is split at these places, the lines of the faults, and whether it ends within a row. */
function read(text: string, places: readonly number[]) {
  const bytes = new TextEncoder().encode(text)
  const csv = new TwoColumns('row of a form')
  let from = 0
  for (const place of [...places.map((one) => one % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    csv.push(bytes.slice(from, place))
    from = place
  }
  const isTorn = csv.finish()
  return { rows: csv.rows, faults: csv.faults.count, firstLines: csv.faults.firstLines, line: csv.line, isTorn }
}

const text = fc
  .array(fc.constantFrom('a', '1', ',', ',', '"', '""', '\n', '\n', '\r\n'), { maxLength: 60 })
  .map((parts) => `a,b\n${parts.join('')}`)

it('rows of CSV, and which of them are unreadable, are the same wherever the bytes are split', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(100), { maxLength: 6 }), (whole, places) => {
      expect(read(whole, places)).toEqual(read(whole, []))
    }),
    { numRuns: caseCount(2_000) },
  )
})

const torn = { rows: [], faults: 1, firstLines: [2], line: 3, isTorn: true }
const quoted = { rows: [['1', '2\n3']], faults: 0, firstLines: [], line: 4, isTorn: false }

it.each([
  ['a quote that is never closed takes only its own row with it', '1,"2\n3,"4', torn],
  ['a row ends after a quoted field that spans two lines', '1,"2\n3"\r\n', quoted],
])('%s, wherever the bytes are split', (_, lines, expected) => {
  const whole = `a,b\n${lines}`
  for (let place = 0; place <= whole.length; place++) expect(read(whole, [place]), `cut at ${place}`).toEqual(expected)
})
