import { expect, it } from 'vitest'
import { attentionItems, ownItems } from '@/components/projects/attention'
import type { AlertRow } from '@/lib/rules/stored-alerts'
import type { JudgedState } from '@/lib/run/judged-states'
import { projectNews, type NewsRun } from '@/lib/project/project-news'

const run = (id: string, seriesId: string, state: JudgedState) =>
  ({
    ...{ id, seriesId, candidate: false, projectId: 'p', projectSlug: 'shop' },
    orderedAt: '2026-11-14T23:40:00.000Z',
    judged: { state, sentence: state },
  }) as NewsRun
const alert = (id: string, seriesId: string) =>
  ({
    id,
    projectId: 'p',
    projectSlug: 'shop',
    series: { id: seriesId, scenario: seriesId },
    findings: [{ seriesId }],
    events: [],
  }) as unknown as AlertRow

const seen = (runs: readonly NewsRun[], alerts: readonly AlertRow[]) =>
  attentionItems([projectNews(runs)], alerts).map(({ action, href, judged }) => [judged.state, action, href])

it('links a series that is worse to its alert, and lists no alert twice', () => {
  expect(seen([run('r', 'a', 'worse')], [alert('x', 'a')])).toEqual([['worse', 'Open alert', '/p/shop/alerts/x']])
  expect(seen([run('r', 'a', 'worse')], [])).toEqual([['worse', 'Open run', '/p/shop/runs/r']])
})

it('links a failing run to its page, and lists alerts of other series after the runs', () => {
  expect(seen([run('r', 'a', 'failing')], [alert('x', 'a'), alert('y', 'b')])).toEqual([
    ['failing', 'Open run', '/p/shop/runs/r'],
    ['worse', 'Open alert', '/p/shop/alerts/y'],
  ])
  expect(seen([run('r', 'a', 'as-expected')], [])).toEqual([])
})

it('leaves sample projects out beside own ones', () => {
  const runs = [run('r', 'a', 'failing'), { ...run('s', 'b', 'failing'), projectSlug: 'sample' }]
  const slugs = (of: readonly NewsRun[]) =>
    ownItems(
      attentionItems([projectNews(of)], []),
      of.map(({ projectSlug: slug }) => ({ slug })),
      new Set(['sample']),
    ).map(({ projectSlug }) => projectSlug)
  expect(slugs(runs)).toEqual(['shop'])
  expect(slugs(runs.slice(1))).toEqual(['sample'])
})

it('lists an environment that moved, whatever its series do, with what moved together', () => {
  const event = {
    ...{ kind: 'environment', environment: 'm7i.large', factor: 2.9, leastFactor: 2.6, mostFactor: 3.2 },
    ...{ seriesIds: ['a', 'b'], hasControl: true, since: '2026-11-14T23:40:00.000Z', overSince: null },
  } as const
  const shifted = { ...alert('x', 'a'), events: [event], state: 'open' } as unknown as AlertRow
  const [, item] = attentionItems([projectNews([run('r', 'a', 'failing')])], [shifted])
  expect(item).toMatchObject({ scenario: 'm7i.large', action: 'Open alert', words: 'Environment' })
  expect(item?.judged.sentence.replaceAll('\u00a0', ' ')).toBe(
    'm7i.large itself became 2.9× slower on 14 Nov 2026, 23:40; the control and 1 series moved together (2.6× to 3.2×)',
  )
})
