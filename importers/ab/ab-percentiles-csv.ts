/**
 * ApacheBench's percentiles (`-e`), as https://github.com/apache/httpd/blob/2.4.62/support/ab.c (output_results) writes
 * them: 101 rows, milliseconds with three decimals. It states neither how many requests they cover nor anything else.
 *
 *     Percentage served,Time in ms
 *     0,0.199
 *     100,14.550
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Quantile } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter, RawText } from '../importer'
import { toRatio } from '../printed'
import { readLines } from '../text/lines'
import { parseDecimal } from '../text/number'
import { decodeHead } from '../text/text-head'
import { latencyOf } from '../latency-of'
import { truncatedProblem } from '../import-problem'

const heading = /^\s*Percentage served,Time in ms\s*$/
const row = /^\s*(\d{1,3}),(\d{1,12}(?:\.\d{1,9})?)\s*$/
const hint = 'Upload what "ab -e" wrote, unchanged.'

/** Reads the percentiles of `-e`. */
export const abPercentilesCsv: RawImporter = {
  kind: 'raw',
  id: 'ab-percentiles-csv',
  detect: (head) => /^\s{0,8}Percentage served,Time in ms\s/.test(decodeHead(head, 64)),
  read: readPercentiles,
}

async function* readPercentiles(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem | RawText> {
  const values: number[] = []
  const lines = readLines(bytes)
  let count = 0
  for await (const { text, number } of lines) {
    count = number
    if (heading.test(text) || text.trim() === '') continue
    const [, percent, ms] = row.exec(text) ?? []
    const value = parseDecimal(ms ?? '')
    const before = values.at(-1) ?? 0
    if (value === null || Number(percent) !== values.length)
      throw new ImportError('malformed', "this is not a row of ab's percentiles", { line: number, hint })
    // With one request ab reads past the end of its array and prints whatever is there.
    if (value < before)
      throw new ImportError('inconsistent', `ab's percentiles do not rise: ${ms} ms after ${before} ms`, {
        line: number,
        hint: 'With very few requests ab prints uninitialised memory: upload its report (without -e).',
      })
    values.push(value)
  }
  if (values.length === 0)
    throw new ImportError('truncated', "ab's percentiles end with their heading", { line: 1, hint })
  const complete = values.length === 101
  yield { encoding: lines.encoding === 'windows-1252' ? 'utf-8' : lines.encoding, lineCount: count }
  yield { ...buildRun(values, complete), lines: [1, count] }
  if (!complete) yield truncatedProblem(count, `ab's percentiles end after ${values.length - 1} %`, hint)
}

function buildRun(values: readonly number[], complete: boolean): BlockRun {
  const quantiles: Quantile[] = values.slice(1, 100).map((ms, at) => ({ q: toRatio(at + 1), ms }))
  return {
    ...blankRun('ab', 'ab-percentiles-csv'),
    latencies: [
      latencyOf({
        minMs: values[0] ?? null,
        maxMs: values[100] ?? null,
        quantiles,
        method: 'floor-rank',
      }),
    ],
    complete,
    warnings: [
      {
        code: 'percentiles-only',
        message: "ab's -e holds percentiles and nothing else: the requests, their rate and failures are in its report.",
        line: null,
      },
    ],
  }
}
