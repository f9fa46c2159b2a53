/**
 * HdrHistogram's percentile table as CSV, as
 * https://github.com/HdrHistogram/HdrHistogram/blob/HdrHistogram-2.2.2/src/main/java/org/HdrHistogram/AbstractHistogram.java
 * (outputPercentileDistribution with useCsvFormat) and its ports print it. No unit, no footer; the last row's fourth
 * column is `Infinity`.
 *
 *     "Value","Percentile","TotalCount","1/(1-Percentile)"
 *     2.129,0.000000000000,1,1.00
 *     93.311,1.000000000000,2000,Infinity
 */
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { maxSpectrumRows, spectrumBlock, type SpectrumRow } from './hdr-spectrum'

const heading = /^\s*"?Value"?,"?Percentile"?,"?TotalCount"?,"?1\/\(1-Percentile\)"?\s*$/
/** A spreadsheet drops trailing zeros. */
const rowLine = /^\s*(\d{1,15}(?:\.\d{1,9})?),([01](?:\.\d{1,15})?),(\d{1,15}),(\d{1,15}(?:\.\d{1,9})?|Infinity)\s*$/
const hint = 'Upload the whole file, down to the row that ends with "Infinity".'

/** Reads a percentile table in CSV, also inside a document. */
export const hdrPercentilesCsv: TextImporter = {
  kind: 'text',
  id: 'hdr-percentiles-csv',
  starts: '"V',
  detect: ({ text }) => heading.test(text),
  open: createReader,
}

function createReader(): BlockReader {
  const rows: SpectrumRow[] = []
  let firstLine = 0
  let lastLine = 0
  let isClosed = false

  return { push, end }

  function push({ text, number }: Line): 'taken' | 'last' | 'not-mine' {
    if (firstLine === 0) {
      firstLine = lastLine = number
      return 'taken'
    }
    const [, value, q, count, rarity] = rowLine.exec(text) ?? []
    if (value === undefined || q === undefined || count === undefined || rows.length >= maxSpectrumRows)
      return 'not-mine'
    rows.push({ value, q, count })
    lastLine = number
    isClosed = rarity === 'Infinity'
    return isClosed ? 'last' : 'taken'
  }

  function end(atEnd: boolean): Block | null {
    const footer = { mean: null, stdDev: null, max: null, count: null }
    const lines = [firstLine, lastLine] as const
    return spectrumBlock(
      { form: 'hdr-percentiles-csv', rows, footer, complete: isClosed, lines, missing: 'its last rows', hint },
      atEnd,
    )
  }
}
