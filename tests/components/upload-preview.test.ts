import { describe, expect, it } from 'vitest'
import { isOpenDraft, noteDrafts, settleDraft } from '@/components/upload/draft-ledger'
import { prepareDocument } from '@/components/upload/prepare-document'
import { preparePreview } from '@/components/upload/prepare-preview'
import { editsOf, formOf, inputTime, pageAfterSave, savedRunIds } from '@/components/upload/preview-edits'
import { readProblem } from '@/components/upload/problem'
import { aboutContent } from '@/components/upload/upload-preview'
import { shownRanges, type LineRange } from '@/components/upload/shown-lines'
import type { UploadDetail } from '@/lib/run/stored'
import { runsOf } from '../read-fixture'

const upload = async (document: string): Promise<UploadDetail> => ({
  id: 'u',
  projectId: 'p',
  name: `${document}.md`,
  sizeBytes: 1,
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
  draftRuns: await runsOf({ document }),
})

describe('preparePreview', () => {
  it('shows names with their sources and five figures at most', async () => {
    const [ping] = preparePreview(await upload('lambda-dispatcher-vs-direct'), new Set([37]))
    expect(ping).toMatchObject({ scenario: 'GET: Text/Plain Ping', variant: 'Lambda Dispatcher', environment: '' })
    expect(ping?.sources.scenario).toBe('heading, line 5')
    expect(ping?.figures.map((figure) => figure.label)).toEqual(['Req/s', 'p50', 'p99', 'Max', 'Errors'])
    expect(ping?.about).toContain('closed loop, 100 connections')
    expect(ping?.place).toMatchObject({ first: 37, shown: true })
    expect(ping?.facts.every(({ place }) => place?.shown === false)).toBe(true)
  })
})

describe('editsOf', () => {
  it('sends only what was changed', async () => {
    const [run] = preparePreview(await upload('smithy-wrk'), new Set())
    if (!run) throw new Error('a run expected')
    const form = formOf(run)
    expect(editsOf(run, form)).toEqual({ include: true })
    expect(editsOf(run, { ...form, environment: ' ', startedAt: '2022-03-05T10:00' })).toEqual({
      include: true,
      environment: null,
      startedAt: '2022-03-05T10:00:00.000Z',
    })
    expect(
      editsOf(run, {
        ...form,
        startedAt: '',
        labels: [
          ['', 'lost'],
          [' commit ', 'abc'],
        ],
      }),
    ).toEqual({
      include: true,
      startedAt: null,
      labels: { commit: 'abc' },
    })
  })
  it('goes to the run, to the matrix of several cells, or to the list', async () => {
    const forms = preparePreview(await upload('smithy-wrk'), new Set()).map(formOf)
    const same = forms.map((form) => ({ ...form, environment: 'x' }))
    expect(pageAfterSave('p', 'u', ['a'], forms)).toBe('/p/p/runs/a')
    expect(pageAfterSave('p', 'u', ['a', 'b'], forms)).toBe('/p/p/matrix?upload=u')
    expect(pageAfterSave('p', 'u', ['a', 'b'], same)).toBe('/p/p/runs?upload=u')
  })
  it('writes times as an input takes them', () => {
    expect(inputTime('2022-03-04T09:41:00.000Z')).toBe('2022-03-04T09:41')
    expect(inputTime('2022-03-04T09:41:05.120Z')).toBe('2022-03-04T09:41:05')
    expect(inputTime(null)).toBe('')
  })
})

it('calls a file what it is, also one that an older version called binary', () => {
  const csv = { lineCount: null, sizeBytes: 1_120_000_000, kind: 'binary', encoding: null, draftRuns: [] }
  expect(aboutContent(csv, [{ form: 'vegeta-csv' }])).toBe('raw results')
  expect(aboutContent({ ...csv, kind: 'raw results' }, [])).toBe('raw results')
  expect(aboutContent({ ...csv, lineCount: 312, kind: 'text' }, [])).toBe('312 lines')
})

