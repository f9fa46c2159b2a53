import { describe, expect, it } from 'vitest'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import { themes } from '@/app/_server/themes'
import { alertMessage, testMessage } from '@/lib/rules/alert-message'
import { mailTexts, slackBody, webhookBody } from '@/lib/rules/message-forms'
import { retryDelayMs } from '@/lib/rules/retries'
import type { DriftEvent, LevelEvent } from '@/lib/rules/rule-events'
import type { StoredAlert } from '@/lib/rules/stored-alerts'

const finding: AlertFinding = {
  metricId: 'p99',
  seriesId: 's1',
  profile: 'hey',
  before: 100,
  after: 140,
  effectRatio: 0.4,
  effectLowRatio: 0.388,
  effectHighRatio: 0.41,
  pRobust: 0.0001,
  pRank: 0.0002,
  noise: 0.011,
  runsBefore: 20,
  runsAfter: 6,
  weight: 3,
  beforeRunId: 'before0',
  afterRunId: 'after0',
  beforeRunIds: ['before1', 'before0'],
  afterRunIds: ['after0', 'after1'],
  cause: 'commit 4f2a',
  reach: 3,
  origin: null,
  since: '2026-11-20T08:00:00.000Z',
}
const limit: LevelEvent = {
  kind: 'limit',
  metricId: 'p99',
  seriesId: 's1',
  profile: 'hey',
  expected: 50,
  side: 'above',
  value: 60,
  count: 2,
  referenceRunIds: [],
  firstRunId: 'first0',
  lastRunId: 'last0',
  since: '2026-11-19T08:00:00.000Z',
  overSince: null,
}
const series = {
  id: 's1',
  projectId: 'p1',
  projectSlug: 'shop',
  scenario: 'GET /cart',
  variant: 'redis',
  environment: null,
}

const alertOf = (fields: Partial<StoredAlert> = {}) =>
  ({
    id: 'a1',
    projectId: 'p1',
    projectSlug: 'shop',
    state: 'open',
    series,
    findings: [finding],
    events: [],
    sensitivity: 'balanced',
    detectorVersion: '1',
    cause: 'commit abc1234',
    raisedRunId: null,
    openedAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
    closedAt: null,
    steps: [],
    seriesOf: { s1: series },
    ...fields,
  }) as StoredAlert
const context = {
  origin: 'https://tailboard.example.com',
  project: { slug: 'shop', name: 'Shop' },
  repositoryUrl: null,
  at: '2026-11-21T09:00:00.000Z',
}
const title = 'p99 40\u00a0% higher: GET /cart · redis'

