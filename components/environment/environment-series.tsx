import { formatCount, formatTick, formatMoment, formatPercent } from '@/lib/format'
import { defaultMetric } from '@/lib/run/metrics'
import { StripTip } from '../charts/plot/rows/strip-tip'
import { PastStrip } from '../runs/past-strip'
import { ControlButton } from './control-button'
import { RunNameLink } from '../ui/links/run-name-link'
import { ListTable, actions } from '../ui/list-table'
import type { EnvironmentProps } from './environment-props'
import { nameOf } from './environment-url'
import styles from './environment.module.css'

type Props = Pick<EnvironmentProps, 'slug' | 'environment' | 'trends' | 'pasts' | 'states'>

/** The series of an environment, controls first: their last runs, noise, and how far each went with the newest shift. */
export function EnvironmentSeries({ slug, environment, trends, pasts, states }: Props) {
  const { shifts, series } = environment
  const shift = shifts.find(({ factors }) => Object.keys(factors).length > 0)
  const noises = new Map(trends.map((one) => [one.series.id, one.trends[0]?.noiseRatio ?? null]))
  const moved = shift === undefined ? [] : [formatMoment(shift.since)]
  const numbers = ['Runs', 'Own noise', ...moved]
  const head = ['Series', `${defaultMetric.shortLabel}, last runs`, ...numbers, actions]
  return (
    <section className={styles.section} aria-labelledby="series">
      <StripTip />
      <h2 id="series" className={styles.title}>
        Series in it <span className="muted regular">a control is never better or worse: it measures the machine</span>
      </h2>
      <ListTable label={`Series on ${environment.name}`} head={head} numbers={numbers} isStacked>
        {series.map(({ history: { id, scenario, variant, points }, isControl }) => {
          const runId = points.at(-1)?.runId ?? ''
          const noise = noises.get(id) ?? null
          const factor = shift?.factors[id]
          return (
            <tr key={id}>
              <th scope="row">
                <RunNameLink href={`/p/${slug}/trends/${id}`} run={{ scenario, variant }} />{' '}
                {isControl && <span className="chip">control</span>}
              </th>
              <td className={styles.strip}>
                <PastStrip past={pasts.get(runId)} state={states.get(runId) ?? null} metric={defaultMetric} />
              </td>
              <td className="num" data-label="runs">
                {formatCount(points.length)}
              </td>
              <td className="num" data-label="own noise">
                {noise === null ? '' : `±${formatPercent(Number(noise.toPrecision(2)))}`}
              </td>
              {shift !== undefined && (
                <td className="num" data-label={moved[0]}>
                  {factor === undefined ? (
                    <span className="muted">not moved</span>
                  ) : (
                    `×${formatTick(Number(factor.toPrecision(3)))}`
                  )}
                </td>
              )}
              <td>
                <ControlButton {...{ slug, seriesId: id, name: nameOf(scenario, variant), isControl }} />
              </td>
            </tr>
          )
        })}
      </ListTable>
    </section>
  )
}
