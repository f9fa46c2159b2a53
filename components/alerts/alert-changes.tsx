import { columnUnit, formatChange, formatDate, formatInColumn, formatPercent, missing } from '@/lib/format'
import { changeMark, seriesWords } from '@/lib/rules/alert-words'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import type { StoredAlert } from '@/lib/rules/stored-alerts'
import { alertChangeFact } from '@/lib/run/fact'
import { findMetric, minEffectOf, type Metric } from '@/lib/run/metrics'
import { prepareForest, type ForestDelta } from '../charts/forest'
import { ForestAxis, forestMarkup } from '../charts/plot/forest'
import table from '../compare/forest-table.module.css'
import { arrowMarkup, toMarkup } from '../ui/arrow'
import { factAttributes } from '../facts/fact-attributes'
import { RenderedMarkup, element, joined, words, type Markup } from '../ui/markup'

interface Props {
  readonly alert: StoredAlert
  /** Name of the change: its commit or day. */
  readonly name: string
}

/** The size of each change of level that an alert reports: values before and since, change, interval, and a mark on one axis. */
export function AlertChanges({ alert, name }: Props) {
  const known = alert.findings.flatMap((finding) => {
    const metric = findMetric(finding.metricId)
    return metric === null ? [] : [{ finding, metric }]
  })
  const forest = prepareForest(known.map(({ finding, metric }) => ({ metric, deltas: [deltaOf(finding, metric)] })))
  const isOneSeries = new Set(alert.findings.map(({ seriesId, profile }) => `${seriesId} ${profile}`)).size < 2
  const [first] = alert.findings
  const isSame = alert.findings.every(
    (one) => one.runsBefore === first?.runsBefore && one.runsAfter === first.runsAfter,
  )
  const runs = (count: number | undefined) => (isSame && count !== undefined ? `, ${count} runs` : '')
  const body = known.map(({ finding, metric }, at) => {
    const where = isOneSeries ? null : `${seriesWords(alert.seriesOf[finding.seriesId] ?? null)} · ${finding.profile}`
    const [cell] = forest.rows[at] ?? []
    return rowMarkup({
      alert,
      finding,
      metric,
      where,
      drawn: cell === undefined ? joined() : forestMarkup(forest.scale, cell),
    })
  })
  return (
    <section aria-label="Size of each change">
      <div className={table.head}>
        <h2>Size of each change</h2>
        <span className="muted">right of the line: better since {name}</span>
      </div>
      <div className={table.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" className={`num ${table.wide}`}>
                Before{runs(first?.runsBefore)}
              </th>
              <th scope="col" className={`num ${table.wide}`}>
                Since{runs(first?.runsAfter)}
              </th>
              <th scope="col" className="num">
                Change
              </th>
              <th scope="col" className={`num ${table.wide}`}>
                95&nbsp;% interval
              </th>
              <th scope="col" className={table.axis}>
                <span className="visually-hidden">Times better</span>
                <span className={table.ways} aria-hidden="true">
                  <span>worse</span>
                  <span>better</span>
                </span>
                <ForestAxis scale={forest.scale} />
              </th>
              <th scope="col" className={table.wide}>
                Judgement
              </th>
            </tr>
          </thead>
          <RenderedMarkup as="tbody" markup={joined(...body)} />
        </table>
      </div>
      <p className={`muted ${table.note}`}>
        Grey zone: smaller changes raise no alert. Values: levels of up to 60 runs a side without outliers, medians of
        shares
        {alert.closedAt !== null && `, as of ${formatDate(alert.closedAt)}, when the alert was closed`}.
      </p>
    </section>
  )
}

/** A stored change in the form that a forest plot takes. */
function deltaOf(
  { metricId, effectRatio, effectLowRatio, effectHighRatio }: AlertFinding,
  metric: Metric,
): ForestDelta {
  const { state } = changeMark(metricId, effectRatio > 0)
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

interface Row {
  readonly alert: StoredAlert
  readonly finding: AlertFinding
  readonly metric: Metric
  /** Its series and load, if the alert has several; null: it has one. */
  readonly where: string | null
  readonly drawn: Markup
}

function rowMarkup({ alert, finding, metric, where, drawn }: Row): Markup {
  const { before, after, effectRatio, effectLowRatio, effectHighRatio } = finding
  const isShare = metric.unit === 'ratio'
  const unit = columnUnit(metric.unit, [before, after])
  const show = (value: number) => words(formatInColumn(value, metric.unit, unit))
  const { state, words: word } = changeMark(finding.metricId, after > before)
  const tone = state === 'worse' || state === 'better' ? state : 'muted'
  const points = `${after > before ? '+' : '\u2212'}${formatPercent(Math.abs(after - before)).replace('%', 'pp')}`
  const judged = joined(arrowMarkup(after > before ? 'up' : 'down'), words(` ${word.toLowerCase()}`))
  const hasUnit = unit.label !== '' && metric.unit !== 'per-second'
  const interval = isShare ? missing : `${formatChange(effectLowRatio)} to ${formatChange(effectHighRatio)}`
  const fact = alertChangeFact(alert, metric, { ...finding, verdict: state === 'unusual' ? 'changed' : state })
  const wide = (inner: Markup, part: string) =>
    element('td', { class: `num ${table.wide}`, ...factAttributes(fact, part) }, inner)
  return element(
    'tr',
    {},
    joined(
      element(
        'th',
        { scope: 'row', title: metric.explain },
        joined(
          words(metric.label),
          hasUnit ? element('span', { class: 'muted' }, words(`, ${unit.label}`)) : joined(),
          where === null ? joined() : element('span', { class: `muted ${table.more}` }, words(where)),
          element('small', {}, joined(show(before), words(' '), toMarkup, words(' '), show(after))),
        ),
      ),
      wide(show(before), 'before'),
      wide(show(after), 'after'),
      element(
        'td',
        { class: `num ${tone}`, ...factAttributes(fact, isShare ? 'points' : 'effect') },
        joined(words(isShare ? points : formatChange(effectRatio)), element('small', {}, judged)),
      ),
      element('td', { class: `num muted ${table.wide}`, ...factAttributes(fact, 'interval') }, words(interval)),
      element('td', { class: table.axis ?? '' }, drawn),
      element('td', { class: `${table.wide} ${table.judgement} ${tone}` }, judged),
    ),
  )
}
