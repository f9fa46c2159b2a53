import { expect, it } from 'vitest'
import { readRunQuery } from '@/app/_server/http/run-query'
import { InvalidInputError } from '@/lib/errors'

const filterOf = (query: string) => readRunQuery(new URLSearchParams(query)).filter

it('reads days as UTC, both inclusive, and a range of a figure', () => {
  const filter = filterOf('from=2026-02-27&to=2026-02-28&figure=p99&min=10&max=20.5')
  expect(filter).toMatchObject({
    from: '2026-02-27T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
    range: { of: 'p99', min: 10, max: 20.5 },
  })
})

it('refuses a range of a figure without another filter, unless the list is sorted by that figure', () => {
  expect(() => filterOf('figure=p99&min=10')).toThrow(InvalidInputError)
  expect(() => filterOf('figure=p99&min=10&sort=max')).toThrow(InvalidInputError)
  for (const other of ['sort=p99', 'text=gzip', 'tool=hey', 'label=a=b', 'from=2026-02-27', 'upload=x']) {
    expect(filterOf(`figure=p99&min=0&${other}`).range, other).toMatchObject({ of: 'p99', min: 0 })
  }
  expect(filterOf('figure=p99').range).toBeUndefined()
  expect(() => filterOf('figure=p99&min=-1&sort=p99')).toThrow()
  expect(() => filterOf('from=2026-02-30')).toThrow()
})

it('groups repeats by time only', () => {
  expect(filterOf('group=repeats').newestOfRepeats).toBe(true)
  expect(filterOf('').newestOfRepeats).toBeUndefined()
  expect(() => filterOf('group=repeats&sort=p99')).toThrow(InvalidInputError)
  expect(() => filterOf('group=yes')).toThrow()
})
