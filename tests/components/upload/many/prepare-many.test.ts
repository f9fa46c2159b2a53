import { expect, it } from 'vitest'
import { readPattern } from '@/components/upload/many/name-pattern'
import { manyDate, manyForms, manySource, nameMap, nameRun, prepareMany } from '@/components/upload/many/prepare-many'
import type { KnownNames } from '@/lib/history/run-list'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { runsOf } from '../../../read-fixture'

const upload = async (id: string, name: string, document: string | null): Promise<UploadDetail> => ({
  id,
  projectId: 'p',
  name,
  sizeBytes: 10,
  kind: 'text',
  encoding: 'utf-8',
  lineCount: 100,
  sentSha256: '',
  storedSha256: '',
  state: 'draft',
  createdAt: '2026-11-21T00:00:00.000Z',
  rawRemovedAt: null,
  problems: [],
  keepSecrets: false,
  cellNotes: [],
  mapping: null,
  draftRuns: document === null ? [] : await runsOf({ document }),
})

const known: KnownNames = {
  scenarios: [
    { name: 'GET /checkout', runCount: 120 },
    { name: 'GET /a/search', runCount: 3 },
    { name: 'GET /b/search', runCount: 3 },
  ],
  variants: [{ name: 'node22', runCount: 60 }],
  environments: [],
  isPart: false,
}

it('names runs by their files, then by hand, and says where a name comes from only if it is no file name', async () => {
  const savedBefore = { name: 'first.txt', createdAt: '2026-11-20T00:00:00.000Z' }
  const many = prepareMany([
    { upload: await upload('u1', 'checkout-node22_2026-11-21.txt', 'smithy-wrk'), savedBefore: null },
    { upload: await upload('u2', 'search-rerun.txt', 'smithy-wrk'), savedBefore },
    { upload: await upload('u3', 'notes.md', null), savedBefore: null },
  ])
  // Without a date of their own.
  const runs = many.runs.map((one) => ({ ...one, run: { ...one.run, startedAt: null } }))
  expect(many.empty).toEqual([{ uploadId: 'u3', name: 'notes.md' }])
  expect(many.runs.map(({ run, key }) => [run.index, key])).toEqual([
    [0, 'u1 0'],
    [1, 'u1 1'],
    [2, 'u2 0'],
    [3, 'u2 1'],
  ])
  const pattern = readPattern('{scenario}-{variant}_{date}.txt') ?? []
  const named = runs.map((one) => nameRun(pattern, one, known))
  expect(named[2]).toBeNull()
  const typed = { 'u1 1': { variant: 'node23' } }
  const forms = manyForms(runs, named, typed, () => '2026-11-22T03:12:00.000Z')
  expect(forms[0]).toMatchObject({ scenario: 'GET /checkout', variant: 'node22', startedAt: '2026-11-21T00:00' })
  expect(forms.map(({ include, variant }) => [include, variant === 'node23'])).toEqual([
    [true, false],
    [true, true],
    [false, false],
    [false, false],
  ])
  const [first, second, third] = runs
  if (!first || !second || !third || !forms[0] || !forms[2]) throw new Error('four runs')
  expect(manySource(first, { named: named[0] ?? null, typed: {} }, 'scenario')).toBe('')
  expect(manySource(second, { named: named[1] ?? null, typed: typed['u1 1'] }, 'variant')).toBe(
    'typed; the name says node22',
  )
  expect(manyDate(first, { named: named[0] ?? null, typed: {} }, forms[0])).toEqual({ text: '21 Nov 2026', source: '' })
  expect(manyDate(third, { named: null, typed: {} }, forms[2])).toEqual({
    text: '22 Nov 2026, 03:12',
    source: 'file time',
  })
  expect(third.already).toBe('already here: the same bytes as first.txt of 20 Nov 2026')
})

it('finds the name of the project for a word of a file name, if it is the only one', async () => {
  const { runs } = prepareMany([
    { upload: await upload('u', 'search-node22.txt', 'smithy-wrk'), savedBefore: null },
    { upload: await upload('v', 'checkout-node22.txt', 'smithy-wrk'), savedBefore: null },
  ])
  const named = runs.map((one) => nameRun(readPattern('{scenario}-{variant}.txt') ?? [], one, known))
  expect(named[0]?.form.scenario).toBe('search')
  expect(nameMap(named, known)).toEqual({
    renamed: [{ word: 'checkout', known: { name: 'GET /checkout', runCount: 120 } }],
    same: ['node22'],
  })
  const labelled = runs[0] && nameRun(readPattern('{scenario}-{commit}.txt') ?? [], runs[0], null)
  expect(labelled?.form.labels).toContainEqual(['commit', 'node22'])
})
