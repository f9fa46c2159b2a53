import type { Attribute } from '@/lib/environment/attributes'
import { formatCount, formatMoment, formatPercent, plural } from '@/lib/format'
import type { EnvironmentHistory, ReportedShift } from '@/lib/rules/project-environments'
import { environmentSentence, eventSentence, eventWords, shiftWords } from '@/lib/rules/rule-words'
import { headlineFact } from '@/lib/run/fact'
import { prepareFactor } from '../charts/factor'
import { PlotPanel } from '../charts/plot/panel'
import { factAttributes } from '../facts/fact-attributes'
import { environmentHref } from '../ui/links/environment-link'
import { Link } from '../ui/links/link'
import { ViewLinks } from '../ui/links/view-links'
import { ListTable } from '../ui/list-table'
import type { EnvironmentProps } from './environment-props'
import { InstrumentSection } from './instrument-section'
import { EnvironmentSeries } from './environment-series'
import { beginOf, nameOf, sinceDay, spans, spanSearch, spanWords } from './environment-url'
import styles from './environment.module.css'

/** An environment: whether it moved, its factor over time, what it can show, its series and its attributes. */
export function EnvironmentView(props: EnvironmentProps) {
  const { slug, environment, factor, visible } = props
  const { name, shifts, series, attributes } = environment
  const controls = series.filter(({ isControl }) => isControl).length
  const runs = series.reduce((sum, { history }) => sum + history.points.length, 0)
  const [first] = series.flatMap(({ history }) => history.points[0]?.orderedAt ?? []).toSorted()
  const [newest] = shifts
  return (
    <div className="page">
      <p className={`flex wrap muted flush text-13 ${styles.meta}`}>
        <span className="text bold">{name}</span>
        <span>environment of {plural(series.length, 'series', 'series')}</span>
        {first !== undefined && (
          <span>
            {plural(runs, 'run')} since {sinceDay(Date.parse(first) / 1000)}
          </span>
        )}
        {controls > 0 && <span>{plural(controls, 'control')}</span>}
      </p>
      <h1 className={styles.say} {...factAttributes(saidOf(newest), 'sentence')}>
        {environmentSentence(name, shifts)}
      </h1>
      <p className={`muted flush ${styles.because}`}>{newest === undefined ? neverMoved : eventSentence(newest)}</p>
      <Factor {...props} />
      {shifts.length > 0 && <Shifts slug={slug} shifts={shifts} series={series} />}
      <div className={`grid ${styles.columns}`}>
        <CanShow visible={visible} factor={factor} />
        <Attributes attributes={attributes} />
      </div>
      <InstrumentSection instrument={props.instrument} nowMs={props.nowMs} />
      <EnvironmentSeries {...props} />
    </div>
  )
}

/** While it lasts, the headline of its alert. */
const saidOf = (shift: ReportedShift | undefined) =>
  shift === undefined || shift.alertId === null || shift.overSince !== null
    ? null
    : headlineFact('alert', shift.alertId, shiftWords(shift))

const neverMoved = 'It moves if most of its series move at once, and no commit explains that.'

function Factor({ slug, environment, factor, span, tables }: EnvironmentProps) {
  const all = factor?.nights ?? []
  const begin = beginOf(span, all.at(-1)?.time ?? 0)
  const nights = all.filter(({ time }) => time >= begin)
  const { shifts, attributes, name } = environment
  const metricName = factor?.metric.label ?? ''
  const prepared = prepareFactor({ metricName, nights, shifts, attributes, projectSlug: slug })
  const choices = spans.map((one) => ({
    name: spanWords(one),
    href: `${environmentHref(slug, name)}${spanSearch(one)}`,
    isChosen: one === span,
  }))
  return (
    <div className={styles.chart}>
      <PlotPanel
        prepared={prepared}
        otherwise={{ title: 'Common factor', reason: 'Its runs are too few to say what they do together.' }}
        tables={tables}
        tools={<ViewLinks label="Days" choices={choices} />}
      />
    </div>
  )
}

interface ShiftsProps extends Pick<EnvironmentProps, 'slug'>, Pick<EnvironmentHistory, 'series'> {
  readonly shifts: readonly ReportedShift[]
}

