import { describe, expect, it } from 'vitest'
import { prepareDocument } from '@/components/upload/prepare-document'
import { preparePreview } from '@/components/upload/prepare-preview'
import { editsOf, formOf, inputTime } from '@/components/upload/preview-edits'
import { readProblem } from '@/components/upload/problem'
import { savedRunIds } from '@/components/upload/saved-runs'
import type { UploadDetail } from '@/lib/stored'
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
  problems: [],
  cellNotes: [],
  draftRuns: await runsOf({ document }),
})

describe('preparePreview', () => {
  it('shows names with their sources and five figures at most', async () => {
    const [ping] = preparePreview(await upload('lambda-dispatcher-vs-direct'))
    expect(ping).toMatchObject({ scenario: 'GET: Text/Plain Ping', variant: 'Lambda Dispatcher', environment: '' })
    expect(ping?.sources.scenario).toBe('heading, line 5')
    expect(ping?.figures.map((figure) => figure.label)).toEqual(['Req/s', 'p50', 'p99', 'Max', 'Errors'])
    expect(ping?.about).toContain('closed loop, 100 connections')
  })
})

describe('editsOf', () => {
  it('sends only what was changed', async () => {
    const [run] = preparePreview(await upload('smithy-wrk'))
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
  it('writes times as an input takes them', () => {
    expect(inputTime('2022-03-04T09:41:00.000Z')).toBe('2022-03-04T09:41')
    expect(inputTime('2022-03-04T09:41:05.120Z')).toBe('2022-03-04T09:41:05')
    expect(inputTime(null)).toBe('')
  })
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
})

describe('answers of the API', () => {
  it('reads a problem, and makes one of what is none', () => {
    const text = JSON.stringify({ detail: 'Cut.', hint: 'Send all.', line: 3, url: 'http://127.0.0.1:1/p/a/upload/b' })
    expect(readProblem(text, 422)).toEqual({ detail: 'Cut.', hint: 'Send all.', line: 3, url: '/p/a/upload/b' })
    expect(readProblem('<html>', 502).detail).toBe('The server answered with status 502.')
  })
  it('reads the ids of saved runs', () => {
    expect(savedRunIds({ runs: [{ id: 'a' }, { id: 'b', url: '' }] })).toEqual(['a', 'b'])
    expect(savedRunIds(null)).toEqual([])
  })
})
