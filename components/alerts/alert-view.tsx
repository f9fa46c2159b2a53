import { Link } from '../ui/link'
import { PlotPanel } from '@/components/charts/plot/panel'
import { prepareTrend } from '@/components/charts/trend'
import {
  alertTitle,
  commitOf,
  findingWords,
  seriesWords,
  stateWord,
  stepWord,
  sureWords,
} from '@/lib/rules/alert-words'
import { findMetric } from '@/lib/run/metrics'
import { ruleWords } from '@/lib/rules/rule-words'
import { profilesOf } from '@/lib/run/series'
import type { SeriesHistory } from '@/lib/run/stored'
import { compareUrl } from '@/lib/judge/compare-url'
import { sidesOfFinding, type StoredAlert } from '@/lib/rules/stored-alerts'
import { trendOf } from '@/lib/detect/trend'
import { CommitLink } from '../ui/commit-link'
import { Time } from '../ui/time'
import { AlertEvent } from './alert-event'
import { AlertMoves } from './alert-moves'
import styles from './alerts.module.css'

interface Props {
  readonly projectSlug: string
  /** Where the project's commits are seen; null: not known. */
  readonly repositoryUrl: string | null
  readonly alert: StoredAlert
  /** History of the series of the largest finding, else of the first event; null: it is gone, or none is reported. */
  readonly history: SeriesHistory | null
  readonly nowMs: number
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}

/** One alert: what changed, by how much, how sure it is, where to look, what was done about it. */
export function AlertView({ projectSlug, repositoryUrl, alert, history, nowMs, tables }: Props) {
  const commit = commitOf(alert)
  const worst = alert.findings[0] ?? alert.events.find((event) => 'metricId' in event)
  const metric = worst ? findMetric(worst.metricId) : null
  const profile = history && profilesOf(history).find((one) => one.name === worst?.profile)
  const trend = profile && metric ? trendOf(profile, metric) : null
  // A slow drift is reported as no single step: steps in its drawing would say otherwise.
  const drawn = trend && isDrift(alert) ? { ...trend, changes: [], level: null } : trend
  const prepared = drawn && metric && prepareTrend(metric, [drawn], { order: 'runs', scale: 'linear', projectSlug })
  return (
    <div className="page">
      <h1 className="page-title">{alertTitle(alert)}</h1>
      <p role="status">
        This alert is {stateWord(alert.state)}. Raised <Time at={alert.openedAt} nowMs={nowMs} />.
        {commit !== null && (
          <>
            {' '}
            It began with commit <CommitLink commit={commit} repositoryUrl={repositoryUrl} />.
          </>
        )}
      </p>
      <AlertMoves projectSlug={projectSlug} alertId={alert.id} state={alert.state} />
      <PlotPanel prepared={prepared} tables={tables} />
      <h2 className={`section-title ${styles.part}`}>What changed</h2>
      <ul className={styles.findings}>
        {alert.findings.map((finding) => (
          <li key={`${finding.seriesId} ${finding.profile} ${finding.metricId}`} className="card">
            <h3>
              {findingWords(finding)}
              <span className="muted">
                {' '}
                {seriesWords(alert.seriesOf[finding.seriesId] ?? null)} · {finding.profile}
              </span>
            </h3>
            <p>{sureWords(finding)}</p>
            <p className={styles.links}>
              <Link href={compareUrl(projectSlug, sidesOfFinding(finding), null)}>Compare before and after</Link>
              <Link href={`/p/${projectSlug}/trends/${finding.seriesId}?metric=${finding.metricId}`}>Trend</Link>
              <Link href={`/p/${projectSlug}/runs/${finding.afterRunId}`}>First run of the new level</Link>
            </p>
          </li>
        ))}
        {alert.events.map((event, at) => (
          <AlertEvent key={at} event={event} alert={alert} projectSlug={projectSlug} nowMs={nowMs} />
        ))}
      </ul>
      <h2 className={`section-title ${styles.part}`}>History</h2>
      <ol className={styles.steps}>
        {alert.steps.map((step, at) => (
          <li key={at}>
            {stepWord(step.what)} by {step.who}{' '}
            <span className="muted">
              <Time at={step.at} nowMs={nowMs} />
            </span>
            {step.note && <p className={styles.note}>{step.note}</p>}
          </li>
        ))}
      </ol>
      <p className="muted">
        {alert.rule && (
          <>
            <Link href={`/p/${projectSlug}/rules#${alert.rule.id}`}>Rule</Link>: {ruleWords(alert.rule.settings)}.{' '}
          </>
        )}
        {alert.findings.length > 0 && `Detected by ${alert.detectorVersion}, ${alert.sensitivity} setting.`}
      </p>
    </div>
  )
}

const isDrift = ({ findings, events }: StoredAlert): boolean =>
  findings.length === 0 && events.length > 0 && events.every((event) => event.kind === 'drift')
