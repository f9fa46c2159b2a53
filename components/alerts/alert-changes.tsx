import { columnUnit, formatChange, formatDay, formatInColumn, formatPercent, missing } from '@/lib/format'
import { findingMark, seriesWords } from '@/lib/rules/alert-words'
import { environmentEventOf } from '@/lib/rules/environment-alert'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import type { StoredAlert } from '@/lib/rules/stored-alerts'
import { alertChangeFact } from '@/lib/run/fact'
import { findMetric, minEffectOf, type Metric } from '@/lib/run/metrics'
import { prepareForest, type ForestDelta } from '../charts/forest'
import type { ForestCell } from '../charts/plot/rows/forest'
import { ChangeCells, SizeHead } from '../compare/forest-table'
import table from '../compare/forest-table.module.css'
import { Fact } from '../facts/fact'
import { Arrow, To } from '../ui/arrow'

interface Props {
  readonly alert: StoredAlert
  /** Name of the change: its commit or day. */
  readonly name: string
}

/**
 * The size of each change of level that an alert reports: values before and since, change, interval, and a mark on one
 * axis.
 */
export function AlertChanges({ alert, name }: Props) {
  const isOfEnvironment = environmentEventOf(alert) !== null
  const known = alert.findings.flatMap((finding) => {
    const metric = findMetric(finding.metricId)
    return metric === null ? [] : [{ finding, metric }]
  })
  const { scale, rows } = prepareForest(
    known.map(({ finding, metric }) => ({ metric, deltas: [deltaOf(alert, finding, metric)] })),
  )
  const isOneSeries = new Set(alert.findings.map(({ seriesId, profile }) => `${seriesId} ${profile}`)).size < 2
  const [first] = alert.findings
  const isSame = alert.findings.every(
    (one) => one.runsBefore === first?.runsBefore && one.runsAfter === first.runsAfter,
  )
  const runs = (count: number | undefined) => (isSame && count !== undefined ? `, ${count} runs` : '')
  return (
    <section aria-label="Size of each change">
      <div className={`row wrap text-13 below-4 ${table.head}`}>
        <h2>Size of each change</h2>
        <span className="muted">
          right of the line: {isOfEnvironment ? 'faster' : 'better'} since {name}
        </span>
      </div>
      <div className="relative">
        <table className={`plain-table ${table.table}`}>
          <SizeHead
            first="Metric"
            values={[`Before${runs(first?.runsBefore)}`, `Since${runs(first?.runsAfter)}`]}
            hasIntervals
            scale={scale}
          />
          <tbody>
            {known.map((one, at) => (
              <Change key={at} alert={alert} {...one} isOneSeries={isOneSeries} cell={rows[at]?.[0]} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={`muted ${table.note}`}>
        Grey zone: smaller changes raise no alert. Values: levels of up to 60 runs a side without outliers, medians of
        shares
        {alert.closedAt !== null && `, as of ${formatDay(alert.closedAt)}, when the alert was closed`}.
      </p>
    </section>
  )
}

/** A stored change in the form that a forest plot takes. */
function deltaOf(alert: StoredAlert, finding: AlertFinding, metric: Metric): ForestDelta {
  const { effectRatio, effectLowRatio, effectHighRatio } = finding
  const { state } = findingMark(alert, finding)
  return {
    factor: 1 + effectRatio,
    lowRatio: effectLowRatio,
    highRatio: effectHighRatio,
    marginRatio: minEffectOf(metric.id),
    method: 'level-change',
    verdict: state === 'worse' || state === 'better' ? state : 'neutral',
    leaning: null,
    reason: null,
  }
}

interface ChangeProps {
  readonly alert: StoredAlert
  readonly finding: AlertFinding
  readonly metric: Metric
  /** Else each change is named with its series and load. */
  readonly isOneSeries: boolean
  readonly cell: ForestCell | undefined
}

function Change({ alert, finding, metric, isOneSeries, cell }: ChangeProps) {
  const { before, after, effectRatio, effectLowRatio, effectHighRatio, seriesId, profile } = finding
  const isShare = metric.unit === 'ratio'
  const unit = columnUnit(metric.unit, [before, after])
  const show = (value: number) => formatInColumn(value, metric.unit, unit)
  const { state, words } = findingMark(alert, finding)
  const points = `${after > before ? '+' : '\u2212'}${formatPercent(Math.abs(after - before)).replace('%', 'pp')}`
  const fact = alertChangeFact(alert, metric, { ...finding, verdict: state === 'unusual' ? 'changed' : state })
  const judged = (
    <>
      <Arrow to={after > before ? 'up' : 'down'} /> {words.toLowerCase()}
    </>
  )
  return (
    <tr>
      <th scope="row" title={metric.explain}>
        {metric.label}
        {unit.label !== '' && metric.unit !== 'per-second' && <span className="muted">, {unit.label}</span>}
        {!isOneSeries && (
          <span className={`muted ${table.more}`}>
            {seriesWords(alert.seriesOf[seriesId] ?? null)} · {profile}
          </span>
        )}
        <small>
          {show(before)} <To /> {show(after)}
        </small>
      </th>
      <Fact of={fact} part="before" as="td" className={`num ${table.wide}`}>
        {show(before)}
      </Fact>
      <Fact of={fact} part="after" as="td" className={`num ${table.wide}`}>
        {show(after)}
      </Fact>
      <ChangeCells
        fact={fact}
        isShare={isShare}
        text={isShare ? points : formatChange(effectRatio)}
        tone={state === 'worse' || state === 'better' ? state : 'muted'}
        short={judged}
        interval={isShare ? missing : `${formatChange(effectLowRatio)} to ${formatChange(effectHighRatio)}`}
        cell={cell}
      >
        {judged}
      </ChangeCells>
    </tr>
  )
}
