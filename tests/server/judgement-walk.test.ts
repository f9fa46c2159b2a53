import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { writeSides } from '@/lib/judge/compare-url'
import { findMetric } from '@/lib/run/metrics'
import { findingWords, sureWords } from '@/lib/rules/alert-words'
import { formatChange, formatFactor, formatMs } from '@/lib/format'
import { halfRateAt, outlierAt, plantedHistory, regressedAt, type PlantedRun } from './planted-history'
import { startReceiver, type Receiver } from './receiver'
import { shareServer, type SharedServer } from '../shared-servers'

/**
 * Machine-readable output for one planted history: messages, gate, comparison, matrix, previews and the API agree.
 * tests/e2e/judgement.spec.ts walks the pages.
 */

const findingSchema = z.object({
  metricId: z.string(),
  seriesId: z.string(),
  profile: z.string(),
  before: z.number(),
  after: z.number(),
  effectRatio: z.number(),
  effectLowRatio: z.number(),
  effectHighRatio: z.number(),
  pRobust: z.number(),
  pRank: z.number(),
  noise: z.number(),
  runsBefore: z.number(),
  runsAfter: z.number(),
  weight: z.number(),
  beforeRunId: z.string(),
  afterRunId: z.string(),
  beforeRunIds: z.array(z.string()),
  afterRunIds: z.array(z.string()),
  since: z.string(),
  cause: z.string().nullable(),
  reach: z.number(),
  origin: z.null(),
})
const alertSchema = z.looseObject({
  id: z.string(),
  state: z.string(),
  cause: z.string(),
  openedAt: z.string(),
  findings: z.array(findingSchema),
})
const runSchema = z.looseObject({
  id: z.string(),
  uploadId: z.string(),
  seriesId: z.string(),
  variant: z.string(),
  labels: z.record(z.string(), z.string()),
  judged: z.object({ state: z.string(), sentence: z.string() }).nullable(),
})
const metricSchema = z.looseObject({
  metricId: z.string(),
  state: z.string(),
  effectRatio: z.number().nullable(),
  effectLowRatio: z.number().nullable(),
  effectHighRatio: z.number().nullable(),
})
const figuresSchema = z.looseObject({ p99Ms: z.number() })
const detailSchema = z.looseObject({
  judgement: z.looseObject({ state: z.string(), sentence: z.string(), metrics: z.array(metricSchema) }),
})
const messageSchema = z.object({
  type: z.string(),
  data: z.looseObject({
    title: z.string(),
    since: z.string(),
    url: z.string(),
    alert: z.looseObject({ id: z.string(), state: z.string(), cause: z.string() }),
    changes: z.array(z.looseObject({ metric: z.string(), words: z.string(), compareUrl: z.string() })),
  }),
})
const comparisonSchema = z.looseObject({
  sentence: z.string(),
  sides: z.array(z.object({ name: z.string(), runIds: z.array(z.string()) })),
  rows: z.array(
    z.looseObject({
      metric: z.string(),
      baseValue: z.number().nullable(),
      deltas: z.array(
        z.looseObject({
          value: z.number().nullable(),
          changeRatio: z.number().nullable(),
          lowRatio: z.number().nullable(),
          highRatio: z.number().nullable(),
          verdict: z.string(),
          word: z.string().nullable(),
        }),
      ),
    }),
  ),
})

let app: SharedServer
let receiver: Receiver
let smtp: SMTPServer
const mails: string[] = []

