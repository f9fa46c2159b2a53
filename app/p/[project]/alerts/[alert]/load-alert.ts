import { openTrends } from '@/app/_server/alerts/judge-trends'
import {
  changeChart,
  changeFan,
  changeSearch,
  eventChart,
  isPlaceUncertain,
  type AlertEvidence,
} from '@/components/alerts/alert-evidence'
import { decidingRun, type DecidingRun } from '@/components/alerts/deciding-run'
import type { Assignee } from '@/components/alerts/alert-assignee'
import type { Trend } from '@/lib/levels/trend'
import { findMetric } from '@/lib/run/metrics'
import { sidesOfFinding, type StoredAlert } from '@/lib/rules/stored-alerts'
import { NotFoundError } from '@/lib/errors'
import { listMembers } from '@/prisma/queries/accounts/members'
import { getRun } from '@/prisma/queries/runs/runs'
import { listBoardRuns, listFanRuns } from '@/prisma/queries/series/board'
import type { Granted } from '@/prisma/queries/projects/projects'

/** Newest runs that a trend shows: as many as the board, and more for an old change. */
const shownRuns = [100, 500] as const
/** Runs that must be shown before a change, so that it is not at the edge. */
const minBefore = 10

/**
 * Who an alert can be assigned to: the project's members, and the viewer, an owner who is none; null: a server without
 * accounts.
 */
export async function listPeople(project: Granted<'read'>): Promise<readonly Assignee[] | null> {
  const { viewer } = project
  if (viewer.kind !== 'member') return null
  const members = await listMembers(project)
  const people = members.map(({ accountId: id, name }) => ({ id, name }))
  const isAmong = people.some(({ id }) => id === viewer.accountId)
  return isAmong ? people : [...people, { id: viewer.accountId, name: viewer.name }]
}

/** What shows an alert: its largest change, or that of the requested metric, with the runs around it. */
export async function loadEvidence(
  project: Granted<'read'>,
  alert: StoredAlert,
  askedMetric: string | null,
): Promise<AlertEvidence> {
  const [lead] = alert.findings
  const isOfLead = (one: (typeof alert.findings)[number]) =>
    one.seriesId === lead?.seriesId && one.profile === lead.profile
  const own = alert.findings.filter(isOfLead)
  const finding = own.find(({ metricId }) => metricId === askedMetric) ?? lead ?? null
  const event = alert.events.find((one) => 'metricId' in one) ?? null
  const shown = finding ?? (event !== null && 'metricId' in event ? event : null)
  const metric = shown === null ? null : findMetric(shown.metricId)
  const nothing: AlertEvidence = {
    finding,
    choices: own,
    chart: null,
    fan: null,
    deciding: null,
    search: null,
    runs: new Map(),
  }
  if (shown === null || metric === null || alert.seriesOf[shown.seriesId] === undefined) return nothing

  const trendOf = async (runs: number): Promise<Trend | null> => {
    const { trends } = await openTrends(project, {
      seriesIds: [shown.seriesId],
      metrics: [metric],
      runs,
    })
    return trends.get(metric)?.[0]?.trends.find(({ profile }) => profile.name === shown.profile) ?? null
  }
  const newest = await trendOf(shownRuns[0])
  const isEarly = newest !== null && (newest.points[minBefore]?.orderedAt ?? shown.since) > shown.since
  const trend = isEarly && newest.points.length >= shownRuns[0] / 2 ? await trendOf(shownRuns[1]) : newest
  if (finding === null) return { ...nothing, chart: eventChart(trend, event, alert.projectSlug) }

  const around = [finding.beforeRunId, finding.afterRunId, trend?.points.at(-1)?.runIds.at(-1) ?? '']
  const isOpen = finding.origin === 'commit-or-machine'
  const [runs, fanRuns, last] = await Promise.all([
    listBoardRuns(project, around),
    listFanRuns(project, sidesOfFinding(finding).flat()),
    isOpen || isPlaceUncertain(finding) ? findDeciding(project, finding.beforeRunId) : null,
  ])
  const source = { alert, finding, metric, trend, runs, fanRuns }
  const search = changeSearch(source, last?.command ?? null)
  const deciding = isOpen ? last : null
  return { finding, choices: own, chart: changeChart(source), fan: changeFan(source), deciding, search, runs }
}

/** The last run before a change as it is run again; null: it was deleted, or its command is not known. */
async function findDeciding(project: Granted<'read'>, runId: string): Promise<DecidingRun | null> {
  try {
    return decidingRun(await getRun(project, runId))
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
