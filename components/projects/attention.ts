import { environmentEventOf } from '@/lib/rules/environment-alert'
import { alertMark, alertSubject, alertTitle } from '@/lib/rules/alert-words'
import { shiftLine } from '@/lib/rules/rule-words'
import { seriesIdsOf, type AlertRow } from '@/lib/rules/stored-alerts'
import type { ProjectNews } from '@/lib/project/project-news'
import type { JudgedRow } from '@/lib/run/judgement'
import { urgentRuns } from '@/lib/project/urgent-runs'

/** One thing that needs attention: the newest run of a series, or an alert that is open. */
export interface AttentionItem {
  readonly projectId: string
  readonly projectSlug: string
  /** The newest run of its series; null: it is not among the newest ones. */
  readonly runId: string | null
  readonly scenario: string
  readonly variant: string | null
  readonly judged: JudgedRow
  /** Of its chip; absent: those of its state. */
  readonly words?: string | undefined
  readonly at: string
  readonly href: string
  readonly action: 'Open run' | 'Open alert'
}

/** What any other alert is on the home page. */
const worse = { state: 'worse', words: undefined } as const

/** Without those of sample projects, if there are runs of others: samples are there to be looked at, not to be fixed. */
export function ownItems(
  items: readonly AttentionItem[],
  withRuns: readonly { readonly slug: string }[],
  samples: ReadonlySet<string>,
): readonly AttentionItem[] {
  const hasOwn = withRuns.some(({ slug }) => !samples.has(slug))
  return hasOwn ? items.filter(({ projectSlug }) => !samples.has(projectSlug)) : items
}

/**
 * What needs attention, most urgent first: the newest run of each series whose state calls for action, and open alerts.
 * An alert of such a series is where that run links to, not an item of its own.
 */
export function attentionItems(
  news: readonly Pick<ProjectNews, 'urgent' | 'newestOf'>[],
  alerts: readonly AlertRow[],
): readonly AttentionItem[] {
  const newestFirst = news.flatMap(({ urgent: own }) => own).toSorted((a, b) => b.orderedAt.localeCompare(a.orderedAt))
  const urgent = urgentRuns(newestFirst)
  const alertOf = new Map(alerts.toReversed().flatMap((alert) => seriesIdsOf(alert).map((id) => [id, alert] as const)))
  const items = urgent.map((run): AttentionItem => {
    const { projectId, projectSlug, scenario, variant, judged, orderedAt, id, seriesId } = run
    const alert = judged?.state === 'worse' ? alertOf.get(seriesId) : undefined
    const href = alert ? `/p/${projectSlug}/alerts/${alert.id}` : `/p/${projectSlug}/runs/${id}`
    const said = judged ?? { state: 'no-history', sentence: '' }
    const action = alert ? 'Open alert' : 'Open run'
    return { projectId, projectSlug, runId: id, scenario, variant, judged: said, at: orderedAt, href, action }
  })
  const told = new Set(urgent.map(({ seriesId }) => seriesId))
  const others = alerts
    .filter((alert) => environmentEventOf(alert) !== null || !seriesIdsOf(alert).some((id) => told.has(id)))
    .map((alert): AttentionItem => {
      const { id, projectId, projectSlug, openedAt } = alert
      const { scenario, variant } = alertSubject(alert) ?? { scenario: 'Deleted runs', variant: null }
      const shift = environmentEventOf(alert)
      const { state, words } = shift === null ? worse : alertMark(alert)
      const judged = { state, sentence: shift === null ? alertTitle({ ...alert, series: null }) : shiftLine(shift) }
      const href = `/p/${projectSlug}/alerts/${id}`
      const [runId = null] = seriesIdsOf(alert).flatMap((of) => news.flatMap(({ newestOf }) => newestOf.get(of) ?? []))
      const about = { projectId, projectSlug, runId, scenario, variant, judged, words }
      return { ...about, at: openedAt, href, action: 'Open alert' }
    })
  return [...items, ...others]
}
