import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../../shared-servers'

let app: SharedServer
let folder: string
let original: string

const api = () => `${app.url}/api/v1/projects/gate-rules`
const p99Schema = z.looseObject({
  latencies: z.looseObject({ max: z.number() }),
  earliest: z.string(),
  latest: z.string(),
  end: z.string(),
})

/**
 * A vegeta report whose p95 is half of its p99, `p99Ms`, dated some weeks ago plus `hours`. With 500 requests p99 is
 * not judged.
 */
async function report(hours: number, p99Ms: number): Promise<string> {
  const json = p99Schema.parse(JSON.parse(original))
  const later = (at: string) => new Date(Date.parse(at) + (hours - 1_000) * 3_600_000).toISOString()
  const max = Math.round(json.latencies.max * 50)
  const latencies = { ...json.latencies, '95th': Math.round(p99Ms * 5e5), '99th': Math.round(p99Ms * 1e6), max }
  const moved = { ...json, latencies, earliest: later(json.earliest), latest: later(json.latest), end: later(json.end) }
  const file = path.join(folder, `report-${hours}.json`)
  await writeFile(file, JSON.stringify(moved))
  return file
}

/** Runs the build script for a scenario: curl's exit code, and its output. */
async function build(scenario: string, hours: number, p99Ms: number, query = '') {
  const file = await report(hours, p99Ms)
  const parameters = [`scenario=${scenario}`, ...(query === '' ? [] : [query])].join('&')
  return new Promise<{ code: number; output: string; verdict: string }>((resolve) => {
    const args = [`${api()}/uploads`, file, `c${hours}`, parameters]
    execFile(path.resolve('tests/server/gate/gate.sh'), args, (error, stdout) => {
      const [verdict = ''] = stdout.split('\n')
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout, verdict })
    })
  })
}

const idSchema = z.looseObject({ id: z.string() })

async function send(method: string, address: string, body: unknown): Promise<string> {
  const answer = await fetch(`${api()}/${address}`, { method, body: JSON.stringify(body) })
  const json: unknown = await answer.json()
  expect(answer.status, JSON.stringify(json)).toBeLessThan(300)
  return idSchema.parse(json).id
}

const limit = { kind: 'limit', metricId: 'p99', side: 'above', limit: 50, confirmRuns: 1 }

const alertSchema = z.looseObject({
  state: z.string(),
  cause: z.string().nullable(),
  events: z.array(z.looseObject({ kind: z.string(), value: z.number(), count: z.number() })),
})
async function alerts() {
  const body: unknown = await (await fetch(`${api()}/alerts`)).json()
  return z.object({ alerts: z.array(alertSchema) }).parse(body).alerts
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-gate-rules-'))
  original = await readFile('tests/fixtures/vegeta-json/attack-01-12.13.0.json', 'utf8')
  app = await shareServer('plain')
  const body = JSON.stringify({ name: 'Gate rules', slug: 'gate-rules' })
  await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body })
})

describe('a build checked against a limit', () => {
  let ruleId: string
  it('passes within it and fails with 22 above it, from the first run on, with one alert', async () => {
    ruleId = await send('POST', 'rules', { scenario: 'limit', settings: limit })
    const within = await build('limit', 0, 40)
    expect(within).toMatchObject({
      code: 0,
      verdict: 'Passed: no rule is violated; not enough history to compare with earlier runs.',
      output: expect.stringMatching(/p99 .* 40\.0\sms .* at most 50\sms .*p99 is above 50\sms +met$/m),
    })
    expect(await alerts()).toEqual([])
    const above = await build('limit', 1, 60)
    expect(above).toMatchObject({
      code: 22,
      verdict: expect.stringMatching(/^Failed: “p99 ≤ 50\sms” is missed by 10\sms\.$/),
      output: expect.stringMatching(/p99 .* 60\.0\sms .* at most 50\sms .*p99 is above 50\sms +missed by 10\sms$/m),
    })
    expect(await alerts()).toMatchObject([
      { state: 'open', cause: 'commit c1', events: [{ kind: 'limit', value: 60, count: 1 }] },
    ])
  })

  it('reports in JSON and Markdown, too', async () => {
    const answer = await build('limit', 2, 61, 'format=json')
    const body = z
      .looseObject({ result: z.string(), rows: z.array(z.looseObject({ kind: z.string() })) })
      .parse(JSON.parse(answer.output))
    expect(answer.code).toBe(22)
    expect(body.result).toBe('failed')
    const rule = { id: ruleId, kind: 'limit', words: expect.stringMatching(/^p99 is above 50\sms$/) }
    expect(body.rows.filter((row) => row.kind === 'limit')).toMatchObject([
      {
        metric: 'p99',
        rule,
        limit: 50,
        value: 61,
        missedBy: 11,
        unit: 'ms',
        verdict: 'worse',
        fails: true,
        excuse: null,
      },
    ])
    const markdown = await build('limit', 3, 62, 'format=md')
    expect(markdown.code).toBe(22)
    expect(markdown.output).toMatch(
      /^\*\*Failed: “p99 ≤ 50\sms” is missed by 12\sms\. An earlier alert is still open\.\*\*\n\n\| series \| metric \|/,
    )
    expect(markdown.output).toMatch(
      /\| p99 \|.*\| 62\.0\sms \|.*\| at most 50\sms \| p99 is above 50\sms \| missed by 12\sms \|/,
    )
    expect(await alerts()).toMatchObject([{ events: [{ value: 62, count: 3 }] }])
  })

  it('passes while the rule is muted, and says so', async () => {
    const mutedUntil = '2999-01-02T00:00:00Z'
    await send('PUT', `rules/${ruleId}`, { scenario: 'limit', settings: limit, mutedUntil })
    const muted = await build('limit', 4, 63)
    expect(muted.code).toBe(0)
    expect(muted.verdict).toMatch(
      /^Passed: of \d+ checks 1 would have failed, but are excused\. An earlier alert is still open\.$/,
    )
    expect(muted.output).toMatch(/missed by [^|\n]+, but muted until .*2999/)
  })

  it('passes without its row while the rule is off, and once it is deleted', async () => {
    await send('PUT', `rules/${ruleId}`, { scenario: 'limit', settings: limit, isEnabled: false })
    const off = await build('limit', 5, 63)
    expect(off).toMatchObject({ code: 0, output: expect.not.stringContaining('p99 is above') })
    await send('PUT', `rules/${ruleId}`, { scenario: 'limit', settings: limit })
    expect((await build('limit', 6, 63)).code).toBe(22)
    expect((await fetch(`${api()}/rules/${ruleId}`, { method: 'DELETE' })).status).toBe(204)
    expect((await build('limit', 7, 63)).code).toBe(0)
  })

  it('ignores other scenarios, and waits for as many runs as the rule requires', async () => {
    await send('POST', 'rules', { scenario: 'patient', settings: { ...limit, confirmRuns: 2 } })
    expect(await build('other', 30, 60)).toMatchObject({ code: 0, verdict: 'Not judged: not enough history.' })
    expect(await build('patient', 31, 60)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/ missed by .+, 1 of 2 times$/m),
    })
    expect((await build('patient', 32, 60)).code).toBe(22)
    expect((await build('patient', 33, 40)).code).toBe(0)
  })
})

