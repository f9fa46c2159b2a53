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

const api = () => `${app.url}/api/v1/projects/gate`

/**
 * A vegeta report with its tail scaled, dated some weeks ago plus `hours`. With 500 requests p95 is judged, p99 is not.
 */
async function report(hours: number, tailFactor: number): Promise<string> {
  const json = z
    .looseObject({
      latencies: z.looseObject({ '95th': z.number(), '99th': z.number(), max: z.number() }),
      earliest: z.string(),
      latest: z.string(),
      end: z.string(),
    })
    .parse(JSON.parse(original))
  const later = (at: string) => new Date(Date.parse(at) + (hours - 1_000) * 3_600_000).toISOString()
  const latencies = {
    ...json.latencies,
    '95th': Math.round(json.latencies['95th'] * tailFactor),
    '99th': Math.round(json.latencies['99th'] * tailFactor),
    max: Math.round(json.latencies.max * 3),
  }
  const moved = { ...json, latencies, earliest: later(json.earliest), latest: later(json.latest), end: later(json.end) }
  const file = path.join(folder, `report-${hours}.json`)
  await writeFile(file, JSON.stringify(moved))
  return file
}

const put = async (file: string, query: string) =>
  fetch(`${api()}/uploads?${query}`, { method: 'PUT', body: await readFile(file) })

/** Runs the build script: curl's exit code, and its output. */
function build(file: string, commit: string, query = ''): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(path.resolve('tests/server/gate/gate.sh'), [`${api()}/uploads`, file, commit, query], (error, stdout) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout })
    })
  })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-gate-'))
  original = await readFile('tests/fixtures/vegeta-json/attack-01-12.13.0.json', 'utf8')
  app = await shareServer('plain')
  await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name: 'Gate', slug: 'gate' }) })
})

describe('a verdict that takes longer than a request may', () => {
  let hasty: SharedServer
  beforeAll(async () => {
    hasty = await shareServer('strict')
    const body = JSON.stringify({ name: 'Gate', slug: 'gate' })
    await fetch(`${hasty.url}/api/v1/projects`, { method: 'POST', body })
  })

  it('is polled at the address from a 202, until it exists', async () => {
    const send = async (hours: number, factor: number, query: string) => {
      const body = await readFile(await report(hours, factor))
      return fetch(`${hasty.url}/api/v1/projects/gate/uploads?${query}`, { method: 'PUT', body })
    }
    for (let at = 0; at < 9; at += 1) await send(at, 1 + 0.02 * Math.sin(at * 2.4), `label=commit=h${at}`)
    const answer = await send(9, 1.7, 'label=commit=h9&gate=1&format=json')
    expect(answer.status).toBe(202)
    expect(await answer.json()).toMatchObject({ result: 'pending', rows: [], runs: [expect.anything()] })
    expect(answer.headers.get('retry-after')).toBe('2')
    const location = answer.headers.get('location') ?? ''
    expect(location).toMatch(/\/api\/v1\/projects\/gate\/uploads\/[0-9a-v]{26}\/gate\?format=json$/)
    const statuses = new Set<number>()
    await expect
      .poll(
        async () => {
          const polled = await fetch(location)
          statuses.add(polled.status)
          return polled.status === 202 ? null : polled.json()
        },
        { timeout: 10_000, interval: 50 },
      )
      .toMatchObject({ result: 'failed' })
    expect(statuses.has(422)).toBe(true)
  })
})