describe('messages about alerts', () => {
  const message = alertMessage(alertOf(), 'opened', context)

  it('say what, by how much, since what, how certain, and where to look', () => {
    expect(message).toMatchObject({
      title,
      since: 'Since commit abc1234, first seen in the run of 20 Nov 2026.',
      url: 'https://tailboard.example.com/p/shop/alerts/a1',
    })
    expect(message.changes).toMatchObject([
      {
        metric: 'p99',
        unit: 'ms',
        before: 100,
        after: 140,
        compareUrl: 'https://tailboard.example.com/p/shop/compare/before1+before0...after0+after1',
        firstRunUrl: 'https://tailboard.example.com/p/shop/runs/after0',
      },
    ])
  })

  it('link to the commit if the project names its repository', () => {
    const known = { ...context, repositoryUrl: 'https://git.example.com/shop' }
    const url = 'https://git.example.com/shop/commit/abc1234'
    const linked = alertMessage(alertOf(), 'opened', known)
    expect(linked.alert?.commitUrl).toBe(url)
    expect(message.alert?.commitUrl).toBeNull()
    expect(JSON.parse(webhookBody(linked))).toMatchObject({ data: { alert: { commitUrl: url } } })
    expect(mailTexts(linked, themes).text).toContain(`Commit: ${url}\n`)
    expect(mailTexts(linked, themes).html).toContain(`href="${url}"`)
    expect(slackBody(linked)).toContain(`<${url}|View commit>`)
    for (const written of [mailTexts(message, themes).text, mailTexts(message, themes).html, slackBody(message)])
      expect(written).not.toMatch(/View commit|Commit: /)
    const named = alertMessage(alertOf({ cause: 'commit release-7' }), 'opened', known)
    expect(named.alert?.commitUrl).toBeNull()
  })

  it('as plain mail', () => {
    expect(mailTexts(message, themes).subject).toBe(`[Tailboard] ${title}`)
    expect(mailTexts(message, themes).text.replaceAll('\u00a0', ' ').split('\n')).toEqual([
      'p99 40 % higher: GET /cart · redis',
      '',
      'Since commit abc1234, first seen in the run of 20 Nov 2026.',
      '',
      'From 100 ms to 140 ms, +40.0 % (95 % interval +38.8 % to +41.0 %); 6 runs since 20 Nov 2026 vs 20 runs before; run-to-run noise ±1.1 %.',
      'Compare: https://tailboard.example.com/p/shop/compare/before1+before0...after0+after1',
      '',
      'https://tailboard.example.com/p/shop/alerts/a1',
      '',
      '-- ',
      'Tailboard, project Shop',
    ])
  })

  it('with the interval of each change, in every form', () => {
    const two = { ...finding, metricId: 'mean', effectRatio: -0.2, effectLowRatio: -0.22, effectHighRatio: -0.17 }
    const both = alertMessage(alertOf({ findings: [finding, two] }), 'opened', context)
    const { text, html } = mailTexts(both, themes)
    for (const written of [text, html, slackBody(both)])
      for (const interval of ['+38.8 % to +41.0 %', '−22.0 % to −17.0 %'])
        expect(written.replaceAll('\u00a0', ' ')).toContain(`95 % interval ${interval}`)
    const { data } = JSON.parse(webhookBody(both)) as { data: { changes: unknown } }
    expect(data.changes).toMatchObject([
      { effectRatio: 0.4, effectLowRatio: 0.388, effectHighRatio: 0.41 },
      { effectRatio: -0.2, effectLowRatio: -0.22, effectHighRatio: -0.17 },
    ])
  })

  it('as a Standard Webhooks request', () => {
    expect(JSON.parse(webhookBody(message))).toMatchObject({
      type: 'alert.opened',
      timestamp: '2026-11-21T09:00:00.000Z',
      data: { title, project: { slug: 'shop' }, alert: { id: 'a1', state: 'open', cause: 'commit abc1234' } },
    })
  })

  it('of a recovery', () => {
    const recovered = alertMessage(alertOf({ state: 'recovered' }), 'recovered', context)
    expect(recovered.title).toBe(`Recovered: ${title}`)
    expect(recovered.since).toBe(
      'A later change restored the old level. The alert for commit abc1234 was raised 21 Nov 2026.',
    )
    expect(JSON.parse(webhookBody(recovered))).toMatchObject({ type: 'alert.recovered' })
  })

  it("without a commit name the first run; with many changes stay below 16 kB and within Slack's limits", () => {
    const findings = Array.from({ length: 40 }, (_, at) => ({ ...finding, metricId: at % 2 ? 'p50' : 'p99' }))
    const long = { ...series, scenario: 'x'.repeat(200), variant: 'y'.repeat(200), environment: 'z'.repeat(200) }
    const alert = alertOf({ findings, cause: 'upload u1', series: long, seriesOf: { s1: long } })
    const many = alertMessage(alert, 'opened', context)
    expect(many.since).toBe('Since the run of 20 Nov 2026.')
    expect(many.title.length).toBe(300)
    expect([many.changes.length, many.moreChanges]).toEqual([10, 30])
    expect(Buffer.byteLength(webhookBody(many))).toBeLessThan(20_000)
    const slack = slackBody(many)
    expect(slack).toContain('And 35 more changes.')
    const { blocks }: { blocks: { type: string; text?: { text: string } }[] } = JSON.parse(slack)
    for (const { type, text } of blocks) {
      expect(text?.text.length ?? 0).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000)
    }
    expect(blocks.length).toBeLessThanOrEqual(50)
  })

  it('names cannot inject markup, mentions, links or mail headers', () => {
    const evil = {
      ...series,
      scenario: '<!channel> <https://evil|x> & <script>alert(1)</script>',
      variant: 'a\r\nBcc: e@x.y',
    }
    const alert = alertMessage(alertOf({ series: evil, seriesOf: { s1: evil } }), 'opened', context)
    const slack: { text: string; blocks: { type: string; text?: { text: string } }[] } = JSON.parse(slackBody(alert))
    for (const text of [
      slack.text,
      ...slack.blocks.filter((one) => one.type === 'section').map((one) => one.text?.text),
    ]) {
      expect(text).not.toMatch(/<!|<https:\/\/evil|<script/)
    }
    const mail = mailTexts(alert, themes)
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.html).not.toMatch(/<script|<!channel|<https/)
  })

  it('keep Slack blocks intact whatever the names: no escape, link or character is cut', () => {
    const nasty = { ...series, scenario: '&<>😀'.repeat(50), variant: '<'.repeat(200), environment: '>'.repeat(200) }
    const findings = Array.from({ length: 12 }, () => finding)
    const alert = alertOf({ findings, events: [limit, limit], series: nasty, seriesOf: { s1: nasty } })
    const body = slackBody(alertMessage(alert, 'opened', context))
    expect(body).not.toMatch(/\\ud[89ab]/)
    const { blocks, text }: { text: string; blocks: { type: string; text?: { text: string } }[] } = JSON.parse(body)
    expect(blocks.length).toBeLessThanOrEqual(50)
    for (const one of [
      text,
      ...blocks.flatMap((block) => (block.type === 'section' ? (block.text?.text ?? '') : [])),
    ]) {
      expect(one.length).toBeLessThanOrEqual(3_000)
      const links = one.match(/<https:\/\/[^<>|\s]+\|[^<>|]+>/g) ?? []
      const rest = links.reduce((left, link) => left.replace(link, ''), one)
      expect(rest).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    }
  })

  it('about a limit name its series and the run since which it is broken', () => {
    const red = { ...series, id: 's2', variant: 'red' }
    const alert = alertOf({
      findings: [],
      cause: null,
      events: [limit, { ...limit, seriesId: 's2', value: 61 }],
      seriesOf: { s1: series, s2: red },
    })
    const message = alertMessage(alert, 'opened', context)
    expect(message.since).toBe('Since the run of 19 Nov 2026.')
    expect(message.events.map((event) => event.replaceAll('\u00a0', ' '))).toEqual([
      'p99 60.0 ms, above the limit of 50 ms: GET /cart · redis',
      'p99 61.0 ms, above the limit of 50 ms: GET /cart · red',
    ])
    const { html } = mailTexts(message, themes)
    expect(html).toContain('>New alert · Shop<')
    expect(html).toContain('prefers-color-scheme:dark')
    expect(html).toContain(`color:${themes.light['--worse']};font-weight:600`)
    expect(html).toContain(`.opened{color:${themes.dark['--worse']}!important}`)
    expect(html).not.toMatch(/var\(|undefined/)
  })

  it('about a slow drift name no commit, since none started it', () => {
    const drift: DriftEvent = {
      ...{ kind: 'drift', metricId: 'p99', seriesId: 's1', profile: 'hey', before: 40, after: 45.6, effectRatio: 0.14 },
      ...{ pRobust: 0, pRank: 0, count: 60, firstRunId: 'a', lastRunId: 'b', since: limit.since, overSince: null },
      newestAt: null,
    }
    const crept = alertMessage(alertOf({ findings: [], events: [drift] }), 'opened', context)
    expect(crept.since).toBe('Since the run of 19 Nov 2026.')
    expect(crept.alert).toMatchObject({ cause: null, commitUrl: null })
    expect(crept.title.replaceAll('\u00a0', ' ')).toBe('p99 rose 14 % over 60 runs, no single step: GET /cart · redis')
    const both = alertMessage(alertOf({ findings: [], events: [drift, limit] }), 'opened', context)
    expect(both.since).toMatch(/^Since commit abc1234/)
  })

  it('a test says that nothing is wrong', () => {
    const test = testMessage('#ops', context)
    expect(test).toMatchObject({
      title: 'Test of channel #ops',
      alert: null,
      url: `${context.origin}/p/shop/channels`,
    })
    expect(JSON.parse(webhookBody(test))).toMatchObject({ type: 'test' })
  })
})

it('ten tries, spread by 10 %, 75 h 35 min from first to last', () => {
  const waits = Array.from({ length: 9 }, (_, at) => retryDelayMs(at + 1, 0.5) ?? 0)
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(((75 * 60 + 35) * 60 + 5) * 1_000)
  expect(retryDelayMs(10, 0.5)).toBeNull()
  expect([retryDelayMs(1, 0), retryDelayMs(1, 0.999_999), retryDelayMs(1, 0.5, 0.01)]).toEqual([4_500, 5_500, 50])
})
