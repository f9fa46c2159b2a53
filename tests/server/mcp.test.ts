import { spawnSync } from 'node:child_process'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { heyText } from './feed-series'
import { shareServer, type SharedServer } from '../shared-servers'

const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
})

let app: SharedServer
let client: Client

beforeAll(async () => {
  app = await shareServer('strict')
  client = new Client({ name: 'tests', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url)))
  // The sample data are judged in the background.
  for (const { slug } of await projects())
    await vi.waitFor(async () => expect(await runsOf(slug)).not.toContainEqual({ judged: null }), { timeout: 60_000 })
})
afterAll(() => client.close())

const read = async <T>(schema: z.ZodType<T>, place: string): Promise<T> =>
  schema.parse(await (await fetch(`${app.url}/api/v1/projects${place}`)).json())
const projects = async () => (await read(z.object({ projects: z.array(z.object({ slug: z.string() })) }), '')).projects
const runsOf = async (slug: string) =>
  (await read(z.object({ rows: z.array(z.object({ judged: z.unknown() })) }), `/${slug}/runs?limit=200`)).rows

async function ask(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { content, isError } = resultSchema.parse(await client.callTool({ name, arguments: { ...args } }))
  // About 2,000 tokens.
  expect(content[0].text.length, name).toBeLessThanOrEqual(7_200)
  return isError === true ? `error ${content[0].text}` : content[0].text
}

/** The id of the sample run whose line in the list contains this. */
async function runOf(project: string, words: RegExp): Promise<string> {
  const line = (await ask('list_runs', { project })).split('\n').find((one) => words.test(one))
  const id = /^- ([0-9a-v]{26}) /.exec(line ?? '')?.[1]
  if (id === undefined) throw new Error(`no run of ${project} is like ${String(words)}`)
  return id
}
const readRun = async (project: string, words: RegExp) => ask('read_run', { project, run: await runOf(project, words) })
const compare = async (project: string, ...sides: RegExp[]) =>
  ask('compare_runs', { project, sides: await Promise.all(sides.map((words) => runOf(project, words))) })

/** Questions about the sample data, the calls that answer them, and what the response must contain. */
const questions: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
  ['Which projects are there?', () => ask('list_projects'), /zlib-gzip: “.*”, 4 runs[\s\S]*0 open alerts/],
  ['Which payload broke?', () => ask('matrix', { project: 'zlib-gzip' }), /^300kb payload fails 14\.33 % of requests/],
  ['… and why?', () => readRun('zlib-gzip', /› 300kb payload/), /## Failed[\s\S]*\d+ × /],
  ['What did gzip change?', () => compare('zlib-gzip', /› 250kb payload/, /gzipped 300kb/), /p99[^.]* 91 % lower/],
  ['Is that sure?', () => compare('zlib-gzip', /› 250kb payload/, /gzipped 300kb/), /[Oo]ne run/],
  ['Which is slowest at p99?', () => ask('list_runs', { project: 'zlib-gzip', sort: 'p99', limit: 1 }), /p99 30\.0 s/],
  [
    'Which runs failed?',
    () => ask('list_runs', { project: 'zlib-gzip', state: 'failing' }),
    /14\.33 % of requests failed/,
  ],
  [
    'Dispatcher or direct?',
    () => ask('matrix', { project: 'lambda-dispatcher' }),
    /^Direct Lambda serves ×2\.03 the requests on GET: Text\/Plain Ping/,
  ],
  ['At what price?', () => ask('matrix', { project: 'lambda-dispatcher' }), /×2\.03 the requests.*on ×5 the instances/],
  ['What is not possible?', () => ask('matrix', { project: 'lambda-dispatcher' }), /not possible: 6 MB limit/],
  [
    'JSON or Protocol Buffers?',
    () => ask('matrix', { project: 'protobuf-json' }),
    /get_json_data: Mean 13 times as high on Large/,
  ],
  ['What fails at cascade?', () => ask('matrix', { project: 'cascade' }), /^All 4 runs failed: every response was 404/],
  [
    'Which Smithy machine serves more?',
    () => ask('list_runs', { project: 'smithy', sort: 'rps', direction: 'desc', limit: 1 }),
    /c6i\.8xlarge/,
  ],
  ['By how much?', () => compare('smithy', /c6g/, /c6i/), /17 % (higher|more)/],
  ['How was it measured?', () => readRun('smithy', /c6i/), /closed loop[\s\S]*percentiles:/],
  ['May its tail be trusted?', () => readRun('smithy', /c6i/), /What to know before trusting it\n- \w+: /],
  ['Which series are there?', () => ask('list_series', { project: 'smithy' }), /c6g\.8xlarge/],
  [
    'Did a machine move by itself?',
    () => ask('list_environments', { project: 'smithy' }),
    /^- (c6[gi]\.8xlarge): \1 has not moved so far \(\d series, 0 controls\)$/m,
  ],
  [
    'What can the machine show?',
    () => ask('read_environment', { project: 'smithy', environment: 'c6g.8xlarge' }),
    /^# c6g\.8xlarge has not moved so far\n## What it can show\n[\s\S]*## Series\n- [0-9a-v]{26} /,
  ],
  [
    'What of a machine that is not there?',
    () => ask('read_environment', { project: 'smithy', environment: 'nowhere' }),
    /^error not-found: Environment not found/,
  ],
  ['Is anything wrong now?', () => ask('list_alerts', { project: 'smithy' }), /^No alerts\.$/],
  [
    'What of a project that is not there?',
    () => ask('list_runs', { project: 'no-such' }),
    /^error not-found: Project not found/,
  ],
  [
    'What of a metric that is not there?',
    () => ask('trend', { project: 'smithy', series: '0', metric: 'p42' }),
    /^error invalid-input: .*p42.*p99/,
  ],
]

