import { Link } from '../ui/link'
import { formatChange, formatMetric, missing } from '@/lib/format'
import { guardReason } from '@/lib/judge/guard-words'
import { judgedPartWords } from '@/lib/judge/judged-window'
import { verdictWords } from '@/lib/judge/judgement-sentence'
import { isBarredBy, isInvalidated } from '@/lib/run/guard'
import type { MetricJudgement, RunJudgement } from '@/lib/run/judgement'
import { findMetric } from '@/lib/run/metrics'
import type { StoredRun } from '@/lib/run/stored'
import { StateMark } from '../ui/state-mark'
import { CountRun } from '../runs/count-run'
import styles from './judgement-card.module.css'

/**
 * What is said of a run against its series: its state and sentence, and each judged metric with what was expected. `canAct`:
 * with links to the alert and the trend, which strangers do not have.
 */
export function JudgementCard({ run, canAct = false }: { readonly run: StoredRun; readonly canAct?: boolean }) {
  const { judgement } = run
  if (judgement === null) return null
  const { state, sentence, metrics } = judgement
  const ofPart = judgedPartWords[judgement.judgedBy]
  const canCount = canAct && run.complete && !run.candidate && run.counted === null && isInvalidated(judgement.guards)
  const alertId = metrics.find(({ change }) => change?.alertId != null)?.change?.alertId ?? null
  return (
    <section className={styles.card} data-state={state} aria-label="Judgement">
      <p className={styles.said}>
        <StateMark judged={{ state, sentence }} /> <span>{sentence}</span>
        {canAct && (
          <span className={styles.links}>
            {alertId !== null && <Link href={`/p/${run.projectSlug}/alerts/${alertId}`}>Alert</Link>}{' '}
            <Link href={`/p/${run.projectSlug}/trends/${run.seriesId}`}>Trend</Link>
          </span>
        )}
      </p>
      {canCount && <CountRun url={`/api/v1/projects/${run.projectSlug}/runs/${run.id}`} />}
      {ofPart !== null && <p className={styles.part}>{ofPart}</p>}
      {metrics.some(({ expectedLow, change }) => expectedLow !== null || change !== null) && (
        <details className={styles.details}>
          <summary>Expected values</summary>
          <ExpectedTable judgement={judgement} />
        </details>
      )}
    </section>
  )
}

function ExpectedTable({ judgement: { metrics, runs, guards } }: { readonly judgement: RunJudgement }) {
  return (
    <div className="table-scroll">
      <table className="table">
        <caption className="visually-hidden">Each metric and what was expected of it</caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col" className="num">
              {runs > 1 ? `Median of ${runs}` : 'Value'}
            </th>
            <th scope="col" className="num">
              Level
            </th>
            <th scope="col" className="num">
              Expected
            </th>
            <th scope="col" className="num">
              Change
            </th>
            <th scope="col" className="num">
              95 % interval
            </th>
            <th scope="col" className="num">
              Runs before
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((one) => (
            <ExpectedRow key={one.metricId} one={one} guards={guards} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ExpectedRow({ one, guards }: { readonly one: MetricJudgement; readonly guards: RunJudgement['guards'] }) {
  const metric = findMetric(one.metricId)
  const show = (value: number | null) => formatMetric(value, metric?.unit ?? 'count')
  const { expectedLow, expectedHigh, effectLowRatio, effectHighRatio } = one
  const guard = guards.find((each) => isBarredBy(each, one.metricId))
  const reason = guard === undefined ? null : guardReason(guard)
  return (
    <tr>
      <th scope="row">{metric?.shortLabel ?? one.metricId}</th>
      <td className="num">{show(one.value)}</td>
      <td className="num">{show(one.level)}</td>
      <td className="num">{expectedLow === null ? missing : `${show(expectedLow)} to ${show(expectedHigh)}`}</td>
      <td className="num">{formatChange(one.effectRatio)}</td>
      <td className="num">
        {effectLowRatio === null ? missing : `${formatChange(effectLowRatio)} to ${formatChange(effectHighRatio)}`}
      </td>
      <td className="num">{one.before}</td>
      <td data-verdict={one.side ?? undefined} className={styles.verdict}>
        {verdictWords(one, reason)}
      </td>
    </tr>
  )
}
