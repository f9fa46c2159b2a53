import { commitWords, formatMoment } from '@/lib/format'
import { compareUrl } from '@/lib/judge/compare-url'
import {
  alertBasis,
  alertMark,
  alertSentence,
  alertTitle,
  commitOf,
  compareLevelsWords,
  stateWord,
  stepWord,
} from '@/lib/rules/alert-words'
import { diffUrl } from '@/lib/project/repository'
import { environmentEventOf } from '@/lib/rules/environment-alert'
import { ruleWords } from '@/lib/rules/rule-words'
import { liveStates, sidesOfFinding, type AlertStep, type StoredAlert } from '@/lib/rules/stored-alerts'
import { headlineFact } from '@/lib/run/fact'
import { findMetric } from '@/lib/run/metrics'
import { PlotPanel } from '../charts/plot/panel'
import { CommitLink } from '../ui/links/commit-link'
import { factAttributes } from '../facts/fact-attributes'
import { Icon } from '../ui/icon'
import { EnvironmentLink } from '../ui/links/environment-link'
import { Link } from '../ui/links/link'
import { RunNameLink } from '../ui/links/run-name-link'
import { StateMark } from '../ui/state-mark'
import { Time } from '../ui/time'
import { ViewLinks } from '../ui/links/view-links'
import { AlertAssignee, type Assignee } from './alert-assignee'
import { AlertChanges } from './alert-changes'
import { AlertComment } from './alert-comment'
import { AlertEvent } from './alert-event'
import { changeName, type AlertEvidence } from './alert-evidence'
import { AlertMoves } from './alert-moves'
import { DecidingLine } from './deciding-line'
import { FindCommit } from './find-commit'
import links from '../ui/links/view-links.module.css'
import styles from './alert.module.css'

interface Props {
  readonly projectSlug: string
  /** Where the project's commits are shown; null: not known. */
  readonly repositoryUrl: string | null
  readonly alert: StoredAlert
  readonly evidence: AlertEvidence
  readonly nowMs: number
  /** Who may take it; null: a server without accounts. */
  readonly people: readonly Assignee[] | null
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** The address that the browser used. */
  readonly origin: string
}

/** One alert: what changed since which commit, the possible actions, and the evidence. */
export function AlertView({ projectSlug, repositoryUrl, alert, evidence, nowMs, people, tables, origin }: Props) {
  const { finding, chart, fan } = evidence
  const name = finding === null ? '' : changeName(alert, finding)
  const path = `/p/${projectSlug}/alerts/${alert.id}`
  return (
    <div className="page">
      <AlertHead alert={alert} nowMs={nowMs} />
      {people !== null && (
        <AlertAssignee projectSlug={projectSlug} alertId={alert.id} assignee={alert.assignee} people={people} />
      )}
      <AlertMoves projectSlug={projectSlug} alertId={alert.id} state={alert.state}>
        {alert.findings.length === 0 ? null : <CompareButton alert={alert} projectSlug={projectSlug} />}
      </AlertMoves>
      {chart !== null && (
        <div className={`grid ${styles.charts}`} data-single={fan === null ? '' : undefined}>
          <PlotPanel
            prepared={chart}
            tables={tables}
            tools={<ChartTools path={path} evidence={evidence} projectSlug={projectSlug} />}
          />
          {fan !== null && <PlotPanel prepared={fan} tables={tables} />}
        </div>
      )}
      {alert.findings.length > 0 && (
        <div className={styles.section}>
          <AlertChanges alert={alert} name={name} />
        </div>
      )}
      <Events alert={alert} projectSlug={projectSlug} nowMs={nowMs} />
      <div className={`grid ${styles.foot}`}>
        <section aria-labelledby="cause">
          <h2 id="cause" className={styles.title}>
            Likely cause
          </h2>
          <Cause {...{ alert, commit: commitOf(alert), evidence, projectSlug, repositoryUrl }} />
          {evidence.deciding !== null && <DecidingLine run={evidence.deciding} origin={origin} slug={projectSlug} />}
          {evidence.search !== null && <FindCommit search={evidence.search} />}
          <FoundBy alert={alert} projectSlug={projectSlug} />
        </section>
        <section aria-labelledby="history">
          <h2 id="history" className={styles.title}>
            History
          </h2>
          <ol className={`grid text-13 ${styles.steps}`}>
            {alert.steps.map((step, at) => (
              <Step key={at} step={step} />
            ))}
          </ol>
          <AlertComment projectSlug={projectSlug} alertId={alert.id} />
        </section>
      </div>
    </div>
  )
}

