import type { UtcIso } from '../run/run'
import type { Alert } from './alert-book'
import type { LastingEvent } from './evaluate-rules'
import type { FailedImportEvent, MissingEvent } from './rule-events'
import { builtInSettings, isMuted, type Rule } from './rules'

/** The newest run covered by a rule about missing runs; null: there never was one, so none is missing. */
export interface NewestRunOfRule {
  readonly rule: Rule
  readonly newest: { readonly runId: string; readonly at: UtcIso } | null
}

const hourMs = 3_600_000

/** Whether a run has been missing for too long at the given time, by the start of the newest one. */
export const isMissing = (hours: number, newestAt: UtcIso, at: UtcIso): boolean =>
  Date.parse(at) - Date.parse(newestAt) > hours * hourMs

/** What rules about missing runs currently find, in their order. */
export function evaluateMissing(all: readonly NewestRunOfRule[], at: UtcIso): readonly LastingEvent[] {
  return all.flatMap(({ rule, newest }): readonly LastingEvent[] => {
    if (rule.settings.kind !== 'missing' || newest === null) return []
    const { hours } = rule.settings
    if (!isMissing(hours, newest.at, at)) return []
    const event: MissingEvent = { kind: 'missing', hours, lastRunId: newest.runId, since: newest.at, overSince: null }
    const run = { seriesId: rule.seriesId, raisedRunId: newest.runId, raisedRunAt: newest.at }
    return [{ ...ofRule(rule, at), ...run, event }]
  })
}

/**
 * What rules about failed imports find in an unreadable upload, in their order. `ongoing`: alerts of the project with
 * ongoing events; another upload is added to the count of its rule's event.
 */
export function evaluateFailedImport(
  rules: readonly Rule[],
  upload: { readonly id: string; readonly name: string; readonly message: string },
  ongoing: readonly Pick<Alert, 'ruleId' | 'isOngoing' | 'events'>[],
  at: UtcIso,
): readonly LastingEvent[] {
  return rules.map((rule) => {
    const alert = ongoing.find((one) => one.isOngoing && one.ruleId === rule.id)
    const before = alert?.events.find((one) => one.kind === 'failed-import')
    const event: FailedImportEvent = {
      kind: 'failed-import',
      uploadId: upload.id,
      uploadName: upload.name,
      message: upload.message,
      count: (before?.count ?? 0) + 1,
      since: before?.since ?? at,
      overSince: null,
    }
    return { ...ofRule(rule, at), seriesId: null, raisedRunId: null, raisedRunAt: null, event }
  })
}

const ofRule = (rule: Rule, at: UtcIso) => ({
  ruleId: rule.id,
  isMuted: isMuted(rule, at),
  cause: null,
  sensitivity: builtInSettings.sensitivity,
})