describe('a build with curl', () => {
  it('passes while nothing is worse, says if it cannot judge, and fails with 22 if it is slower', async () => {
    const first = await build(await report(0, 1), 'c0')
    expect(first).toMatchObject({ code: 0, output: expect.stringMatching(/^Not judged: not enough history\./) })
    for (let at = 1; at < 10; at += 1) await build(await report(at, 1 + 0.02 * Math.sin(at * 2.4)), `c${at}`)
    const passed = await build(await report(10, 1.01), 'c10')
    expect(passed.code).toBe(0)
    expect(passed.output).toMatch(
      /^Passed: nothing is worse than earlier runs; \S+ [\d.]+\s% (?:higher|lower) would have been noticed\.\n\nseries +metric +before +now/,
    )
    const failed = await build(await report(11, 1.6), 'c11')
    expect(failed.code).toBe(22)
    expect(failed.output).toMatch(/^Failed: \S+ of .+ is .+, outside of the expected .+ \([+−][\d.]+\s%\)/)
    expect(failed.output.split('\n').filter((line) => line.endsWith('unusual, worse'))).toEqual([
      expect.stringMatching(/ p95 +.* \+\d\d\.\d\s% +.* unusual, worse$/),
    ])
    expect(failed.output).toMatch(/ p99 +– +[\d.]+\sms +not judged: \S.*$/m)
    const again = /# ask again: (\S+)/.exec(failed.output)?.[1] ?? ''
    const markdown = await fetch(`${again}?format=md`)
    expect(markdown.status).toBe(422)
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await markdown.text()).toMatch(
      /^\*\*Failed: \S+ of .+ outside of the expected .+\*\*\n\n\| series \| metric \|/,
    )
    const json: unknown = await (await fetch(again, { headers: { accept: 'application/json' } })).json()
    expect(json).toMatchObject({
      result: 'failed',
      rows: expect.arrayContaining([expect.objectContaining({ metric: 'p95', verdict: 'unusual' })]),
    })
  })

  it('waits for three runs of a commit, then judges their median', async () => {
    const answers = []
    for (const [at, factor] of [0.99, 1.5, 1.01].entries())
      answers.push(await build(await report(20 + at, factor), 'three', 'wait=3'))
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(answers[0]?.output).toMatch(/^Waiting for 2 more runs of this commit\./)
    expect(answers[2]?.output).toMatch(/^Passed/)
  })

  it('an alert is raised once the slower level is confirmed, and only once', async () => {
    for (let at = 0; at < 5; at += 1) await build(await report(40 + at, 1.8 + 0.01 * at), `slow-${at}`)
    const { alerts } = z
      .object({ alerts: z.array(z.looseObject({ state: z.string(), cause: z.string() })) })
      .parse(await (await fetch(`${api()}/alerts`)).json())
    expect(alerts).toMatchObject([{ state: 'open', cause: 'commit slow-0' }])
    const later = await build(await report(45, 1.83), 'slow-5')
    expect(later.code).toBe(0)
    expect(later.output).toMatch(
      /^Passed: of \d checks 1 would have failed, but are excused\. An earlier alert is still open\.\n/,
    )
    expect(later.output).toMatch(/\n# still open: .+ http:\S+\/p\/gate\/alerts\/[0-9a-v]{26}\n/)
  })

  it('says where to poll while runs of the commit are missing', async () => {
    const answer = await put(await report(60, 1), 'gate=1&wait=3&label=commit=two-are-missing')
    expect(answer.status).toBe(202)
    const location = answer.headers.get('location') ?? ''
    expect(location).toMatch(/\/uploads\/[0-9a-v]{26}\/gate\?format=text&wait=3$/)
    const before = await fetch(location)
    const waiting = await before.text()
    expect([before.status, waiting]).toEqual([202, expect.stringMatching(/^Waiting for 2 more runs/)])
    // The upload's address had no name.
    expect(waiting).toMatch(/^# no name: /m)
    for (const hours of [61, 62]) await put(await report(hours, 1), 'label=commit=two-are-missing')
    const after = await fetch(location)
    expect([200, 422]).toContain(after.status)
    expect(after.headers.get('location')).toBeNull()
  })

  it.each(['', '&candidate=1'])('runs a commit again that is off, and judges it by the repeats%s', async (as) => {
    const slug = as === '' ? 'again' : 'again-candidate'
    await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name: slug, slug }) })
    const send = async (hours: number, factor: number, query: string) => {
      const body = await readFile(await report(hours, factor))
      return fetch(`${app.url}/api/v1/projects/${slug}/uploads/a.json?${query}`, { method: 'PUT', body })
    }
    for (let at = 0; at < 9; at += 1) await send(at, 1 + 0.02 * Math.sin(at * 2.4), `label=commit=h${at}`)
    const asked = async (from: number, commit: string, factors: readonly number[]) => {
      const said: string[] = []
      for (const [at, factor] of factors.entries()) {
        const answer = await send(from + at, factor, `label=commit=${commit}&gate=1&repeat=auto${as}`)
        const text = await answer.text()
        said.push(`${answer.status} ${answer.headers.get('tailboard-repeat')} ${text.split(/[:;\n]/)[0]}`)
        if (answer.status === 202) expect(answer.headers.get('location')).toBeNull()
        if (at > 0) continue
        expect(text).toMatch(/^Run it again: p95 is 60\s% higher than its level \(\d+\.\d deviations\); 3 /)
        const listed = await fetch(`${app.url}/api/v1/projects/${slug}/runs?label=commit=${commit}`)
        const [run] = z.object({ rows: z.array(z.object({ id: z.string() })) }).parse(await listed.json()).rows
        const page = await (await fetch(`${app.url}/p/${slug}/runs/${run?.id ?? ''}`)).text()
        expect(page).toContain('3 more runs settle it')
      }
      return said
    }
    expect(await asked(10, 'unlucky', [1.6, 1.01, 0.99, 1])).toEqual([
      '202 3 Run it again',
      '202 2 Run it again',
      '202 1 Run it again',
      '200 null Passed',
    ])
    const slower = await asked(20, 'slower', [1.6, 1.55, 1.62, 1.6])
    expect(slower.at(-1)).toBe('422 null Failed')
  })

  it('refuses invalid values', async () => {
    for (const query of ['wait=0', 'repeat=2', 'repeat=auto:7']) {
      const answer = await fetch(`${api()}/uploads?gate=1&${query}`, { method: 'PUT', body: original })
      expect(answer.status, query).toBe(400)
    }
  })
})
