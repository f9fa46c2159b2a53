import { alertTitle, causeOf, commitOf, findingWords, seriesWords, sureWords } from './alert-words'
import { formatDay, plural } from '../format'
import { findMetric } from '../run/metrics'
import { eventWords } from './rule-words'
import type { RuleEvent } from './rule-events'
import { commitUrl } from '../project/repository'
import type { UtcIso } from '../run/run'
import { writeSides } from '../judge/compare-url'
import { sidesOfFinding, type StoredAlert } from './stored-alerts'
import { offWords, type AlertMessageKind, type DisabledReason, type MessageKind } from './stored-channels'

/** One metric of one series that changed, in words and figures. */
export interface MessageChange {
  readonly metric: string
  /** Of `before` and `after`; null: a metric that this version does not know. */
  readonly unit: string | null
  readonly scenario: string | null
  readonly variant: string | null
  readonly environment: string | null
  /** What changed and by how much. */
  readonly words: string
  /** How certain it is. */
  readonly sure: string
  readonly before: number
  readonly after: number
  readonly effectRatio: number
  readonly effectLowRatio: number
  readonly effectHighRatio: number
  readonly runsBefore: number
  readonly runsAfter: number
  readonly sinceAt: UtcIso
  readonly compareUrl: string
  readonly firstRunUrl: string
}

/** A message to channels about an alert, before it takes a channel's form. Plain data: it is stored as JSON. */
export interface AlertMessage {
  readonly what: MessageKind
  readonly at: UtcIso
  readonly project: { readonly slug: string; readonly name: string }
  readonly title: string
  /** The run or commit since which it holds, or that it recovered. One sentence. */
  readonly since: string
  /** Null: not about an alert. */
  readonly alert: {
    readonly id: string
    readonly state: string
    readonly cause: string | null
    /**
     * Address of the commit that it began with in the project's repository; null: no commit, or no known repository.
     */
    readonly commitUrl: string | null
    readonly openedAt: UtcIso
  } | null
  /** Largest first, at most 10. */
  readonly changes: readonly MessageChange[]
  /** What rules other than change points found, in words; at most 10. */
  readonly events: readonly string[]
  /** Number of further changes and events. */
  readonly moreChanges: number
  readonly url: string
}

const maxChanges = 10
const longestTitle = 300

export interface MessageContext {
  /** Origin of the app, without a trailing slash. */
  readonly origin: string
  readonly project: { readonly slug: string; readonly name: string }
  /** Address of the repository; null: unknown. */
  readonly repositoryUrl: string | null
  readonly at: UtcIso
}

/** The message that a step of an alert sends. */
export function alertMessage(alert: StoredAlert, what: AlertMessageKind, context: MessageContext): AlertMessage {
  const place = `${context.origin}/p/${encodeURIComponent(context.project.slug)}`
  const commit = commitOf(alert)
  const title = clip(what === 'recovered' ? `Recovered: ${alertTitle(alert)}` : alertTitle(alert))
  return {
    what,
    at: context.at,
    project: context.project,
    title,
    since: what === 'recovered' ? recoveredWords(alert) : sinceWords(alert),
    alert: {
      id: alert.id,
      state: alert.state,
      cause: causeOf(alert),
      commitUrl: commit && commitUrl(context.repositoryUrl, commit),
      openedAt: alert.openedAt,
    },
    changes: alert.findings.slice(0, maxChanges).map((finding) => {
      const series = alert.seriesOf[finding.seriesId] ?? null
      return {
        metric: finding.metricId,
        unit: findMetric(finding.metricId)?.unit ?? null,
        scenario: series?.scenario ?? null,
        variant: series?.variant ?? null,
        environment: series?.environment ?? null,
        words: `${findingWords(finding)}: ${seriesWords(series)}`,
        sure: sureWords(finding),
        before: finding.before,
        after: finding.after,
        effectRatio: finding.effectRatio,
        effectLowRatio: finding.effectLowRatio,
        effectHighRatio: finding.effectHighRatio,
        runsBefore: finding.runsBefore,
        runsAfter: finding.runsAfter,
        sinceAt: finding.since,
        compareUrl: `${place}/compare/${writeSides(sidesOfFinding(finding))}`,
        firstRunUrl: `${place}/runs/${finding.afterRunId}`,
      }
    }),
    events: alert.events.slice(0, maxChanges).map((event) => eventLine(alert, event)),
    moreChanges: Math.max(0, alert.findings.length - maxChanges) + Math.max(0, alert.events.length - maxChanges),
    url: `${place}/alerts/${alert.id}`,
  }
}

/** The message of the test button. */
export function testMessage(channelName: string, context: MessageContext): AlertMessage {
  return {
    what: 'test',
    at: context.at,
    project: context.project,
    title: `Test of channel ${channelName}`,
    since: `Alerts of ${context.project.name} will be sent here. This is only a test.`,
    alert: null,
    changes: [],
    events: [],
    moreChanges: 0,
    url: `${context.origin}/p/${encodeURIComponent(context.project.slug)}/channels`,
  }
}

/** The message to the other channels of a project when one was disabled automatically. */
export function channelOffMessage(
  channel: { readonly name: string; readonly reason: DisabledReason; readonly lostCount: number },
  context: MessageContext,
): AlertMessage {
  const lost = channel.lostCount === 0 ? '' : ` ${plural(channel.lostCount, 'message')} not delivered.`
  return {
    what: 'channel-off',
    at: context.at,
    project: context.project,
    title: clip(`Channel ${channel.name} was disabled`),
    since: `Disabled automatically: ${offWords[channel.reason]}.${lost} It receives no alerts until it is enabled again.`,
    alert: null,
    changes: [],
    events: [],
    moreChanges: 0,
    url: `${context.origin}/p/${encodeURIComponent(context.project.slug)}/channels`,
  }
}

function sinceWords(alert: StoredAlert): string {
  const first = alert.findings[0] ?? alert.events.find((event) => 'seriesId' in event)
  const date = first ? `, first seen in the run of ${formatDay(first.since)}` : ''
  const commit = commitOf(alert)
  if (commit !== null) return `Since commit ${commit}${date}.`
  return first ? `Since the run of ${formatDay(first.since)}.` : `Raised ${formatDay(alert.openedAt)}.`
}

/** What a rule found, and where. */
function eventLine(alert: StoredAlert, event: RuleEvent): string {
  if (!('seriesId' in event)) return eventWords(event)
  return `${eventWords(event)}: ${seriesWords(alert.seriesOf[event.seriesId] ?? null)}`
}

function recoveredWords(alert: StoredAlert): string {
  if (alert.findings.length === 0) return `The condition of the rule is met again. Raised ${formatDay(alert.openedAt)}.`
  const commit = commitOf(alert)
  const cause = commit === null ? '' : ` for commit ${commit}`
  const changes = alert.findings.length > 1 ? ` (${plural(alert.findings.length, 'change')})` : ''
  const why =
    alert.findings.length > 0 ? 'A later change restored the old level.' : 'The condition of the rule is met again.'
  return `${why} The alert${changes}${cause} was raised ${formatDay(alert.openedAt)}.`
}

const clip = (text: string): string =>
  text.length > longestTitle ? `${text.slice(0, longestTitle - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text
