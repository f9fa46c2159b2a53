import { expect, it } from 'vitest'
import { answersOf } from '@/lib/capacity/answer'
import { runOfRow } from '@/lib/capacity/known-run'
import type { RunRow } from '@/lib/history/stored-runs'
import { storedDocument } from '../../stored-runs'

const p99 = { metric: 'p99', relation: '<=', value: 1_000 } as const

/** The run of a document at these rates, under these names. */
async function rowsAt(names: readonly (readonly [scenario: string, variant: string | null, rate: number])[]) {
  const [run] = (await storedDocument('zlib-gzip')).runs
  if (run === undefined) throw new Error('a run expected')
  return names.map(([scenario, variant, rate], at): RunRow => {
    return { ...run, id: `r${at}`, scenario, variant, labels: {}, load: { kind: 'open', ratePerSecond: rate } }
  })
}
const groupsOf = (rows: readonly RunRow[]) =>
  answersOf(rows.map(runOfRow), [p99], null).map(({ runs }) => runs.map(({ id }) => id))

it('never makes one sweep of two scenarios or variants', async () => {
  const rows = await rowsAt([
    ['a', null, 100],
    ['a', null, 200],
    ['b', null, 100],
    ['b', null, 200],
    ['b', 'x', 300],
  ])
  expect(groupsOf(rows)).toEqual([['r0', 'r1'], ['r2', 'r3'], ['r4']])
})

it('takes names that differ only in the load for one', async () => {
  const rows = await rowsAt([
    ['search 100 rps', 'node 22', 100],
    ['search 200 rps', 'node 22', 200],
    ['search 200 rps', 'node 24', 200],
  ])
  expect(groupsOf(rows)).toEqual([['r0', 'r1'], ['r2']])
})
