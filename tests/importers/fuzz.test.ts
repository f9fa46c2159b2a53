import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { importFile } from '../../importers/index'
import { ImportError } from '../../lib/errors'
import { fuzz } from '../fuzz/fuzz'
import { triedTruncations } from './truncations'
import { caseCount } from '../case-count'

/** A short run of `npm run fuzz` with fixed inputs; the command tries others. */
it('damaged files never crash, hang, or silently give contradictory figures', async () => {
  const seed = Number(process.env['TAILBOARD_FUZZ_SEED'] ?? 1)
  expect(await fuzz({ runs: caseCount(1_000), seed })).toEqual([])
}, 120_000)

/**
 * For each form, files that are truncated at many positions; `tellsEnd`: whether the form shows that it was truncated
 * there.
 */
const whole = [
  'hey-text/http2.txt',
  'hey-text/four-errors.txt',
  'hey-text/rate-limited.txt',
  'hey-text/crlf.txt',
  'wrk-text/latency.txt',
  'wrk-text/microseconds.txt',
  'wrk-text/non-2xx.txt',
  'wrk-text/write-errors.txt',
  'vegeta-text/attack-01-12.13.0.txt',
  'vegeta-text/attack-15-8.0.0.txt',
  'vegeta-text/attack-16-6.3.0.txt',
  'vegeta-json/attack-01-12.13.0.json',
  'vegeta-json/buckets.json',
  'vegeta-json/attack-13-6.3.0.json',
  'vegeta-hist/brackets.txt',
  'vegeta-hist/v6.txt',
  'vegeta-hdrplot/five-hundred.txt',
  'hdr-percentiles/microseconds.hgrm',
  'hdr-percentiles/nanoseconds.hgrm',
  'hdr-percentiles/wrk2-spectrum.hgrm',
  'hdr-percentiles-csv/microseconds.csv',
  'lambda-table/small-message.md',
]
/** What follows in a complete report of the form; without it a reader cannot know that more was to come. */
const lastWords: Readonly<Record<string, RegExp>> = {
  'hey-text': /Status code distribution:|Error distribution:/,
  'wrk-text': /Transfer\/sec: /,
  // The codes add up to the requests; only the (empty or repeated) error set may be missing.
  'vegeta-text': /Status Codes .*\d:\d/,
  'vegeta-json': /\}\s*$/,
  'vegeta-hist': /\+Inf\]\s+\d+\s+\d+\.\d+%/,
  'vegeta-hdrplot': /^\d+\.\d+ +1\.000000 +\d+ +\d+\.\d+/m,
  // Some writers print nothing below the last row.
  'hdr-percentiles': /^ *[\d.]+ +1\.0+ +\d+/m,
  'hdr-percentiles-csv': /,1\.000000000000,\d+,Infinity/,
  // One row is one run: the rows after it are separate runs.
  'lambda-table': /^\|.*\d.*\|/m,
}

describe('every prefix of a printed report', () => {
  it.each(whole)(
    '%s is complete only if the form cannot show the truncation',
    async (name) => {
      const bytes = readFileSync(path.join(import.meta.dirname, '../fixtures', name))
      const form = path.dirname(name)
      // 500 positions, or every byte of a shorter file.
      const points = Math.min(500, bytes.length - 1)
      const places = Array.from({ length: points }, (_, at) => Math.floor(((at + 1) * bytes.length) / (points + 1)))
      for (const length of triedTruncations(places, name)) {
        const prefix = bytes.subarray(0, length)
        const file = await read(prefix)
        const isComplete = file?.runs.some((run) => run.complete) ?? false
        if (isComplete)
          expect(lastWords[form]?.test(prefix.toString('utf8')), `${name} truncated at ${length}`).toBe(true)
      }
    },
    60_000,
  )
})

async function read(bytes: Buffer) {
  try {
    return await importFile(
      (async function* () {
        yield bytes
      })(),
    )
  } catch (error) {
    if (error instanceof ImportError) return null
    throw error
  }
}
