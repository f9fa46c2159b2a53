import { describe, expect, it } from 'vitest'
import { isOpenDraft, noteDrafts, settleDraft } from '@/components/upload/draft-ledger'
import { prepareDocument } from '@/components/upload/draft/prepare-document'
import { preparePreview, previewColumns } from '@/components/upload/draft/prepare-preview'
import {
  editForms,
  editsOf,
  formOf,
  inputTime,
  nameOptions,
  pageAfterSave,
  savedRunIds,
  sharedLabels,
  sourceOf,
  withLabel,
} from '@/components/upload/draft/preview-edits'
import { readProblem } from '@/components/upload/problem'
import { aboutContent } from '@/components/upload/draft/upload-preview'
import { shownRanges, type LineRange } from '@/components/upload/draft/shown-lines'
import type { UploadDetail } from '@/lib/history/stored-uploads'
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
  mapping: null,
  draftRuns: await runsOf({ document }),
})

it('an edit changes one form, or all of them, and leaves the others as they are', async () => {
  const forms = preparePreview(await upload('lambda-dispatcher-vs-direct'), new Set()).map(formOf)
  const one = editForms(forms, { kind: 'one', index: 1, change: { variant: 'by hand' } })
  expect(one[1]).toEqual({ ...forms[1], variant: 'by hand' })
  expect(one[0]).toBe(forms[0])
  const none = editForms(one, { kind: 'all', set: (form) => ({ ...form, include: false }) })
  expect(none.map(({ include }) => include)).toEqual(forms.map(() => false))
  expect(none[1]?.variant).toBe('by hand')
})

describe('preparePreview', () => {
  it('shows names with their sources', async () => {
    const [ping] = preparePreview(await upload('lambda-dispatcher-vs-direct'), new Set([37]))
    expect(ping).toMatchObject({ scenario: 'GET: Text/Plain Ping', variant: 'Lambda Dispatcher', environment: '' })
    expect(ping?.sources.scenario).toBe('heading, line 5')
    expect(ping?.about).toContain('closed loop, 100 connections')
    expect(ping?.place).toMatchObject({ first: 37, shown: true })
    expect(ping?.facts.every(({ place }) => place?.shown === false)).toBe(true)
  })
})

describe('previewColumns', () => {
  const columnsOf = async (document: string) => previewColumns((await upload(document)).draftRuns)

  it('are tail, centre, served and failed requests, one unit per column', async () => {
    const columns = await columnsOf('lambda-dispatcher-vs-direct')
    expect(columns.map(({ label, unit }) => [label, unit])).toEqual([
      ['p99', 'ms'],
      ['p50', 'ms'],
      ['Served/s', '/s'],
      ['Failed', ''],
    ])
    expect(columns.map(({ texts }) => texts[0])).toEqual(['99.9', '21.1', '2\u202f741', '0\u00a0%'])
    expect(columns.map(({ full }) => full[6])).toEqual(['–', '1.65\u00a0s', '6.24/s', '0\u00a0%'])
  })
  it('show served requests as those that did not fail', async () => {
    const columns = await columnsOf('zlib-gzip')
    const of = (id: string) => columns.find((column) => column.id === id)?.texts
    expect(of('failed')?.[1]).toMatch(/^14\.3/)
    expect(of('served')?.[1]).not.toBe('350')
  })
  it("call requests served only if failures are known, and show Lambda's figures", async () => {
    const { draftRuns } = await upload('smithy-wrk')
    const unknown = { successes: null, successRatio: null, throughputPerSecond: null, statusCodes: {}, errors: [] }
    const columns = previewColumns(draftRuns.map((run) => ({ ...run, ...unknown })))
    expect(columns.map(({ label }) => label)).toContain('Req/s')
    expect(columns.map(({ label }) => label)).not.toContain('Failed')
    const lambda = await columnsOf('protobuf-vs-json')
    expect(lambda.length).toBeGreaterThan(1)
    expect(lambda.every(({ texts }) => texts.some((text) => text !== '–'))).toBe(true)
  })
})

describe('suggested names', () => {
  const known = {
    scenarios: [{ name: 'GET: Text/Plain Ping', runCount: 4 }],
    variants: [
      { name: 'Direct Lambda v2', runCount: 2 },
      { name: 'old', runCount: 1 },
    ],
    environments: [],
    isPart: false,
  }
  it("are the project's names, with their number of runs, then the document's", async () => {
    const runs = preparePreview(await upload('lambda-dispatcher-vs-direct'), new Set())
    const { scenario, variant, environment } = nameOptions(known, runs)
    expect(scenario[0]).toEqual({ value: 'GET: Text/Plain Ping', note: '4 runs' })
    expect(scenario.map(({ value }) => value)).toHaveLength(4)
    expect(variant.map(({ value, note }) => [value, note])).toEqual([
      ['Direct Lambda v2', '2 runs'],
      ['old', '1 run'],
      ['Lambda Dispatcher', 'from the document'],
      ['Direct Lambda', 'from the document'],
    ])
    expect(environment).toEqual([])
    expect(nameOptions({ ...known, isPart: true }, []).variant[0]?.note).toBe('2+ runs')
  })
  it('say where a name comes from', async () => {
    const [run] = preparePreview(await upload('lambda-dispatcher-vs-direct'), new Set())
    if (!run) throw new Error('a run expected')
    const form = formOf(run)
    expect(sourceOf(run, form, 'scenario')).toBe('heading, line 5')
    expect(sourceOf(run, form, 'environment')).toBe('not in the text')
    expect(sourceOf(run, { ...form, environment: 'ci' }, 'environment')).toBe('by you')
  })
})

