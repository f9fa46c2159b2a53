import type {
  ImportProblem,
  Latency,
  LatencyBucket,
  LatencyHistogram,
  Milliseconds,
  Quantile,
  Warning,
} from '../../lib/run/run'
import { ImportError } from '../../lib/errors'
import { blankRun } from '../blank-run'
import { guessUnit, parseInUnit, warnOfUnit, type HdrUnit } from './hdr-unit'
import type { Block, BlockRun } from '../importer'
import { parseCount, parseDecimal } from '../text/number'
import { latencyOf } from '../latency-of'
import { errorAt } from '../import-problem'

/** One row of a percentile spectrum, as printed. */
export interface SpectrumRow {
  readonly value: string
  readonly q: string
  readonly count: string
}

/** The lines below a spectrum, as printed; null: absent. */
export interface SpectrumFooter {
  /** As named in the file. */
  readonly unit?: HdrUnit | null
  readonly mean: string | null
  readonly stdDev: string | null
  readonly max: string | null
  readonly count: string | null
}

/**
 * Counts between the rows of a spectrum: TotalCount is a count of values, so the differences are exact. Values are
 * upper bounds; the first bucket begins at 0. Null: the counts do not rise, or do not end at `total`, or one of either
 * is not a number.
 */
export function bucketsOfSpectrum(
  rows: readonly { readonly ms: Milliseconds; readonly count: number }[],
  total: number | null,
): LatencyHistogram | null {
  const buckets: LatencyBucket[] = []
  let lowerMs = 0
  let before = 0
  for (const { ms, count } of rows) {
    if (!(count >= before && ms >= lowerMs)) return null
    if (count === before) continue
    // Values below the printed places: a bucket cannot have a negative width.
    if (ms === lowerMs) return null
    buckets.push({ lowerMs, upperMs: ms, count: count - before })
    lowerMs = ms
    before = count
  }
  return total === null || before !== total || before === 0 ? null : { kind: 'buckets', inclusive: 'upper', buckets }
}

/** Five digits and a hundred ticks per halving of the distance give fewer rows. */
export const maxSpectrumRows = 20_000

/** A percentile table as read, whichever form printed it. */
interface SpectrumTable {
  readonly form: 'hdr-percentiles' | 'hdr-percentiles-csv'
  readonly rows: readonly SpectrumRow[]
  readonly footer: SpectrumFooter
  /** Whether everything that the form prints was read. */
  readonly complete: boolean
  readonly lines: readonly [first: number, last: number]
  /** What is missing if it is incomplete: `its last rows`. */
  readonly missing: string
  readonly hint: string
}

/**
 * The block of a percentile table, with a `truncated` problem if it is incomplete; null: there was no row, and the
 * input did not end there (`atEnd`). Throws ImportError `truncated` if it did.
 */
export function spectrumBlock({ missing, hint, ...table }: SpectrumTable, atEnd: boolean): Block | null {
  const [line, lastLine] = table.lines
  if (table.rows.length === 0) {
    if (!atEnd) return null
    throw new ImportError('truncated', 'the percentile table ends before its first row', { line, hint })
  }
  const { run, problems } = createSpectrumRun(table)
  const message = `the percentile table is truncated: ${missing} are missing`
  const truncated = errorAt('truncated', [line, lastLine], message, hint)
  return { lines: table.lines, runs: [run], problems: table.complete ? problems : [...problems, truncated] }
}

function createSpectrumRun({ form, rows, footer, complete, lines: [line] }: Omit<SpectrumTable, 'missing' | 'hint'>): {
  readonly run: BlockRun
  readonly problems: readonly ImportProblem[]
} {
  const chosen = chooseUnit(rows, line)
  const unit = footer.unit ?? chosen.unit
  const read = rows.flatMap(({ value, q, count }) => {
    const ms = parseInUnit(value, unit)
    const counted = parseCount(count)
    return ms === null || counted === null ? [] : [{ q: Number(q), ms, count: counted, value }]
  })
  const last = read.at(-1)
  const total = complete && last?.q === 1 ? last.count : null
  const problems = complete ? listFaults(read, footer, line) : []
  const inUnit = (text: string | null) => (text === null ? null : parseInUnit(text, unit))
  const printed: Record<string, string> = {}
  for (const [key, text] of Object.entries({ meanMs: footer.mean, stdDevMs: footer.stdDev, maxMs: footer.max }))
    if (text !== null) printed[`latencies.0.${key}`] = text
  const latency: Latency = latencyOf({
    count: total,
    meanMs: inUnit(footer.mean),
    stdDevMs: inUnit(footer.stdDev),
    // Without a footer the last row is the largest value.
    maxMs: inUnit(footer.max) ?? (total === null ? null : (last?.ms ?? null)),
    quantiles: uniqueQuantiles(read),
    histogram: problems.length === 0 ? bucketsOfSpectrum(read, total) : null,
    method: 'hdr',
  })
  return {
    run: {
      ...blankRun('hdr', form),
      latencies: [latency],
      complete: complete && problems.length === 0,
      printed,
      warnings: footer.unit ? [] : [chosen.warning],
    },
    problems,
  }
}

/** HdrHistogram's tools scale to milliseconds; if all numbers are whole, they are values as recorded. */
function chooseUnit(rows: readonly SpectrumRow[], line: number): { unit: HdrUnit; warning: Warning } {
  const isScaled = rows.some(({ value }) => /\.\d*[1-9]/.test(value))
  const median = rows.find(({ q }) => Number(q) >= 0.5) ?? rows.at(-1)
  const unit = isScaled ? 'ms' : guessUnit(parseDecimal(median?.value ?? '') ?? 0)
  const why = isScaled ? "as HdrHistogram's tools print them" : 'by their size: they are whole numbers, as recorded'
  return { unit, warning: warnOfUnit(unit, why, line) }
}

/** Values are printed with three decimals. */
const printedPlace = 0.001

interface ReadRow extends Quantile {
  readonly count: number
  /** As printed. */
  readonly value: string
}

function listFaults(rows: readonly ReadRow[], footer: SpectrumFooter, line: number): ImportProblem[] {
  const fallen = rows.findIndex((row, index) => {
    const before = rows[index - 1]
    return before !== undefined && (row.q < before.q || row.ms < before.ms || row.count < before.count)
  })
  const counted = footer.count === null ? null : parseCount(footer.count)
  const isTotal = counted === null || counted === rows.at(-1)?.count
  // The last row is the top of the slot that contains the max.
  const max = footer.max === null ? null : parseDecimal(footer.max)
  const largest = parseDecimal(rows.at(-1)?.value ?? '')
  const isMax = max === null || largest === null || max <= largest + printedPlace
  if (fallen === -1 && isTotal && isMax) return []
  return [
    errorAt(
      'inconsistent',
      line,
      fallen !== -1
        ? `row ${fallen + 1} of the percentile table is below the one before it`
        : isTotal
          ? `the max of the percentile table is ${max}, but its last row is ${largest}`
          : `the total count of the percentile table is ${counted}, but its last row counts ${rows.at(-1)?.count}`,
      'Upload the file as it was written.',
    ),
  ]
}

/** Printed places can make two neighbours equal: the later one covers all values up to both. */
function uniqueQuantiles(rows: readonly ReadRow[]): Quantile[] {
  return rows.filter(({ q }, index) => q !== rows[index + 1]?.q).map(({ q, ms }) => ({ q, ms }))
}