describe('prepareDocument', () => {
  const lines = Array.from({ length: 40 }, (_, index) => ({ number: index + 1, text: `line ${index + 1}` }))

  it('marks blocks and problems, and folds what is long between them', () => {
    const parts = prepareDocument(
      lines,
      [{ lines: [2, 3] }, { lines: [4, 4] }],
      [{ line: 30, lastLine: 31, severity: 'info' }],
    )
    const shape = parts.map((part) => [part.mark?.kind ?? null, part.lines.length, part.folded])
    expect(shape).toEqual([
      [null, 1, false],
      ['run', 2, false],
      ['run', 1, false],
      [null, 3, false],
      [null, 19, true],
      [null, 3, false],
      ['left-out', 2, false],
      [null, 9, false],
    ])
    expect(parts.flatMap((part) => part.lines.map((line) => line.number))).toEqual(lines.map((line) => line.number))
  })
  it('says how many lines are not shown, and shortens endless ones', () => {
    const some = [...lines.slice(0, 3), ...lines.slice(20, 22), { number: 90, text: 'x'.repeat(5_000) }]
    const parts = prepareDocument(some, [{ lines: [21, 22] }], [])
    expect(parts.map((part) => [part.mark?.kind ?? null, part.skipped, part.lines.length])).toEqual([
      [null, 0, 3],
      ['run', 17, 2],
      [null, 67, 1],
    ])
    expect(parts.at(-1)?.lines[0]?.text).toMatch(/^x{1000} … 4000 more characters$/)
  })
  it('folds nothing where no run was found', () => {
    expect(
      prepareDocument(lines, [], [{ line: 2, lastLine: null, severity: 'error' }]).some((part) => part.folded),
    ).toBe(false)
  })
})

describe('shownRanges', () => {
  const at = (line: number) => ({ line, lastLine: null })
  const count = (ranges: readonly LineRange[]) => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

  it('shows all of a short document, and the beginning of a long one without finds', () => {
    expect(shownRanges(455, [[37, 78]], [])).toEqual([[1, 455]])
    expect(shownRanges(9_000, [], [])).toEqual([[1, 2_000]])
    expect(shownRanges(0, [], [])).toEqual([])
  })
  it('shows what lies around each find, wherever it stands', () => {
    expect(shownRanges(50_000, [[30_000, 30_040]], [at(41_000)])).toEqual([
      [1, 3],
      [29_980, 30_060],
      [40_980, 41_020],
    ])
  })
  it('leaves out the middle of long blocks', () => {
    const ranges = shownRanges(150_000, [[10, 140_000]], [])
    expect(ranges).toHaveLength(2)
    expect(ranges[0]?.[0]).toBe(1)
    expect(ranges[1]?.[1]).toBe(140_020)
  })
  it('never exceeds its limit, whatever was found, and prefers runs', () => {
    const problems = Array.from({ length: 5_000 }, (_, index) => at(index * 20 + 1))
    const ranges = shownRanges(120_000, [[110_000, 110_400]], problems)
    expect(count(ranges)).toBeLessThanOrEqual(2_000)
    expect(ranges.some(([first, last]) => first <= 110_000 && last >= 110_000)).toBe(true)
    expect(ranges.every(([first], index) => index === 0 || first > (ranges[index - 1]?.[1] ?? 0) + 1)).toBe(true)
  })
})

describe('drafts sent together', () => {
  it('are gone through one after the other, each batch by itself', () => {
    noteDrafts(['/old'])
    noteDrafts(['/a', '/b', '/c'])
    expect(settleDraft('/b', 'saved')).toBe('/a')
    expect(settleDraft('/a', 'discarded')).toBe('/c')
    expect(isOpenDraft('/a')).toBe(false)
    expect(settleDraft('/c', 'saved')).toBeNull()
    expect(settleDraft('/unknown', 'saved')).toBeNull()
    expect(isOpenDraft('/old')).toBe(true)
  })
  it('follow the one that is being edited', () => {
    noteDrafts(['/edited', '/second'])
    noteDrafts(['/dropped'], '/edited')
    expect(settleDraft('/edited', 'saved')).toBe('/second')
    expect(settleDraft('/second', 'saved')).toBe('/dropped')
  })
})

describe('answers of the API', () => {
  it('reads a problem, and makes one of what is none', () => {
    const text = JSON.stringify({ detail: 'Cut.', hint: 'Send all.', line: 3, url: 'http://127.0.0.1:1/p/a/upload/b' })
    expect(readProblem(text, 422)).toEqual({ detail: 'Cut.', hint: 'Send all.', line: 3, url: '/p/a/upload/b' })
    expect(readProblem('<html>', 502).detail).toBe('The server responded with status 502.')
  })
  it('reads the ids of saved runs', () => {
    expect(savedRunIds({ runs: [{ id: 'a' }, { id: 'b', url: '' }] })).toEqual(['a', 'b'])
    expect(savedRunIds(null)).toEqual([])
  })
})
