import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readText } from '../document-text'
import { caseCount } from '../../case-count'

/** A table of one function, with sizes as given. */
const tableOf = (heads: readonly string[], cells: readonly string[]) =>
  `| Function | Duration (ms) | Billed Duration (ms) | ${heads.join(' | ')} |\n| --- | --- | --- | --- | --- |\n| a | 12.3 | 13 | ${cells.join(' | ')} |\n`

const sizesOf = async (text: string) => {
  const { runs, problems } = await readText(text)
  expect(problems).toEqual([])
  return runs.map(({ lambda }) => [lambda?.memorySizeMb, lambda?.maxMemoryUsedMb?.max])
}

it("Lambda's sizes are binary: those in GB are those in MB, 1,024 of them each", async () => {
  const units = fc.constantFrom('GB', 'GiB', 'gb', 'Gib')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 80 }),
      fc.integer({ min: 1, max: 80 }),
      units,
      async (size, used, unit) => {
        // Eighths of a GB have few decimals.
        const [memory, most] = [size * 128, used * 128]
        const inMb = await sizesOf(tableOf(['Memory Size', 'Max Memory Used'], [`${memory} MB`, `${most} MB`]))
        expect(inMb).toEqual([[{ [`${memory}`]: 1 }, most]])
        const gb = [`${memory / 1_024}`, `${most / 1_024}`]
        const inCells = tableOf(
          ['Memory Size', 'Max Memory Used'],
          gb.map((text) => `${text} ${unit}`),
        )
        const inHead = tableOf([`Memory Size (${unit})`, `Max Memory Used [${unit}]`], gb)
        expect([await sizesOf(inCells), await sizesOf(inHead)]).toEqual([inMb, inMb])
      },
    ),
    { numRuns: caseCount(100) },
  )
})