describe('labels of several runs', () => {
  it('are shown once if they are equal', async () => {
    const forms = preparePreview(await upload('lambda-dispatcher-vs-direct'), new Set()).map(formOf)
    const { same, differing } = sharedLabels(forms)
    expect(same.map(([key]) => key)).not.toContain('instances')
    expect(differing).toContain('instances')
    expect(sharedLabels([])).toEqual({ same: [], differing: [] })
  })
  it('replace those with the same key, and disappear when empty', async () => {
    const [form] = preparePreview(await upload('smithy-wrk'), new Set()).map(formOf)
    if (!form) throw new Error('a run expected')
    const once = withLabel({ ...form, labels: [['a', '1']] }, 'b', '2')
    expect(once.labels).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
    expect(withLabel(once, 'a', '3').labels).toEqual([
      ['a', '3'],
      ['b', '2'],
    ])
    expect(withLabel(once, 'a', '').labels).toEqual([['b', '2']])
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
  it('leads to the run, to the matrix of several cells, or to the list', async () => {
    const forms = preparePreview(await upload('smithy-wrk'), new Set()).map(formOf)
    const same = forms.map((form) => ({ ...form, environment: 'x' }))
    expect(pageAfterSave('p', 'u', ['a'], forms)).toBe('/p/p/runs/a')
    expect(pageAfterSave('p', 'u', ['a', 'b'], forms)).toBe('/p/p/matrix?upload=u')
    expect(pageAfterSave('p', 'u', ['a', 'b'], same)).toBe('/p/p/runs?upload=u')
  })
  it('writes times as an input expects them', () => {
    expect(inputTime('2022-03-04T09:41:00.000Z')).toBe('2022-03-04T09:41')
    expect(inputTime('2022-03-04T09:41:05.120Z')).toBe('2022-03-04T09:41:05')
    expect(inputTime(null)).toBe('')
  })
})

it('names the kind of a file, even one that an older version called binary', () => {
  const csv = { lineCount: null, sizeBytes: 1_120_000_000, kind: 'binary', encoding: null, draftRuns: [] }
  expect(aboutContent(csv, [{ form: 'vegeta-csv' }])).toBe('raw results')
  expect(aboutContent({ ...csv, kind: 'raw results' }, [])).toBe('raw results')
  expect(aboutContent({ ...csv, lineCount: 312, kind: 'text' }, [])).toBe('312 lines')
})

describe('prepareDocument', () => {
  const lines = Array.from({ length: 40 }, (_, index) => ({ number: index + 1, text: `line ${index + 1}` }))

  it('marks blocks and problems, and collapses long parts between them', () => {
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
  it('collapses nothing if no run was found', () => {
    expect(
      prepareDocument(lines, [], [{ line: 2, lastLine: null, severity: 'error' }]).some((part) => part.folded),
    ).toBe(false)
  })
})

describe('shownRanges', () => {
  const at = (line: number) => ({ line, lastLine: null })
  const count = (ranges: readonly LineRange[]) => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

  it('shows all of a short document, and the beginning of a long one without matches', () => {
    expect(shownRanges(455, [[37, 78]], [])).toEqual([[1, 455]])
    expect(shownRanges(9_000, [], [])).toEqual([[1, 1_000]])
    expect(shownRanges(0, [], [])).toEqual([])
  })
  it('shows the lines around each match, wherever it is', () => {
    expect(shownRanges(50_000, [[30_000, 30_040]], [at(41_000)])).toEqual([
      [1, 3],
      [29_980, 30_060],
      [40_980, 41_020],
    ])
  })
  it('omits the middle of long blocks', () => {
    const ranges = shownRanges(150_000, [[10, 140_000]], [])
    expect(ranges).toHaveLength(2)
    expect(ranges[0]?.[0]).toBe(1)
    expect(ranges[1]?.[1]).toBe(140_020)
  })
  it('never exceeds its limit, and prefers runs', () => {
    const problems = Array.from({ length: 5_000 }, (_, index) => at(index * 20 + 1))
    const ranges = shownRanges(120_000, [[110_000, 110_400]], problems)
    expect(count(ranges)).toBeLessThanOrEqual(2_000)
    expect(ranges.some(([first, last]) => first <= 110_000 && last >= 110_000)).toBe(true)
    expect(ranges.every(([first], index) => index === 0 || first > (ranges[index - 1]?.[1] ?? 0) + 1)).toBe(true)
  })
})

describe('drafts sent together', () => {
  it('are processed one after the other, each batch separately', () => {
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

describe('responses of the API', () => {
  it('reads a problem, and creates one from anything else', () => {
    const text = JSON.stringify({ detail: 'Cut.', hint: 'Send all.', line: 3, url: 'http://127.0.0.1:1/p/a/upload/b' })
    expect(readProblem(text, 422)).toEqual({ detail: 'Cut.', hint: 'Send all.', line: 3, url: '/p/a/upload/b' })
    expect(readProblem('<html>', 502).detail).toBe('The server responded with status 502.')
  })
  it('reads the ids of saved runs', () => {
    expect(savedRunIds({ runs: [{ id: 'a' }, { id: 'b', url: '' }] })).toEqual(['a', 'b'])
    expect(savedRunIds(null)).toEqual([])
  })
})