it.each(questions)('%s', async (_question, find, expected) => {
  const said = await find()
  expect(said, said).toMatch(expected)
})

it('runs an experiment to its end, and says what its page says', async () => {
  const slug = 'tried-by-agents'
  const made = await fetch(`${app.url}/api/v1/projects`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Tried by agents', slug }),
  })
  expect(made.status).toBe(201)
  const plan = { question: 'Is *it* slower?', base: 'main', head: 'branch', metricId: 'mean', smallestRatio: 0.05 }
  const started = await ask('start_experiment', { project: slug, ...plan, maxRounds: 12 })
  expect(started).toMatch(/^# Is \\\*it\\\* slower\?\n\n\*\*Running\*\*: Not decided yet: 0 of at most 12 rounds\./)
  const experiment = /^Experiment 1 \((\w+)\)/m.exec(started)?.[1] ?? ''
  const own = { project: slug, experiment }
  let told = await ask('next_experiment_run', own)
  const [, arm = '', round = ''] = /^Run (\w+), round (\d+)\./.exec(told) ?? []
  const failed = await ask('void_experiment_run', { ...own, arm, round: Number(round), reason: 'exit 1' })
  expect(failed).toBe(`Round 1 is void: ${arm}: exit 1.`)
  for (let runs = 1; runs < 60; runs += 1) {
    told = await ask('next_experiment_run', own)
    const [, next, run] = /^Run (\w+), round \d+\.\nThen upload its whole output with run: (\S+)$/m.exec(told) ?? []
    if (next === undefined) break
    const ms = (next === 'head' ? 130 : 100) * (1 + 0.01 * Math.sin(runs * 2.4)) + runs / 10_000
    expect(await ask('upload', { project: slug, name: 'out.txt', content: heyText(ms), run })).toContain('/runs/')
  }
  expect(told).toMatch(/^It is over \(decided\): Mean of head \+.* decided at round 6 of 12\.$/)
  const sentence = told.replace('It is over (decided): ', '')
  expect(await ask('read_experiment', own)).toContain(`**Worse**: ${sentence}`)
  expect(await ask('list_experiments', { project: slug })).toContain(`- ${experiment} · worse · `)
  const page = await (await fetch(`${app.url}/p/${slug}/experiments/${experiment}`)).text()
  expect(page.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(sentence.replace(/\.$/, ''))
  expect(await ask('stop_experiment', own)).toMatch(/^error conflict: The experiment is over\./)
})

it('uploads, and reports the outcome', async () => {
  const content = 'Summary:\n  Total:\t1.0000 secs\n'
  expect(await ask('upload', { project: 'smithy', name: 'cut.txt', content })).toMatch(/^error |\/p\/smithy\//)
})

it('reads files on the command line like the sources do', () => {
  const files = ['documents/protobuf-vs-json.md', 'vegeta-gob/v8.bin', 'hey-text/http2.txt']
  const parse = (...command: readonly string[]) => {
    const args = [...command, 'parse', ...files.map((file) => `tests/fixtures/${file}`)]
    return spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 })
  }
  const sources = `import { start } from './cli/process.ts'
    await start({ root: new URL(import.meta.url), version: '', tokens: () => '', load: (address) => import(address) })`
  const bundled = parse('dist/cli.mjs')
  const read = parse('--import', 'tsx', '--input-type=module', '--eval', sources, 'tailboard')
  expect(bundled.stdout).toContain('"hey"')
  expect(read).toMatchObject({ stdout: bundled.stdout, stderr: '', status: 0 })
  expect(bundled.status).toBe(0)
})

it('serves an agent that starts a command', async () => {
  const agent = new Client({ name: 'tests', version: '1' })
  const args = ['scripts/run.js', 'mcp']
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, env: { TAILBOARD_URL: app.url } }))
  const { tools } = await agent.listTools()
  expect(tools.map(({ name }) => name)).toContain('compare_runs')
  const { content } = resultSchema.parse(await agent.callTool({ name: 'list_projects', arguments: {} }))
  expect(content[0].text).toContain('smithy')
  await agent.close()
})

it('refuses invalid messages, and requests from other sites', async () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/mcp`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    })
  expect((await send('nonsense')).status).toBe(400)
  expect((await send('{}')).status).toBe(400)
  expect((await send('{}', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await fetch(`${app.url}/mcp`)).status).toBe(405)
})
