import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fixtureText, readText } from '../document-text'
import { caseCount } from '../../case-count'

const text = fixtureText('hey-text/ten-thousand.txt')

/** What hey prints for a fastest and a slowest response (in seconds), with its eleven marks between them. */
function printReport(fastest: number, slowest: number): string {
  let at = 0
  return text
    .replace(/(Slowest:\s+)[\d.]+/, `$1${slowest.toFixed(4)}`)
    .replace(/(Fastest:\s+)[\d.]+/, `$1${fastest.toFixed(4)}`)
    .replace(/^( +)\d+\.\d{3}( \[\d+\])/gm, (_, indent: string, count: string) => {
      const mark = fastest + (at++ * (slowest - fastest)) / 10
      return `${indent}${mark.toFixed(3)}${count}`
    })
}

it("no rebuilt bound of hey's histogram is further off than its mark was rounded", async () => {
  const seconds = (longest: number) => fc.integer({ min: 100, max: longest * 1e6 }).map((us) => us / 1e6)
  await fc.assert(
    fc.asyncProperty(seconds(2), seconds(0.2), async (fastest, spread) => {
      const printed = printReport(fastest, fastest + spread)
      const marks = [...printed.matchAll(/^ +(\d+\.\d{3}) \[\d+\]/gm)].map(([, mark]) => Number(mark) * 1_000)
      const { runs } = await readText(printed)
      const histogram = runs[0]?.latencies[0]?.histogram
      expect(histogram?.kind).toBe('buckets')
      if (histogram?.kind !== 'buckets') return
      expect(marks).toHaveLength(11)
      expect(runs[0]?.warnings).toEqual([])
      for (const [at, { upperMs }] of histogram.buckets.entries()) {
        const offMs = (upperMs ?? Infinity) - (marks[at] ?? NaN)
        expect(Math.abs(offMs), `mark ${at} of ${fastest} and ${spread}`).toBeLessThanOrEqual(0.5 + 1e-9)
        // Nor is a response above the bound of its bucket.
        expect(upperMs ?? 0).toBeGreaterThanOrEqual(
          (fastest + (at * spread) / 10) * 1_000 - (at === 0 ? 0.05 : 0) - 1e-9,
        )
      }
    }),
    { numRuns: caseCount(1_000) },
  )
})
