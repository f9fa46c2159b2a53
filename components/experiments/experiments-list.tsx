import { progressWords, shownWord } from '@/lib/experiment/running-words'
import type { ExperimentProgress, StoredExperiment } from '@/lib/experiment/stored-experiment'
import { experimentFact } from '@/lib/run/fact'
import { Fact } from '../facts/fact'
import { Link } from '../ui/links/link'
import { ListTable } from '../ui/list-table'
import { StateMark } from '../ui/state-mark'
import { Time } from '../ui/time'
import { stateOfWord } from './experiment-state'
import styles from './experiment.module.css'

interface Props {
  readonly slug: string
  readonly experiments: readonly { readonly experiment: StoredExperiment; readonly progress: ExperimentProgress }[]
  readonly nowMs: number
}

/** Experiments, newest first, with what they show. */
export function ExperimentsList({ slug, experiments, nowMs }: Props) {
  return (
    <ListTable
      isStacked
      label="Experiments, newest first"
      head={['Question', 'State', 'What it shows', 'Rounds', 'Planned']}
    >
      {experiments.map(({ experiment, progress }) => {
        const { word, sentence } = progressWords(progress)
        const { standing, plan } = progress
        const said = { word, sentence, effect: standing.effect, rounds: standing.rounds, maxRounds: plan.maxRounds }
        const fact = experimentFact(experiment.id, said)
        return (
          <tr key={experiment.id}>
            <th scope="row" className={styles.question}>
              <Link href={`/p/${slug}/experiments/${experiment.id}`}>{experiment.question}</Link>
              <span className="block muted text-12 regular">
                {experiment.number} · <span className="mono">{experiment.base}</span> against{' '}
                <span className="mono">{experiment.head}</span>
                {experiment.hasControl && ', control'}
              </span>
            </th>
            <td>
              <StateMark judged={{ state: stateOfWord(word), sentence }} words={shownWord(word)} />
            </td>
            <Fact of={fact} part="sentence" as="td">
              {sentence}
            </Fact>
            <td className="nowrap">
              <Fact of={fact} part="rounds">
                {standing.rounds}
              </Fact>{' '}
              of {plan.maxRounds}
            </td>
            <td className="muted">
              <Time at={experiment.createdAt} nowMs={nowMs} />
            </td>
          </tr>
        )
      })}
    </ListTable>
  )
}