/** Each shift, newest first, with its series and its alert. */
function Shifts({ slug, shifts, series }: ShiftsProps) {
  const names = new Map(series.map(({ history: { id, scenario, variant } }) => [id, nameOf(scenario, variant)]))
  return (
    <section className={styles.section} aria-labelledby="shifts">
      <h2 id="shifts" className={styles.title}>
        Shifts
      </h2>
      <ListTable label="Shifts, newest first" head={['Since', 'What', 'Until', 'Series', 'Alert']} isStacked>
        {shifts.map((shift) => (
          <tr key={shift.since}>
            <th scope="row" className="nowrap">
              {formatMoment(shift.since)}
            </th>
            <td>{eventWords(shift)}</td>
            <td className="nowrap">{shift.overSince === null ? 'now' : formatMoment(shift.overSince)}</td>
            <td>
              {shift.seriesIds
                .flatMap((id) => names.get(id) ?? [])
                .slice(0, shownSeries)
                .join(', ')}
              {shift.seriesIds.length > shownSeries && ` and ${formatCount(shift.seriesIds.length - shownSeries)} more`}
            </td>
            <td>
              {shift.alertId === null ? (
                <span className="muted">faster: none</span>
              ) : (
                <Link href={`/p/${slug}/alerts/${shift.alertId}`}>Alert</Link>
              )}
            </td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}

/** Series that a row names; an environment may have hundreds. */
const shownSeries = 4

const percent = (ratio: number): string => formatPercent(Number(ratio.toPrecision(2)))
const between = ({ least, most }: { least: number; most: number }): string =>
  least === most ? '' : `${percent(least)} to ${percent(most)}`

/** The smallest changes that its series show. */
function CanShow({ visible, factor }: Pick<EnvironmentProps, 'visible' | 'factor'>) {
  return (
    <section aria-labelledby="can-show">
      <h2 id="can-show" className={styles.title}>
        What it can show
      </h2>
      {visible.length === 0 ? (
        <p className="muted">At least 5 runs of a series are needed.</p>
      ) : (
        <ListTable label="What it can show, by metric" head={['Metric', ...numbers]} numbers={numbers} isStacked>
          {visible.map(({ metric, noise, visible: seen, rounds, effectRatio }) => (
            <tr key={metric.id}>
              <th scope="row">{metric.shortLabel}</th>
              <td className="num" data-label="noise of a run" title={between(noise)}>
                ±{percent(noise.middle)}
              </td>
              <td className="num" data-label="seen by 5 runs" title={between(seen)}>
                {percent(seen.middle)}
              </td>
              <td className="num" data-label="rounds">
                {rounds === null ? '' : roundsWords(rounds, effectRatio)}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <p className="muted text-13">
        Of its middle series. A change is seen by 5 runs of a new level in four of five cases; rounds are a run of each
        version in turn.
      </p>
      {factor !== null && (
        <p className="muted text-13">
          Drift: {formatPercent(Number(factor.autocorrelation.toPrecision(2)))} of a deviation is left in the next run;
          10 runs count as {Number(factor.tenRuns.toPrecision(2))}.
        </p>
      )}
    </section>
  )
}

const numbers = ['Noise of a run', 'Seen by 5 runs', 'Rounds']

function roundsWords({ least, most }: { least: number; most: number }, effectRatio: number): string {
  const count = (one: number) => (one > 200 ? 'over 200' : formatCount(one))
  const range = count(least) === count(most) ? count(least) : `${count(least)} to ${count(most)}`
  return `${range} for ${formatPercent(effectRatio)}`
}

/** What runs record of the machine. */
function Attributes({ attributes }: { readonly attributes: readonly Attribute[] }) {
  return (
    <section aria-labelledby="attributes">
      <h2 id="attributes" className={styles.title}>
        Attributes
      </h2>
      {attributes.length === 0 ? (
        <p className="muted text-13">
          No run describes it. Upload with labels such as kernel, cpu or memory, and their changes are marked above.
        </p>
      ) : (
        <>
          <dl className={`grid text-13 ${styles.facts}`}>
            {attributes.map(({ key, value, change }) => (
              <div key={key}>
                <dt className="muted">{key}</dt>
                <dd className="flush break">
                  <span className={change === null ? '' : 'bold'}>{value}</span>
                  {change !== null && (
                    <span className="block muted">
                      since {formatMoment(change.at)}; before: {change.from}
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          <p className="muted text-13">As recorded with the runs. A change at the same place as a shift is no proof.</p>
        </>
      )}
    </section>
  )
}
