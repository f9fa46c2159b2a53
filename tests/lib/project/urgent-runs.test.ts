import { expect, it } from 'vitest'
import { urgentRuns } from '@/lib/project/urgent-runs'
import type { JudgedState } from '@/lib/run/judged-states'
import type { RunRow } from '@/lib/history/stored-runs'

const run = (id: string, seriesId: string, state: JudgedState | null, candidate = false) =>
  ({ id, seriesId, candidate, judged: state === null ? null : { state, sentence: '' } }) as RunRow

const idsOf = (runs: readonly RunRow[]) => urgentRuns(runs).map(({ id }) => id)

it('lists the newest run of each series that needs attention, failing ones first', () => {
  const runs = [
    run('5', 'a', 'unusual'),
    run('4', 'b', 'failing'),
    run('3', 'c', 'as-expected'),
    run('2', 'c', 'failing'),
  ]
  expect(idsOf([...runs, run('1', 'd', null), run('0', 'e', 'worse')])).toEqual(['4', '0', '5'])
})

it('does not use a candidate as the state of its series', () => {
  expect(idsOf([run('2', 'a', 'failing', true), run('1', 'a', 'worse')])).toEqual(['1'])
  expect(idsOf([run('2', 'a', 'failing', true), run('1', 'a', 'as-expected')])).toEqual([])
})