/** What the rule found besides changes of level. */
function Events({ alert, projectSlug, nowMs }: Pick<Props, 'alert' | 'projectSlug' | 'nowMs'>) {
  if (alert.events.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="found">
      <h2 id="found" className={styles.title}>
        What the rule found
      </h2>
      <ul className={`grid ${styles.events}`}>
        {alert.events.map((event, at) => (
          <AlertEvent key={at} event={event} alert={alert} projectSlug={projectSlug} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  )
}

/** The rule, and the version of the detector. */
function FoundBy({ alert, projectSlug }: Pick<Props, 'alert' | 'projectSlug'>) {
  const { rule, findings, detectorVersion, sensitivity } = alert
  return (
    <p className="muted">
      {rule && (
        <>
          <Link href={`/p/${projectSlug}/settings#${rule.id}`}>Rule</Link>: {ruleWords(rule.settings)}.{' '}
        </>
      )}
      {findings.length > 0 && `Detected by ${detectorVersion}, ${sensitivity} setting.`}
    </p>
  )
}

/** Series, verdict and its evidence. */
function AlertHead({ alert, nowMs }: { readonly alert: StoredAlert; readonly nowMs: number }) {
  const [first] = [...alert.findings, ...alert.events.flatMap((event) => ('metricId' in event ? event : []))]
  const shift = environmentEventOf(alert)
  const series = shift === null ? (alert.seriesOf[first?.seriesId ?? ''] ?? alert.series) : null
  const { state, words } = alertMark(alert)
  const environment = shift?.environment ?? series?.environment ?? null
  const more = shift === null ? (first?.profile ?? null) : null
  const sentence = alertSentence(alert)
  const basis = alertBasis(alert)
  return (
    <header className="grid gap-6 below-12">
      <div className={`flex wrap flush ${styles.name}`}>
        {series !== null && (
          <RunNameLink
            href={`/p/${series.projectSlug}/trends/${series.id}${first === undefined ? '' : `?metric=${first.metricId}`}`}
            run={series}
          />
        )}
        <span className="muted">
          {environment !== null && <EnvironmentLink slug={alert.projectSlug} name={environment} />}
          {environment !== null && more !== null && ' · '}
          {more}
        </span>
        <span className="muted" role="status">
          <StatusWords alert={alert} nowMs={nowMs} />
        </span>
      </div>
      <h1 className={styles.verdict} {...factAttributes(headlineFact('alert', alert.id, sentence), 'sentence')}>
        <StateMark judged={{ state, sentence: alertTitle(alert) }} words={words} /> {sentence}
      </h1>
      {basis !== '' && <p className={`muted flush ${styles.basis}`}>{basis}</p>}
    </header>
  )
}

/** `Open, raised 3 h ago`; for other states, since when. */
function StatusWords({ alert, nowMs }: { readonly alert: StoredAlert; readonly nowMs: number }) {
  const since = alert.steps.findLast(({ what }) => what === alert.state)?.at ?? alert.closedAt
  if (alert.state === 'open' || since === null)
    return (
      <>
        Open, raised <Time at={alert.openedAt} nowMs={nowMs} />
      </>
    )
  const words = stateWord(alert.state)
  return (
    <>
      {words.charAt(0).toUpperCase() + words.slice(1)} <Time at={since} nowMs={nowMs} />
    </>
  )
}

function CompareButton({ alert, projectSlug }: { readonly alert: StoredAlert; readonly projectSlug: string }) {
  const [lead] = alert.findings
  if (lead === undefined) return null
  const sides = sidesOfFinding(lead)
  const words = compareLevelsWords(changeName(alert, lead), sides)
  const tone = liveStates.includes(alert.state) ? 'button' : 'button button-primary'
  return (
    <Link className={tone} href={compareUrl(projectSlug, sides, null)} data-command={words}>
      <Icon name="compare" />
      {words}
    </Link>
  )
}

interface ToolsProps {
  readonly path: string
  readonly projectSlug: string
  readonly evidence: AlertEvidence
}

function ChartTools({ path, projectSlug, evidence: { finding, choices } }: ToolsProps) {
  if (finding === null) return null
  return (
    <>
      {choices.length > 1 && (
        <ViewLinks
          label="Metric"
          choices={choices.map(({ metricId }, at) => ({
            name: findMetric(metricId)?.shortLabel ?? metricId,
            href: at === 0 ? path : `${path}?m=${metricId}`,
            isChosen: metricId === finding.metricId,
          }))}
        />
      )}
      <Link className={links.tool} href={`/p/${projectSlug}/trends/${finding.seriesId}?metric=${finding.metricId}`}>
        Trend
      </Link>
    </>
  )
}

interface CauseProps {
  readonly alert: StoredAlert
  readonly commit: string | null
  readonly evidence: AlertEvidence
  readonly projectSlug: string
  readonly repositoryUrl: string | null
}

/** What else than a commit brought a change, as far as is known. Null: nothing speaks against its commit. */
function otherCause(alert: StoredAlert): string | null {
  const shift = environmentEventOf(alert)
  if (shift !== null) return `${shift.environment} itself: its series moved together, and no commit explains that.`
  return alert.findings[0]?.origin === 'unexplained' ? 'Not the code: the same commit ran before and after.' : null
}

/** The commit that a change began with, the first run with it and the last without. */
function Cause({ alert, commit, evidence: { finding, runs }, projectSlug, repositoryUrl }: CauseProps) {
  const after = runs.get(finding?.afterRunId ?? '')
  const before = runs.get(finding?.beforeRunId ?? '')
  if (commit === null && after === undefined) return <p className="below-8">{unplaced(alert, projectSlug)}</p>
  const other = otherCause(alert)
  if (other !== null) return <p className="below-8">{other}</p>
  const without = before?.labels['commit']
  const diff = commit === null || without === undefined ? null : diffUrl(repositoryUrl, without, commit)
  return (
    <p className="below-8">
      {commit === null ? (
        'The first run of the new level has no commit.'
      ) : (
        <CommitLink commit={commit} repositoryUrl={repositoryUrl} />
      )}{' '}
      <span className="muted">
        {after !== undefined && (
          <>
            First run {commit === null ? '' : 'with it'}:{' '}
            <Link href={`/p/${projectSlug}/runs/${after.id}`}>{formatMoment(after.orderedAt)}</Link>
          </>
        )}
        {before !== undefined && (
          <>
            {' · '}last run without:{' '}
            {without !== undefined && (
              <>
                <span className="mono">{commitWords(without)}</span>,{' '}
              </>
            )}
            <Link href={`/p/${projectSlug}/runs/${before.id}`}>{formatMoment(before.orderedAt)}</Link>
          </>
        )}
        {diff !== null && (
          <>
            {' · '}
            <a href={diff} rel="noreferrer">
              Show the diff
            </a>
          </>
        )}
      </span>
    </p>
  )
}

/** What is known of when it began, for an alert without a commit. */
function unplaced({ events: [event] }: StoredAlert, projectSlug: string) {
  if (event?.kind !== 'limit' && event?.kind !== 'baseline') return 'No single run began it.'
  return (
    <>
      No commit is known. First run:{' '}
      <Link href={`/p/${projectSlug}/runs/${event.firstRunId}`}>{formatMoment(event.since)}</Link>
    </>
  )
}

function Step({ step: { what, who, note, at } }: { readonly step: AlertStep }) {
  return (
    <li>
      <time dateTime={at} className="muted">
        {formatMoment(at)}
      </time>
      <span>
        {stepWord(what)} by {who}
        {note && <span className={`block muted break ${styles.said}`}>{note}</span>}
      </span>
    </li>
  )
}
