import { describe, expect, it } from 'vitest'
import { documentScenarios } from '@/lib/board/document-scenarios'
import { documentHeadline } from '@/lib/headline/document-headline'
import { joinNames } from '@/lib/headline/names'
import { prepareMatrix } from '@/components/matrix/prepare-matrix'
import { matrixQueryOf } from '@/components/matrix/matrix-url'
import type { DocumentSide } from '@/lib/board/documents'
import { eachFigure, type RunFigures } from '@/lib/run/metrics'
import { failureKinds } from '@/lib/run/figures'
import { storedDocument } from '../../stored-runs'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

/** The sentence for a newly uploaded document: on its board, and above its matrix. */
async function said(document: string) {
  const { runs, cellNotes } = await storedDocument(document)
  const failures = new Map(runs.map(({ id, imported }) => [id, failureKinds(imported).map(({ words }) => words)]))
  const board = documentHeadline(documentScenarios(runs, (id) => failures.get(id) ?? []))
  const notes = cellNotes.map((note) => ({ ...note, variant: note.variant ?? null, environment: null }))
  const matrix = prepareMatrix(runs, matrixQueryOf(''), notes, { failures }).verdict
  return { board: plain(board), matrix: plain(matrix) }
}

describe('the first sentence of the sample documents', () => {
  const sentences = {
    'lambda-dispatcher-vs-direct':
      'Direct Lambda serves ×2.03 the requests on GET: Text/Plain Ping on 100 instances against 20; Lambda Dispatcher serves a third more on GET: Image/Jpeg and POST: Image/Jpeg Echo on a fifth of the instances (one run each: may be noise)',
    'cascade-load-test': 'All 4 runs failed: every response was 404, so the latencies are of errors',
    'protobuf-vs-json':
      'protobuf is ×12.7 faster on Large message › get; cold starts (init) of protobuf take ×1.47 to ×2.22 as long as those of json: with init, an invocation takes 207 ms against 110 ms on Large message › get',
    'smithy-wrk':
      'c6i.8xlarge serves 17 % more than c6g.8xlarge (one run each: may be noise); 2 requests in 10⁸ failed on either',
    'zlib-gzip':
      '300kb payload fails 14.33 % of requests; gzipped 300kb and 350kb payload - :zlib bypassed stay below 0.1 % failed with a p99 up to 22.2 ms, 250kb payload has 193 ms',
  }
  it.each(Object.entries(sentences))('%s: board and matrix have the same text', async (document, sentence) => {
    const { board, matrix } = await said(document)
    expect(board).toBe(sentence)
    expect(matrix).toBe(board)
  })
})

const side = (name: string, figures: Partial<RunFigures>, more: Partial<DocumentSide> = {}): DocumentSide => ({
  name,
  tool: 'hey',
  figures: { ...eachFigure(() => null), ...figures },
  instances: null,
  failures: [],
  guards: [],
  ...more,
})
const scenario = (...sides: DocumentSide[]) => ({ scenario: 'GET /x', sides })
const headline = (...all: ReturnType<typeof scenario>[]) => plain(documentHeadline(all))

describe('runs without a history', () => {
  it('a lone run, equal runs, and sides without a common figure are no difference', () => {
    expect(headline(scenario(side('a', { p99Ms: 10 })))).toBe('The first run of its series')
    expect(headline(scenario(side('a', { p99Ms: 10 }), side('b', { p99Ms: 10.01 })))).toMatch(/^2 runs, each the first/)
    expect(headline(scenario(side('a', { p99Ms: 10 }), side('b', { requestsPerSecond: 4 })))).toMatch(/^2 runs/)
    expect(headline()).toBe('No run')
  })

  it('failures come first, and a failing side is not compared', () => {
    const failing = side('a', { errorRatio: 0.143, p99Ms: 3 })
    expect(headline(scenario(failing, side('b', { p99Ms: 30 })))).toBe('a fails 14.3 % of requests')
    const several = [1, 2, 3, 4, 5].map((at) => side(`v${at}`, { errorRatio: at / 10 }))
    expect(headline(scenario(...several))).toMatch(/^v1 fails 10 % .*, and 2 more runs fail$/)
  })

  it('says how requests ended if none succeeded, and mentions latencies only if there were responses', () => {
    const dead = (name: string, failures: readonly string[]) => side(name, { errorRatio: 1 }, { failures })
    expect(headline(scenario(dead('a', ['with status 500']), dead('b', ['with status 404'])))).toBe(
      'All 2 runs failed: every response was 500 or 404, so the latencies are of errors',
    )
    expect(headline(scenario(dead('a', ['without response'])))).toBe(
      'Every request of the run failed: requests ended without response',
    )
    expect(headline(scenario(dead('a', [])))).toBe('Every request of the run failed: no request succeeded')
  })

  it('what a guard refuses is not compared', () => {
    const short = { code: 'too-short', numbers: { durationMs: 391 }, metricIds: null } as const
    const sides = [side('a', { requestsPerSecond: 10 }, { guards: [short] }), side('b', { requestsPerSecond: 30 })]
    expect(headline(scenario(...sides))).toBe('No verdict on a: the run lasted 391 ms, less than a second')
  })

  it('many scenarios of three sides: who is ahead in how many, and the clearest one', () => {
    const of = (scenario: string, ...p99Ms: number[]) => ({
      scenario,
      sides: p99Ms.map((ms, at) => side(`v${at}`, { p99Ms: ms })),
    })
    const all = [of('a', 10, 40, 50), of('b', 10, 100, 120), of('c', 40, 10, 50), of('d', 10, 11, 12)]
    expect(plain(documentHeadline(all))).toBe(
      'p99 is lowest on v0 in 2 of 4 scenarios and on v1 in 1; in 1 the best may be noise; v0 has a p99 of 10.0 ms on b, the others have 100 ms to 120 ms',
    )
    const near = ['a', 'b', 'c', 'd'].map((name) => of(name, 10, 11, 12))
    expect(plain(documentHeadline(near))).toBe('no side is ahead in p99 by more than single runs may differ')
  })

  it('three sides and more: those ahead of the widest gap, or the range', () => {
    const sides = [10, 11, 40].map((p99Ms, at) => side(`v${at}`, { p99Ms }))
    expect(headline(scenario(...sides))).toBe('v0 and v1 have a p99 up to 11.0 ms, v2 has 40.0 ms')
    const near = [10, 11, 12].map((p99Ms, at) => side(`v${at}`, { p99Ms }))
    expect(headline(scenario(...near))).toBe('p99 from 10.0 ms (v0) to 12.0 ms (v2), one run each: may be noise')
  })
})

describe('names next to each other', () => {
  it('state shared beginnings or endings once', () => {
    expect(joinNames(['gzipped 300kb payload', 'gzipped 350kb payload'])).toBe('gzipped 300kb and 350kb payload')
    expect(joinNames(['a', 'b', 'c'])).toBe('a, b and c')
    expect(joinNames(['a b', 'b'])).toBe('a b and b')
    expect(joinNames(['only one'])).toBe('only one')
  })
})
