/**
 * HdrHistogram's percentile file (.hgrm), as
 * https://github.com/HdrHistogram/HdrHistogram/blob/HdrHistogram-2.2.2/src/main/java/org/HdrHistogram/AbstractHistogram.java
 * (outputPercentileDistribution) and its ports print it; wrk2's spectrum copied out of its report is one too. It names
 * no unit, except in the files we write (`lib/export/hgrm.ts`): a line `#[Unit    = milliseconds]` below the rows.
 * TotalCount counts values; the last row may lack its fourth column.
 *
 *            Value     Percentile TotalCount 1/(1-Percentile)
 *
 *             3.16 0.000000000000          6           1.00
 *           251.66 1.000000000000        900
 *     #[Mean    =        15.94, StdDeviation   =        52.66]
 *     #[Max     =       251.24, Total count    =          900]
 *     #[Buckets =           29, SubBuckets     =          256]
 */
import { ImportError } from '../../lib/errors'
import type { HdrUnit } from './hdr-unit'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { maxSpectrumRows, spectrumBlock, type SpectrumRow } from './hdr-spectrum'

const heading = /^\s*V?alue\s+Percentile\s+TotalCount\s+1\/\(1-Percentile\)\s*$/
const rowLine =
  /^\s*(\d{1,15}(?:\.\d{1,9})?)\s+([01]\.\d{1,15})\s+(\d{1,15})(?:\s+(?:\d{1,15}\.\d{1,9}|inf|Infinity|∞))?\s*$/
const commaRow = /^\s*\d{1,15}(?:,\d{1,9})?\s+[01],\d{1,15}\s+\d/
const meanLine = /^\s*#\[Mean\s*=\s*([\d.]{1,20}|-?nan|NaN)\s*,\s*StdDeviation\s*=\s*([\d.]{1,20}|-?nan|NaN)\s*\]\s*$/i
const maxLine = /^\s*#\[Max\s*=\s*([\d.]{1,20})\s*,\s*Total count\s*=\s*(\d{1,15})\s*\]\s*$/i
const unitLine = /^\s*#\[Unit\s*=\s*milliseconds\s*\]\s*$/
const bucketsLine = /^\s*#\[Buckets\s*=\s*\d{1,10}\s*,\s*SubBuckets\s*=\s*\d{1,10}\s*\]\s*$/i
const hint = 'Upload the whole file, down to the lines "#[Mean …]" and "#[Max …]".'

/** Reads a percentile file, also inside a document. */
export const hdrPercentiles: TextImporter = {
  kind: 'text',
  id: 'hdr-percentiles',
  starts: 'Va',
  detect: ({ text }) => heading.test(text),
  open: createReader,
}

function createReader(): BlockReader {
  const rows: SpectrumRow[] = []
  let firstLine = 0
  let lastLine = 0
  let unit: HdrUnit | null = null
  let mean: readonly [mean: string, stdDev: string] | null = null
  let max: readonly [max: string, count: string] | null = null
  /** Java writes numbers in the locale of its machine. */
  let hasCommas = false
  let refused: Line | null = null

  return { push, end }

  function push(line: Line): 'taken' | 'last' | 'not-mine' {
    const { number } = line
    if (rows.length === 0 && commaRow.test(line.text)) hasCommas = true
    const text = hasCommas ? line.text.replace(/(\d),(?=\d)/g, '$1.') : line.text
    if (firstLine === 0) {
      firstLine = lastLine = number
      return 'taken'
    }
    // The heading and the rows are separated by an empty line; editors add some elsewhere.
    if (text.trim() === '') return max === null && number - lastLine <= 2 ? 'taken' : 'not-mine'
    if (bucketsLine.test(text)) {
      if (max === null) return 'not-mine'
      lastLine = number
      return 'last'
    }
    if (!readRow(text) && !readFooter(text)) {
      if (rows.length === 0 && /^\s*\S{0,20}\d/.test(text)) refused = line
      return 'not-mine'
    }
    lastLine = number
    return 'taken'
  }

  function readRow(text: string): boolean {
    const [, value, q, count] = rowLine.exec(text) ?? []
    if (value === undefined || q === undefined || count === undefined) return false
    if (unit !== null || mean !== null || rows.length >= maxSpectrumRows || Number(q) > 1) return false
    rows.push({ value, q, count })
    return true
  }

  function readFooter(text: string): boolean {
    if (unit === null && mean === null && rows.length > 0 && unitLine.test(text)) {
      unit = 'ms'
      return true
    }
    const [, average, deviation] = meanLine.exec(text) ?? []
    if (average !== undefined && deviation !== undefined && mean === null && rows.length > 0) {
      mean = [average, deviation]
      return true
    }
    const [, largest, count] = maxLine.exec(text) ?? []
    if (largest === undefined || count === undefined || mean === null || max !== null) return false
    max = [largest, count]
    return true
  }

  function end(cut: boolean): Block | null {
    if (refused !== null)
      throw new ImportError('malformed', "this is HdrHistogram's percentile table, but its first row cannot be read", {
        line: refused.number,
        hint: 'Upload the file as it was written: four columns of numbers.',
      })
    // Some writers print no footer. A torn last count is below the previous one.
    const isWhole = mean === null && rows.length > 1 && Number(rows.at(-1)?.count) >= Number(rows.at(-2)?.count)
    const complete = (max !== null || isWhole) && Number(rows.at(-1)?.q) === 1
    // A row torn by the end of the input may look complete: three columns, or fewer digits.
    if (cut && unit === null && mean === null && rows.length > 1 && !complete) rows.pop()
    const footer = {
      unit,
      mean: mean?.[0] ?? null,
      stdDev: mean?.[1] ?? null,
      max: max?.[0] ?? null,
      count: max?.[1] ?? null,
    }
    const missing = 'its last rows, or the lines below it,'
    return spectrumBlock(
      { form: 'hdr-percentiles', rows, footer, complete, lines: [firstLine, lastLine], missing, hint },
      cut,
    )
  }
}