const api = () => `${app.url}/api/v1/projects/planted`
const text = async (path: string) => (await fetch(path.startsWith('http') ? path : `${api()}${path}`)).text()
const get = async <T>(schema: z.ZodType<T>, path: string): Promise<T> => schema.parse(JSON.parse(await text(path)))
const post = async (path: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(`${api()}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const json: unknown = await answer.json()
  expect(answer.status, JSON.stringify(json)).toBeLessThan(300)
  return json
}
const send = async ({ query, body }: PlantedRun) => {
  const answer = await fetch(`${api()}/uploads?${query}`, { method: 'PUT', body })
  return { status: answer.status, printed: await answer.text() }
}
const plain = (words: string) => words.replaceAll(/[\u00a0\u202f]/g, ' ')
const decoded = (html: string) =>
  html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
const commitOf = ({ query }: PlantedRun) => query.get('label')?.replace('commit=', '') ?? ''
const alerts = async () => (await get(z.looseObject({ alerts: z.array(alertSchema) }), '/alerts')).alerts
const runs = async () => (await get(z.looseObject({ rows: z.array(runSchema) }), '/runs?limit=200')).rows

/** The names of a metric in a gate, and in tables. */
const shortLabelOf = (metricId: string) => findMetric(metricId)?.shortLabel ?? metricId
const labelOf = (metricId: string) => findMetric(metricId)?.label ?? metricId

/** A CSV line that starts with these cells. */
const lineOf = (csv: string, ...start: readonly string[]) =>
  csv.split(/\r?\n/).find((line) => start.every((one) => line.split(',').includes(one)))

beforeAll(async () => {
  app = await shareServer('plain')
  receiver = await startReceiver(undefined, app.webhookPort)
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(app.smtpPort, '127.0.0.1', resolve))
  const body = JSON.stringify({ name: 'Planted', slug: 'planted' })
  await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body })
  await post('/channels', { kind: 'webhook', name: 'Hook', target: `${receiver.url}/alerts` })
  await post('/channels', { kind: 'email', name: 'Team', target: 'team@example.com' })
})
afterAll(async () => {
  await receiver.close()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})

it('agrees about a planted history in messages, gate, comparison, matrix, previews and API', async () => {
  const stepMs = 6 * 3_600_000
  const history = plantedHistory({ firstAtMs: Date.now() - 61 * stepMs, stepMs })
  let sent = 0
  const refused: string[] = []
  const sendNext = async (run: PlantedRun): Promise<string> => {
    const { status, printed } = await send(run)
    sent += 1
    if (status === 422) refused.push(commitOf(run))
    return printed
  }
  let raised: z.infer<typeof alertSchema> | undefined
  for (const run of history) {
    const printed = await sendNext(run)
    if (!commitOf(run).startsWith('node22')) continue
    ;[raised] = await alerts()
    if (raised === undefined) continue
    // The upload that raised it: its verdict names what the alert names.
    expect(printed).toMatch(/^Failed: /)
    for (const { metricId } of raised.findings) expect(printed).toMatch(new RegExp(`${shortLabelOf(metricId)} .*worse`))
    break
  }
  if (raised === undefined) throw new Error('no alert')

  // The messages say what the alert says at that moment, and nothing else.
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(0)
  await expect.poll(() => mails.length, { timeout: 20_000 }).toBeGreaterThan(0)
  const told = messageSchema.parse(JSON.parse(receiver.received[0]?.body ?? ''))
  expect(told).toMatchObject({
    type: 'alert.opened',
    data: { alert: { id: raised.id, state: 'open', cause: raised.cause } },
  })
  const [lead] = raised.findings
  if (lead === undefined) throw new Error('no finding')
  expect(told.data.title).toContain(findingWords(lead))
  expect(told.data.changes).toMatchObject(
    raised.findings.map(({ metricId, before, after, effectRatio, effectLowRatio, effectHighRatio }) => {
      return { metric: metricId, before, after, effectRatio, effectLowRatio, effectHighRatio }
    }),
  )
  expect(told.data.since).toContain(raised.cause)
  const mail = plain(decodeMail(mails[0] ?? ''))
  for (const finding of raised.findings) expect(mail).toContain(plain(sureWords(finding)))
  expect(mail).toContain(plain(told.data.title))

  // The judgement of the run that raised it.
  const all = await runs()
  const first = all.find(({ labels }) => labels['commit'] === commitOf(history[sent - 1] ?? history[0] ?? fail()))
  const judged = await get(detailSchema, `/runs/${first?.id}`)
  expect(judged.judgement.state).toBe('worse')
  for (const { metricId, effectRatio, effectLowRatio, effectHighRatio } of raised.findings)
    expect(judged.judgement.metrics.find((one) => one.metricId === metricId)).toMatchObject({
      state: 'worse',
      effectRatio,
      effectLowRatio,
      effectHighRatio,
    })

  // The rest of the history: still one alert, one message.
  for (const run of history.slice(sent)) await sendNext(run)
  const [alert, ...others] = await alerts()
  expect(others).toEqual([])
  if (alert === undefined) throw new Error('no alert')
  expect(alert).toMatchObject({ id: raised.id, state: 'open', cause: 'commit node22-40' })
  expect(receiver.received).toHaveLength(1)
  expect(mails).toHaveLength(1)
  // The outlier, the night at half the rate, and the regression until it was known: nothing else failed a build.
  const untilKnown = refused.filter((commit) => commit.startsWith('node22'))
  expect(refused.filter((commit) => !untilKnown.includes(commit))).toEqual([
    `node20-${outlierAt}`,
    `node20-${halfRateAt}`,
  ])
  expect(untilKnown).toEqual(untilKnown.map((_, at) => `node22-${regressedAt + at}`))
  expect(untilKnown.length).toBeGreaterThanOrEqual(2)
  expect(untilKnown.length).toBeLessThanOrEqual(4)

  // Its comparison, as JSON, CSV and Markdown.
  for (const finding of alert.findings) {
    const sides = writeSides([finding.beforeRunIds, finding.afterRunIds])
    const compared = await get(comparisonSchema, `/compare/${sides}/data.json?m=${finding.metricId}`)
    expect(compared.sides.map(({ runIds }) => runIds)).toEqual([finding.beforeRunIds, finding.afterRunIds])
    const delta = compared.rows.find(({ metric }) => metric === finding.metricId)?.deltas[0]
    expect(delta).toMatchObject({
      verdict: 'worse',
      word: 'worse',
      changeRatio: expect.closeTo(finding.effectRatio, 9),
      lowRatio: finding.effectLowRatio,
      highRatio: finding.effectHighRatio,
    })
    const csv = await text(`/compare/${sides}/data.csv?m=${finding.metricId}`)
    const cells = lineOf(csv, finding.metricId, 'candidate')?.split(',') ?? []
    expect(cells).toEqual(expect.arrayContaining(['worse', String(delta?.value), String(delta?.changeRatio)]))
    expect(cells).toEqual(expect.arrayContaining([String(delta?.lowRatio), String(delta?.highRatio)]))
    const table = await text(`/compare/${sides}/table.md?m=${finding.metricId}`)
    expect(plain(table)).toContain(plain(`${compared.sentence}.`))
    expect(table.split('\n').find((line) => line.startsWith(`| ${labelOf(finding.metricId)}`))).toContain(
      '| worse, as an alert reports |',
    )
    expect(plain(table)).toContain(plain(formatChange(delta?.changeRatio ?? 0)).replace('+', ''))
  }

  // The newest run of each variant: list, API and gate.
  const rows = await runs()
  const newest = (variant: string) => rows.find(({ labels }) => labels['commit'] === `${variant}-59`) ?? fail()
  for (const [variant, state] of [
    ['node22', 'worse'],
    ['node20', 'as-expected'],
  ] as const) {
    const run = newest(variant)
    const { judgement } = await get(detailSchema, `/runs/${run.id}`)
    expect(judgement.state).toBe(state)
    expect(run.judged).toEqual({ state, sentence: judgement.sentence })
    const gate = await get(
      z.looseObject({ rows: z.array(z.looseObject({ metric: z.string(), verdict: z.string() })) }),
      `/uploads/${run.uploadId}/gate?format=json`,
    )
    const markdown = await text(`/uploads/${run.uploadId}/gate?format=md`)
    const printed = await text(`/uploads/${run.uploadId}/gate`)
    for (const { metric, verdict } of gate.rows) {
      expect(judgement.metrics.find(({ metricId }) => metricId === metric)?.state).toBe(verdict)
      if (verdict !== 'worse') continue
      expect(markdown).toMatch(
        new RegExp(`\\| ${shortLabelOf(metric)} \\|.*\\| level worse since \\S+, but reported by an open alert \\|`),
      )
      expect(printed).toMatch(new RegExp(`${shortLabelOf(metric)} .*worse`))
    }
  }

  // The matrix uses the newest run of each variant, not the median of two months, and judges it like its comparison.
  const [base, side] = [newest('node20'), newest('node22')]
  const pair = await get(comparisonSchema, `/compare/${base.id}...${side.id}/data.json?m=p99`)
  const p99 = pair.rows.find(({ metric }) => metric === 'p99')
  const shared = z.looseObject({ url: z.string() }).parse(
    await post('/shares', {
      name: 'All',
      kind: 'matrix',
      sides: [rows.map(({ id }) => id)],
      view: 'metric=p99&base=node20',
    }),
  )
  const address = new URL(shared.url, app.url).pathname
  const matrix = await text(`${app.url}${address}/data.csv`)
  const cell = lineOf(matrix, side.id, 'p99')?.split(',') ?? []
  expect(cell).toContain(String(p99?.deltas[0]?.value))
  const factor = cell.map(Number).find((one) => Math.abs(one - 1 - (p99?.deltas[0]?.changeRatio ?? 0)) < 1e-9)
  expect(factor).toBeGreaterThan(1)
  const markdown = await text('/matrix/matrix.md?metric=p99&base=node20')
  expect(plain(markdown)).toContain(plain(formatFactor(factor ?? 0)))
  expect(plain(markdown)).toContain(plain(formatMs(p99?.deltas[0]?.value ?? 0)).split(' ')[0])
  expect(cell).not.toContain('better')

  // Link previews: for a run its judgement, for a comparison its verdict.
  for (const [kind, sides, said] of [
    ['run', [[side.id]], `Worse: ${(side.judged?.sentence ?? '').replace(/\.$/, '')}`],
    ['comparison', [alert.findings[0]?.beforeRunIds, alert.findings[0]?.afterRunIds], null],
  ] as const) {
    const share = z
      .looseObject({ url: z.string() })
      .parse(await post('/shares', { name: 'file.txt', kind, sides, embeddable: true }))
    const at = `${app.url}${new URL(share.url, app.url).pathname}`
    const page = decoded(await text(at))
    const description = /<meta property="og:description" content="([^"]*)"/.exec(page)?.[1] ?? ''
    const title = /<meta property="og:title" content="([^"]*)"/.exec(page)?.[1] ?? ''
    const data = await get(comparisonSchema, `${at}/data.json`)
    // Title, description, heading and every file have one sentence, and none is the name of a file.
    expect(title).toMatch(said === null ? /^/ : /^GET \/checkout › node22: /)
    expect(`${title} ${description}`).not.toContain('file.txt')
    expect(page).toContain(`<title>${title} · Tailboard</title>`)
    for (const words of [title, description]) expect(plain(words)).toContain(plain(data.sentence))
    expect(plain(/<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1] ?? '')).toBe(plain(data.sentence))
    for (const file of ['table.md', 'comparison.html', 'embed', 'chart.svg'])
      expect(plain(decoded(await text(`${at}/${file}`))), file).toContain(plain(data.sentence))
    if (said !== null) {
      expect(description).toMatch(/\. Expected before: .* by \d+ runs; since: .* by \d+ runs$/)
      expect(description.startsWith(`${said}. `)).toBe(true)
      await expectNoOtherRun(at, rows, side)
    } else {
      expect(data.rows.find(({ metric }) => metric === lead.metricId)?.deltas[0]?.verdict).toBe('worse')
    }
  }

  await expectSharedBoard()
}, 180_000)

/** A shared board says what the board says, shows the newest run of each series alone, and leads nowhere else. */
async function expectSharedBoard(): Promise<void> {
  const bare = (html: string) => plain(decoded(html.replaceAll(/<[^>]*>/g, '')))
  const board = bare(await text(`${app.url}/p/planted`))
  const newest = [...new Map([...(await runs())].reverse().map((run) => [run.seriesId, run])).values()]
  const made = await post('/shares', {
    name: 'x',
    kind: 'board',
    sides: [newest.map(({ id }) => id)],
    embeddable: true,
  })
  const { url } = z.looseObject({ url: z.string() }).parse(made)
  const at = `${app.url}${new URL(url, app.url).pathname}`
  const page = await text(at)
  const heading = bare(/<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1] ?? '')
  expect(board).toContain(heading)
  expect(heading).not.toBe('')
  expect(page).not.toContain('/p/')
  for (const { judged } of newest) expect(bare(page)).toContain(plain(judged?.sentence ?? '?'))
  for (const file of ['table.md', 'data.json', 'embed'])
    expect(bare(await text(`${at}/${file}`)), file).toContain(heading)
  // Its runs alone: not those that their levels began with, and no alert.
  expect(await text(`${at}/data.json`)).not.toMatch(/afterRunId|alertId/)
  const csv = await text(`${at}/data.csv`)
  expect(csv.trim().split('\n')).toHaveLength(1 + newest.length)
  expect((await fetch(`${at}/preview.png`)).headers.get('content-type')).toBe('image/png')
  const [first] = newest
  expect(bare(await text(`${at}?cell=${first?.id ?? ''}`))).toContain('Back to x')
}

/** What a shared run shows, in page and files, is of that run and of its levels: nothing of another run. */
async function expectNoOtherRun(
  at: string,
  rows: readonly z.infer<typeof runSchema>[],
  own: z.infer<typeof runSchema>,
): Promise<void> {
  const detail = await get(
    z.looseObject({ judgement: z.looseObject({ metrics: z.array(z.unknown()) }) }),
    `/runs/${own.id}`,
  )
  const cause = /"cause":"commit ([^"]+)"/.exec(JSON.stringify(detail.judgement.metrics))?.[1] ?? ''
  const others = rows.filter(({ id }) => id !== own.id)
  expect(others.length).toBeGreaterThan(40)
  const p99Of = ({ figures }: z.infer<typeof runSchema>) => figuresSchema.parse(figures).p99Ms
  for (const file of ['', '/data.json', '/data.csv', '/table.md', '/comparison.html', '/chart.svg', '/embed']) {
    const shown = await text(`${at}${file}`)
    for (const other of others) {
      for (const id of [other.id, other.uploadId]) expect(shown, file).not.toContain(id)
      const commit = other.labels['commit'] ?? ''
      if (commit !== cause) expect(shown, `${file} ${commit}`).not.toMatch(new RegExp(`\\b${commit}\\b`))
      expect(shown, file).not.toContain(String(p99Of(other)))
    }
  }
}

function fail(): never {
  throw new Error('no such run')
}

/** The text of a mail whose parts are quoted-printable or base64. */
function decodeMail(mail: string): string {
  const parts = mail.split(/\r\n\r\n/)
  return parts
    .map((part, at) => {
      const head = parts[at - 1] ?? ''
      if (/base64\s*$/i.test(head)) return Buffer.from(part.split(/\r\n--/)[0] ?? '', 'base64').toString()
      const joined = part.replaceAll(/=\r\n/g, '')
      const bytes = joined.replaceAll(/((?:=[0-9A-F]{2})+)/g, (hex) =>
        Buffer.from(hex.replaceAll('=', ''), 'hex').toString(),
      )
      return bytes
    })
    .join('\n')
    .replaceAll('\r\n', '\n')
}
