import type { Instrument } from '@/lib/instrument/instrument'
import { shownRounds } from '@/lib/instrument/instrument'
import { instrumentWords, roundsToShowWords } from '@/lib/instrument/instrument-words'
import { planLimits } from '@/lib/experiment/plan-limits'
import { formatPercent } from '@/lib/format'
import { ListTable } from '../ui/list-table'
import styles from './environment.module.css'

interface Props {
  readonly instrument: Instrument
  /** When the page is drawn, ms since 1970. */
  readonly nowMs: number
}

const percent = (ratio: number): string => formatPercent(Number(ratio.toPrecision(2)))
const numbers = ['Noise of a round', ...shownRounds.map((rounds) => `${rounds} rounds`), 'Rounds for what matters']

/** What runs of identical code against each other show: false alarms, the smallest visible change, places. */
export function InstrumentSection({ instrument, nowMs }: Props) {
  const { sentence, notes } = instrumentWords(instrument, nowMs)
  return (
    <section className={styles.section} aria-labelledby="instrument">
      <h2 id="instrument" className={styles.title}>
        Identical code
      </h2>
      <p className={`flush ${styles.because} ${styles.certificate}`}>{sentence}.</p>
      {instrument.isCertified && (
        <ListTable label="Smallest change that rounds show" head={['Metric', ...numbers]} numbers={numbers} isStacked>
          {instrument.metrics.map((one) => (
            <tr key={one.metric.id}>
              <th scope="row">{one.metric.shortLabel}</th>
              <td className="num" data-label="noise of a round">
                ±{percent(one.deviation)}
              </td>
              {one.visible.map(({ rounds, ratio }) => (
                <td key={rounds} className="num" data-label={`${rounds} rounds`}>
                  {percent(ratio)}
                </td>
              ))}
              <td className="num" data-label="rounds for what matters">
                {roundsToShowWords(one, planLimits.mostRounds)}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <p className={`muted text-13 ${styles.because}`}>
        {instrument.isCertified && 'Smallest change that rounds show in four of five cases. '}
        {notes.map((note) => `${note}.`).join(' ')}
      </p>
    </section>
  )
}