describe('a build checked against a baseline', () => {
  it('fails if it is worse than the baseline, passes if it is better, and says if there is none', async () => {
    const settings = {
      kind: 'baseline',
      metricIds: ['p99'],
      direction: 'both',
      leastEffectRatio: 0.2,
      confirmRuns: 1,
      runIds: [],
    }
    await send('POST', 'rules', { scenario: 'base', settings })
    const first = await build('base', 20, 40, 'format=json')
    const json = z
      .looseObject({ runs: z.array(z.object({ url: z.string() })), rows: z.array(z.looseObject({ kind: z.string() })) })
      .parse(JSON.parse(first.output))
    expect(json.rows.filter((row) => row.kind === 'baseline')).toMatchObject([
      { verdict: 'no-history', baseline: null, value: 40, fails: false },
    ])
    const runId = json.runs[0]?.url.split('/').at(-1) ?? ''
    const marked = await fetch(`${api()}/runs/${runId}/baseline`, { method: 'PUT' })
    expect(marked.status).toBeLessThan(300)
    expect((await build('base', 21, 44)).code).toBe(0)
    const worse = await build('base', 22, 50)
    expect(worse).toMatchObject({
      code: 22,
      output: expect.stringMatching(/p99 +40\.0\sms +50\.0\sms +\+25\.0\s% .* worse$/m),
    })
    expect(await build('base', 23, 30)).toMatchObject({ code: 0, output: expect.stringMatching(/ better$/m) })
  })
})

describe('a build checked for changes of level', () => {
  it('follows the rule that watches: its metrics, its smallest effect, whether it is muted or off', async () => {
    const settings = {
      kind: 'change-point',
      metricIds: ['p95'],
      direction: 'worse',
      leastEffectRatio: 0.5,
      confirmRuns: 1,
      sensitivity: 'balanced',
    }
    const ruleId = await send('POST', 'rules', { scenario: 'level', settings })
    for (let at = 0; at < 11; at += 1) await build('level', 38 + at, 40 + 0.5 * Math.sin(at * 2.4))
    expect(await build('level', 49, 56)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/ by 50\s% or more +as expected$/m),
    })
    expect(await build('level', 50, 80)).toMatchObject({
      code: 22,
      verdict: expect.stringMatching(/^Failed: p95 of level is 40\.0\sms, outside of the expected .+ \(\+100\s%\)\.$/),
    })
    const rule = { scenario: 'level', settings, mutedUntil: '2999-01-02T00:00:00Z' }
    await send('PUT', `rules/${ruleId}`, rule)
    expect(await build('level', 51, 85)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/level worse since c49, but muted/),
    })
    await send('PUT', `rules/${ruleId}`, { ...rule, mutedUntil: null, isEnabled: false })
    expect(await build('level', 52, 86)).toMatchObject({ code: 0, output: expect.not.stringMatching(/ p95 /) })
  })
})

describe('a build with truncated output', () => {
  it('fails if a rule about failed imports is enabled, and says why', async () => {
    const body = await readFile('tests/fixtures/hey-text/cut-before-percentiles.txt')
    const url = `${api()}/uploads?gate=1&scenario=cut`
    const without = await fetch(url, { method: 'PUT', body })
    // Part of a run is not a valid measurement: it passes no build, whatever the rules.
    expect(without.status).toBe(422)
    expect(await without.text()).toMatch(
      /^Failed: the output is truncated: its figures are of a part of the run\. The upload could not be read completely: .+ \(line \d+\)\n/,
    )
    await send('POST', 'rules', { settings: { kind: 'failed-import' } })
    const again = await fetch(`${url}&again=1&format=json`, { method: 'PUT', body })
    expect(again.status).toBe(422)
    expect(await again.json()).toMatchObject({
      result: 'failed',
      sentence: expect.stringMatching(/^Failed: the upload could not be read completely: /),
      failedImport: { rule: { kind: 'failed-import' }, message: expect.stringMatching(/./), excuse: null },
    })
  })
})
