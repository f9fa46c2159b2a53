import type { Change } from '@/lib/experiment/place-effect'
import { intervalWords } from '@/lib/experiment/experiment-words'
import { roundChange } from '@/lib/format'
import { intervalScale, prepareInterval } from '../charts/experiment/interval'
import { ForestAxis, ForestDrawing } from '../charts/plot/rows/forest'
import { EnvironmentLink } from '../ui/links/environment-link'
import { ListTable } from '../ui/list-table'
import type { ExperimentProps } from './experiment-props'
import styles from './experiment.module.css'

interface Props extends ExperimentProps {
  /** What the verdict rests on, besides what stands beside it. */
  readonly notes: readonly string[]
}

const placeNames = ['first', 'second', 'third'] as const

/** What should be zero, and what this set-up shows. */
export function Instrument({ slug, progress, environment, instrument, notes }: Props) {
  const { standing, plan } = progress
  const { control, place } = standing
  const rows: readonly (readonly [name: string, why: string, change: Change])[] = [
    ...(control === null ? [] : [['Control against base', 'the same twice', control] as const]),
    ...(place === null
      ? []
      : [[`What runs ${placeNames[place.place - 1] ?? ''}`, 'place effect, arms taken out', place] as const]),
  ]
  if (rows.length === 0 && notes.length === 0) return null
  return (
    <section aria-labelledby="instrument">
      <h2 id="instrument" className={styles.title}>
        The instrument
      </h2>
      {rows.length > 0 && (
        <ListTable
          label="What should be zero"
          head={[
            'What should be zero',
            'Estimate',
            '99 % interval',
            { name: 'Axis', content: <ForestAxis scale={intervalScale(plan.smallestRatio)} /> },
          ]}
          numbers={['Estimate', '99 % interval']}
          tableClass={styles.zero ?? ''}
          isStacked
        >
          {rows.map(([name, why, change]) => (
            <tr key={name}>
              <th scope="row">
                {name}
                <span className="block muted text-12 regular">{why}</span>
              </th>
              <td className="num" data-label="estimate">
                {roundChange(change.effectRatio)}
              </td>
              <td className="num" data-label="99 % interval">
                {intervalWords(change)}
              </td>
              <td className={`relative ${styles.axis}`}>
                <ForestDrawing cell={prepareInterval(change, plan.smallestRatio)} />
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      {environment !== null && instrument !== null && (
        <p className="text-13 above-10">
          <EnvironmentLink slug={slug} name={environment} />: {instrument.sentence}.
        </p>
      )}
      <ul className={`muted text-13 ${styles.notes}`}>
        {notes.map((note) => (
          <li key={note}>{note}.</li>
        ))}
      </ul>
    </section>
  )
}
