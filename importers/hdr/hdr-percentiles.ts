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
  open: () => new PercentileReader(),
}

class PercentileReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private readonly rows: SpectrumRow[] = []
  /** The lines below the rows, each null until it is read. */
  private unit: HdrUnit | null = null
  private mean: readonly [mean: string, stdDev: string] | null = null
  private max: readonly [max: string, count: string] | null = null
  /** Java writes numbers in the locale of its machine. */
  private hasCommas = false
  /** What is read instead of the first row. */
  private refused: Line | null = null

  push(line: Line): 'taken' | 'last' | 'not-mine' {
    const { number } = line
    const isBeforeRows = this.rows.length === 0
    if (isBeforeRows && commaRow.test(line.text)) this.hasCommas = true
    const text = this.hasCommas ? line.text.replace(/(\d),(?=\d)/g, '$1.') : line.text
    if (this.firstLine === 0) {
      this.firstLine = this.lastLine = number
      return 'taken'
    }
    // The heading and the rows are separated by an empty line; editors add some elsewhere.
    if (text.trim() === '') return this.max === null && number - this.lastLine <= 2 ? 'taken' : 'not-mine'
    const isLast = bucketsLine.test(text)
    if (isLast ? this.max === null : !this.readRow(text) && !this.readFooter(text)) {
      if (!isLast && isBeforeRows && /^\s*\S{0,20}\d/.test(text)) this.refused = line
      return 'not-mine'
    }
    this.lastLine = number
    return isLast ? 'last' : 'taken'
  }

  private readRow(text: string): boolean {
    const { rows } = this
    const [, value, q, count] = rowLine.exec(text) ?? []
    if (value === undefined || q === undefined || count === undefined) return false
    if (this.unit !== null || this.mean !== null || rows.length >= maxSpectrumRows || Number(q) > 1) return false
    rows.push({ value, q, count })
    return true
  }

  private readFooter(text: string): boolean {
    const isBelowRows = this.mean === null && this.rows.length > 0
    if (isBelowRows && this.unit === null && unitLine.test(text)) {
      this.unit = 'ms'
      return true
    }
    const [, average, deviation] = meanLine.exec(text) ?? []
    if (isBelowRows && average !== undefined && deviation !== undefined) {
      this.mean = [average, deviation]
      return true
    }
    const [, largest, count] = maxLine.exec(text) ?? []
    if (largest === undefined || count === undefined || this.mean === null || this.max !== null) return false
    this.max = [largest, count]
    return true
  }

  end(atEnd: boolean): Block | null {
    const { rows, unit, refused } = this
    if (refused !== null)
      throw new ImportError('malformed', "this is HdrHistogram's percentile table, but its first row cannot be read", {
        line: refused.number,
        hint: 'Upload the file as it was written: four columns of numbers.',
      })
    const [mean = null, stdDev = null] = this.mean ?? []
    const [max = null, count = null] = this.max ?? []
    // Some writers print no footer. A torn last count is below the previous one.
    const isWhole = mean === null && rows.length > 1 && Number(rows.at(-1)?.count) >= Number(rows.at(-2)?.count)
    const complete = (max !== null || isWhole) && Number(rows.at(-1)?.q) === 1
    // A row torn by the end of the input may look complete: three columns, or fewer digits.
    if (atEnd && unit === null && mean === null && rows.length > 1 && !complete) rows.pop()
    const footer = { unit, mean, stdDev, max, count }
    const lines = [this.firstLine, this.lastLine] as const
    const missing = 'its last rows, or the lines below it,'
    return spectrumBlock({ form: 'hdr-percentiles', rows, footer, complete, lines, missing, hint }, atEnd)
  }
}
