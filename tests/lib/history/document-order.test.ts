import { expect, it } from 'vitest'
import { inDocumentOrder, orderTicked } from '@/lib/history/document-order'

const [early, late] = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z']
const run = (orderedAt: string, uploadId: string, indexInUpload: number) => ({ orderedAt, uploadId, indexInUpload })
const text = (runs: readonly ReturnType<typeof run>[]) =>
  runs.map(({ orderedAt, uploadId, indexInUpload }) => `${orderedAt.slice(8, 10)}${uploadId}${indexInUpload}`)

it('lists runs of a document in its order, whichever way time goes', () => {
  const newest = [
    run(late, 'b', 1),
    run(late, 'a', 2),
    run(late, 'a', 0),
    run(late, 'a', 1),
    run(early, 'c', 1),
    run(early, 'c', 0),
  ]
  expect(text(inDocumentOrder(newest))).toEqual(['21a0', '21a1', '21a2', '21b1', '20c0', '20c1'])
  expect(text(inDocumentOrder([...newest].reverse()))).toEqual(['20c0', '20c1', '21a0', '21a1', '21a2', '21b1'])
})

it('compares with the run selected first, the others by time and document', () => {
  const list = [
    { id: 'n1', at: late },
    { id: 'n2', at: late },
    { id: 'o', at: early },
  ]
  const pick = (...ids: readonly string[]) => list.filter(({ id }) => ids.includes(id))
  const first = orderTicked([], pick('n2'))
  expect(first).toEqual(['n2'])
  expect(orderTicked(first, pick('n2', 'o'))).toEqual(['n2', 'o'])
  expect(orderTicked(['n2', 'o'], pick('n1', 'n2', 'o'))).toEqual(['n2', 'o', 'n1'])
  // Deselected, it is no longer the base; with all selected at once, the oldest is.
  expect(orderTicked(['n2', 'o', 'n1'], pick('n1', 'o'))).toEqual(['o', 'n1'])
  expect(orderTicked([], list)).toEqual(['o', 'n1', 'n2'])
  expect(orderTicked(['n2'], [])).toEqual([])
})
