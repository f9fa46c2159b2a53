import { describe, expect, it } from 'vitest'
import { documentMetrics, scenarioSentence, type DocumentSide } from '../../../lib/board/documents'
import { splitNames } from '../../../lib/board/variant-pairs'
import { eachFigure, type RunFigures } from '../../../lib/run/metrics'

const side = (name: string, figures: Partial<RunFigures>, more: Partial<DocumentSide> = {}): DocumentSide => ({
  name,
  tool: 'hey',
  figures: { ...eachFigure(() => null), ...figures },
  instances: null,
  failures: [],
  guards: [],
  ...more,
})
const dispatcher = (requestsPerSecond: number, p99Ms: number | null) =>
  side('Dispatcher', { requestsPerSecond, p99Ms }, { instances: 20 })
const direct = (requestsPerSecond: number, p99Ms: number) =>
  side('Direct', { requestsPerSecond, p99Ms }, { instances: 100 })
const ping = { scenario: 'GET /ping', sides: [dispatcher(2740.6, 99.9), direct(5552.6, 91.7)] }
const image = { scenario: 'GET /image', sides: [dispatcher(644.1, 333), direct(480, 406)] }
const binary = { scenario: 'POST 9 MB', sides: [dispatcher(6.24, null)] }
const all = ['Dispatcher', 'Direct']

describe('a document without a history', () => {
  it('states by how much, at what cost, and what may be noise', () => {
    expect(scenarioSentence(ping, all)).toBe(
      'Direct serves ×2.03 the requests on 100 instances instead of 20; p99 of Direct is 8.2\u00a0% lower, which may be noise.',
    )
    expect(scenarioSentence(image, all)).toBe(
      'Dispatcher serves 34\u00a0% more on 20 instances instead of 100, which may be noise; p99 of Dispatcher is 18\u00a0% lower, which may be noise.',
    )
    expect(scenarioSentence(binary, all)).toBe('Only Dispatcher has a run.')
  })

  it('puts failures first and then compares no latency', () => {
    const failing = {
      scenario: 'GET /x',
      sides: [side('a', { errorRatio: 0.143, p99Ms: 3 }), side('b', { p99Ms: 30 })],
    }
    expect(scenarioSentence(failing, ['a', 'b'])).toBe('a fails 14.3\u00a0% of requests: latency is not compared.')
  })

  it('gives the range of several sides', () => {
    const sides = [10, 20, 40].map((p99Ms, at) => side(`v${at}`, { p99Ms }))
    expect(scenarioSentence({ scenario: 'x', sides }, [])).toBe('p99 from 10.0\u00a0ms (v0) to 40.0\u00a0ms (v2).')
  })

  it('compares Lambda invocations by their duration', () => {
    const sides = [
      side('xml', { meanMs: 1.17, billedMs: 2 }, { tool: 'lambda' }),
      side('json', { meanMs: 14.87, billedMs: 15 }, { tool: 'lambda' }),
    ]
    expect(documentMetrics(sides).map(({ id }) => id)).toEqual(['mean', 'billed', 'init', 'max-memory'])
  })
})

describe('names with two parts', () => {
  const named = (values: Readonly<Record<string, number | null>>) =>
    splitNames(Object.entries(values).map(([name, value]) => ({ name, value })))

  it('are split into what is compared, and what it is used for', () => {
    const split = named({ get_xml_data: 1, send_xml_data: 950, get_json_data: 1.1, send_json_data: 990 })
    expect(split?.get('get_xml_data')).toEqual({ side: 'xml', rest: 'get' })
    expect(split?.get('send_json_data')).toEqual({ side: 'json', rest: 'send' })
  })

  it('are left alone if they do not have that form', () => {
    expect(named({ gzip: 1, zlib: 2 })).toBeNull()
    expect(named({ 'node 20': 1, 'node 22': 2 })).toBeNull()
    expect(named({ get_a: 1, get_b: 2, send_a: 3 })).toBeNull()
    expect(named({ 'Lambda Dispatcher': 1, 'Direct Lambda': 2 })).toBeNull()
    expect(named({})).toBeNull()
  })
})
