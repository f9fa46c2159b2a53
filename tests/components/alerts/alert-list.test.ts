import { describe, expect, it } from 'vitest'
import { alertsHref, countViews, readAlertsQuery, shownAlerts, sizeOf } from '@/components/alerts/alert-list'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import type { AlertRow, AlertState } from '@/lib/rules/stored-alerts'

const at = '2026-11-03T02:00:00.000Z'
const finding: AlertFinding = {
  metricId: 'p99',
  seriesId: 's',
  profile: 'hey · closed loop',
  before: 58.6,
  after: 69.4,
  effectRatio: 0.184,
  effectLowRatio: 0.16,
  effectHighRatio: 0.23,
  pRobust: 1e-6,
  pRank: 1e-4,
  noise: 0.02,
  runsBefore: 20,
  runsAfter: 4,
  weight: 3,
  beforeRunId: 'a',
  afterRunId: 'b',
  beforeRunIds: ['a'],
  afterRunIds: ['b'],
  cause: 'commit 8de2d48',
  reach: 3,
  origin: null,
  since: at,
}
const alert = (id: string, state: AlertState, scenario = 'GET /checkout'): AlertRow => ({
  id,
  projectId: 'p',
  projectSlug: 'shop',
  state,
  series: { id: 's', projectId: 'p', projectSlug: 'shop', scenario, variant: 'node22', environment: null },
  findings: [finding],
  events: [],
  rule: null,
  sensitivity: 'balanced',
  detectorVersion: 'd',
  cause: 'commit 8de2d48',
  raisedRunId: null,
  assignee: null,
  openedAt: at,
  updatedAt: at,
  closedAt: null,
})
const alerts = [alert('1', 'resolved'), alert('2', 'acknowledged', 'GET /cart'), alert('3', 'open')]
const ids = (state: string, q: string) => shownAlerts(alerts, readAlertsQuery({ state, q }), null).map(({ id }) => id)
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('the list of alerts', () => {
  it('lists the ones that need a person first', () => {
    expect(ids('', '')).toEqual(['3', '2', '1'])
    expect(countViews(alerts)).toEqual({ all: 3, open: 1, acknowledged: 1, closed: 1 })
  })

  it('is filtered by state and by words in series, commit and sentence', () => {
    expect(ids('acknowledged', '')).toEqual(['2'])
    expect(ids('closed', '')).toEqual(['1'])
    expect(ids('', 'CART')).toEqual(['2'])
    expect(ids('', '8de2')).toEqual(['3', '2', '1'])
    expect(ids('open', 'cart')).toEqual([])
  })

  it("shows only the viewer's own on request", () => {
    const [first, ...others] = alerts
    const all = [{ ...alert('1', 'open'), assignee: { id: 'ada', name: 'Ada' } }, ...others]
    expect(first?.assignee).toBeNull()
    const mine = (accountId: string | null) => shownAlerts(all, readAlertsQuery({ mine: '1' }), accountId)
    expect(mine('ada').map(({ id }) => id)).toEqual(['1'])
    expect(mine('eve')).toEqual([])
    expect(alertsHref('/a', readAlertsQuery({ mine: '1', state: 'open' }))).toBe('/a?state=open&mine=1')
  })

  it('has its view in the address', () => {
    expect(readAlertsQuery({ state: 'no such', q: ['  a '] })).toEqual({ isMine: false, view: 'all', text: 'a' })
    expect(alertsHref('/p/shop/alerts', { isMine: false, view: 'all', text: '' })).toBe('/p/shop/alerts')
    expect(alertsHref('/p/shop/alerts', { isMine: false, view: 'open', text: 'a b' })).toBe(
      '/p/shop/alerts?state=open&q=a+b',
    )
  })

  it('shows the size of a change in one unit', () => {
    const { change, levels } = sizeOf({ findings: [finding], events: [] })
    expect([plain(change), plain(levels)]).toEqual(['+18.4 %', '58.6 to 69.4 ms'])
    const share = { ...finding, metricId: 'error-ratio', before: 0, after: 0.05 }
    expect(plain(sizeOf({ findings: [share], events: [] }).change)).toBe('5 %')
    expect(sizeOf({ findings: [], events: [] }).change).toBe('–')
  })
})
