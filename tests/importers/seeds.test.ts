import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importFile } from '../../importers/index'
import type { ImportedFile, ImportedRun } from '../../lib/run/run'

/**
 * The five documents that the product started with, complete, and the samples made from them (headings, settings,
 * commands and output). The result must be the same for both. Complete results are golden files: see importers.test.ts.
 */
const documents = join(import.meta.dirname, '../fixtures', 'documents')
const samples = join(import.meta.dirname, '../..', 'public', 'sample-data')

function read(folder: string, name: string): Promise<ImportedFile> {
  async function* chunks() {
    yield readFileSync(join(folder, name))
  }
  return importFile(chunks())
}

function namesOf({ proposal }: ImportedRun): string {
  const { scenario, variant, environment } = proposal
  return `${scenario ?? '?'} ▸ ${variant ?? '(none)'}${environment === null ? '' : ` @ ${environment}`}`
}

function measureOf(run: ImportedRun, name: string): number | undefined {
  return run.measures.find((measure) => measure.name === name)?.value
}

function quantileOf(run: ImportedRun, q: number): number | undefined {
  return run.latencies[0]?.quantiles.find((quantile) => quantile.q === q)?.ms
}

describe.each([
  ['document', documents],
  ['sample', samples],
])('%s', (_kind, folder) => {
  it('hey: Lambda Dispatcher against direct Lambda', async () => {
    const { runs, cellNotes, problems } = await read(folder, 'lambda-dispatcher-vs-direct.md')
    expect(runs.map(namesOf)).toEqual([
      'GET: Text/Plain Ping ▸ Lambda Dispatcher',
      'GET: Text/Plain Ping ▸ Direct Lambda',
      'GET: Image/Jpeg ▸ Lambda Dispatcher',
      'GET: Image/Jpeg ▸ Direct Lambda',
      'POST: Image/Jpeg Echo ▸ Lambda Dispatcher',
      'POST: Image/Jpeg Echo ▸ Direct Lambda',
      'POST: 9 MB Binary Echo ▸ Lambda Dispatcher',
    ])
    expect(runs.slice(0, 2).map((run) => run.requestsPerSecond)).toEqual([2740.627, 5552.6414])
    expect(runs.map(({ proposal }) => proposal.labels['instances'])).toEqual([
      '20',
      '100',
      '20',
      '100',
      '20',
      '100',
      '2',
    ])
    for (const { proposal, load, method } of runs) {
      expect(proposal.labels).toMatchObject({ memory: '512 MB', region: 'us-east-2', protocol: 'HTTP/2' })
      expect(load.kind).toBe('closed')
      expect(method).toBe(proposal.scenario?.slice(0, proposal.scenario.indexOf(':')))
    }
    expect(runs.map(({ load }) => (load.kind === 'closed' ? load.connections : null))).toEqual([
      100, 100, 100, 100, 100, 100, 10,
    ])
    expect(runs[0]?.command).toBe(
      './hey_linux_amd64 -h2 -c 100 -n 10000 https://lambdadispatch.ghpublic.pwrdrvr.com/ping',
    )
    expect(cellNotes.map(({ line: _line, ...note }) => note)).toEqual([
      {
        scenario: 'POST: 9 MB Binary Echo',
        variant: 'Direct Lambda',
        environment: null,
        text: 'not possible: 6 MB limit',
      },
    ])
    expect(problems).toEqual([])
  })

  it('vegeta: cascade at three latencies of the origin', async () => {
    const { runs, problems } = await read(folder, 'cascade-load-test.md')
    expect(runs.map(namesOf)).toEqual(
      [
        'Non cascade',
        'Cascade with Origin Simulator latency 100ms',
        'Cascade with Origin Simulator latency 500ms',
        'Cascade with Origin Simulator latency 1000ms',
      ].map((variant) => `Cascade load test check ▸ ${variant} @ c5.2xlarge`),
    )
    expect(runs.map(({ startedAt }) => Date.parse(startedAt ?? ''))).toEqual([
      1612980675322, 1612980996430, 1612981131170, 1612981330605,
    ])
    for (const run of runs) {
      expect(run.statusCodes).toEqual({ 404: 24000 })
      expect(run.throughputPerSecond).toBe(0)
      expect(run.load).toEqual({ kind: 'open', ratePerSecond: 400 })
      expect(run.proposal.labels).toMatchObject({ rate: '400rps', duration: '60s' })
      expect(run.proposal.environmentAttributes).toMatchObject({
        'instance-type': '1 x c5.2xlarge',
        cpu: '8 vCPUs (4 core, 2 threads per core)',
      })
      expect(run.proposal.sources['startedAt']).toMatch(/^epoch in the result link, line \d+$/)
    }
    expect(problems).toEqual([])
  })

  it('Lambda: protobuf against JSON', async () => {
    const { runs } = await read(folder, 'protobuf-vs-json.md')
    const functions = ['get_protobuf_data', 'send_protobuf_data', 'get_json_data', 'send_json_data']
    expect(runs.map(namesOf)).toEqual(
      ['Small message', 'Large message'].flatMap((scenario) =>
        functions.map((name) => `${scenario} ▸ ${name} @ eu-north-1 ARM64 128 MB`),
      ),
    )
    const large = runs[6]
    expect(large?.latencies[0]?.meanMs).toBe(14.87)
    expect(large?.lambda?.billedMs?.sum).toBe(15)
    expect(large?.lambda?.maxMemoryUsedMb?.max).toBe(36)
    expect(large?.lambda?.initMs?.sum).toBe(95.36)
    expect(runs.map(({ proposal }) => proposal.labels['branch'])).toEqual([
      ...functions.map(() => 'main'),
      ...functions.map(() => 'large-message-almbda-sqs-test'),
    ])
    for (const { proposal } of runs)
      expect(proposal.environmentAttributes).toEqual({
        region: 'eu-north-1',
        python: '3.9',
        architecture: 'ARM64',
        memory: '128 MB',
      })
  })

  it('wrk: Smithy on two instance types', async () => {
    const { runs, problems } = await read(folder, 'smithy-wrk.md')
    expect(runs.map(namesOf)).toEqual([
      'Smithy Rust Server SDK benchmarks ▸ (none) @ c6i.8xlarge',
      'Smithy Rust Server SDK benchmarks ▸ (none) @ c6g.8xlarge',
    ])
    expect(runs.map(({ requests }) => requests)).toEqual([965396910, 828097344])
    expect(runs.map((run) => quantileOf(run, 0.99))).toEqual([9.74, 11.95])
    expect(runs.map((run) => measureOf(run, 'rss'))).toEqual([72200, 70264])
    expect(runs.map((run) => measureOf(run, 'stated-requests-per-second'))).toEqual([1608742, 1379942])
    expect(runs.map((run) => run.requestsPerSecond)).toEqual([1608742.65, 1379942.45])
    for (const run of runs) {
      expect(run.errors).toEqual([{ message: 'connect', count: 19 }])
      expect(run.startedAt).toBe('2022-03-04T00:00:00.000Z')
      expect(run.method).toBe('GET')
      expect(run.proposal.environmentAttributes['memory']).toBe('64 Gb')
      expect(run.context.facts.find(({ key }) => key === 'rss')?.value).toMatch(/^\d{5} bytes$/)
    }
    expect(runs[0]?.proposal.environmentAttributes['cpu']).toBe(
      '32 cores Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz',
    )
    expect(problems).toEqual([])
  })

  it('vegeta: zlib against gzip', async () => {
    const { runs, problems } = await read(folder, 'zlib-gzip.md')
    expect(runs.map(namesOf)).toEqual(
      [
        '250kb payload',
        '300kb payload',
        'gzipped 300kb payload - :zlib bypassed',
        'gzipped 350kb payload - :zlib bypassed',
      ].map((variant) => `Load Test Results: :zlib performance (4 Feb merge) ▸ ${variant}`),
    )
    expect(runs.map(({ successRatio }) => successRatio)).toEqual([0.9998, 0.8567, 0.9992, 0.9994])
    expect(runs[1]?.statusCodes).toEqual({ 0: 3009, 200: 17990, 500: 1 })
    expect(runs.map(({ startedAt }) => Date.parse(startedAt ?? ''))).toEqual([
      1582104905315, 1582105264903, 1582104155116, 1582109729703,
    ])
    expect(runs.map(({ proposal }) => proposal.labels['payload'])).toEqual(['250kb', '300kb', '300kb', '350kb'])
    expect(runs.map(({ proposal }) => proposal.labels['content-encoding'])).toEqual([
      undefined,
      undefined,
      'gzip',
      'gzip',
    ])
    for (const run of runs) {
      expect(run.load).toEqual({ kind: 'open', ratePerSecond: 350 })
      expect(run.proposal.sources['startedAt']).toMatch(/^epoch in the ID, line \d+$/)
    }
    expect(problems).toEqual([])
  })
})

it('lists the local tables in the protobuf document as not imported', async () => {
  const { problems } = await read(documents, 'protobuf-vs-json.md')
  expect(problems.map(({ code, line, lastLine }) => [code, line, lastLine])).toEqual([
    ['not-imported', 78, 81],
    ['not-imported', 84, 87],
  ])
})

it("keeps the authors' conclusions, with their lines", async () => {
  const dispatcher = await read(documents, 'lambda-dispatcher-vs-direct.md')
  expect(dispatcher.runs[0]?.context.notes).toContainEqual({
    text: 'Cost 20% as much, plus the ECS container',
    line: 16,
  })
  const cascade = await read(documents, 'cascade-load-test.md')
  for (const { context } of cascade.runs) expect(context.notes.at(-1)?.line).toBe(89)
  const protobuf = await read(documents, 'protobuf-vs-json.md')
  expect(protobuf.runs[0]?.context.notes.map(({ line }) => line)).toEqual([3, 5, 8, 10, 42, 44, 69, 70, 71, 72])
})
