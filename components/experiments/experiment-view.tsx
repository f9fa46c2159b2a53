import { formatMoment, formatPercent } from '@/lib/format'
import { shownWord } from '@/lib/experiment/running-words'
import { countedRounds } from '@/lib/experiment/stored-experiment'
import { prepareCourse } from '../charts/experiment/course'
import { preparePairs } from '../charts/experiment/pairs'
import { PlotPanel } from '../charts/plot/panel'
import { Fact } from '../facts/fact'
import { StateMark } from '../ui/state-mark'
import { ExperimentFigures } from './experiment-figures'
import type { ExperimentProps } from './experiment-props'
import { stateOfWord } from './experiment-state'
import styles from './experiment.module.css'
import { Instrument } from './instrument'
import { NowAndNext } from './now-and-next'
import { RoundsTable } from './rounds-table'
import { factOfExperiment } from './experiment-figures'

/** An experiment: what it shows, how it came to it, what is next, and each of its rounds. */
export function ExperimentView(props: ExperimentProps) {
  const { experiment, progress, words, course, tables } = props
  const { plan, metric } = progress
  const [because, ...notes] = words.notes
  const state = stateOfWord(words.word)
  return (
    <div className="page">
      <h1 className="page-title">{experiment.question}</h1>
      <Meta {...props} />
      <p className={styles.say}>
        <StateMark judged={{ state, sentence: words.sentence }} words={shownWord(words.word)} />{' '}
        <Fact of={factOfExperiment(props)} part="sentence">
          {words.sentence}
        </Fact>
      </p>
      {because !== undefined && <p className={`muted flush ${styles.because}`}>{because}.</p>}
      <ExperimentFigures {...props} />
      <div className={`grid ${styles.columns}`}>
        <div className={styles.chart}>
          <PlotPanel
            prepared={prepareCourse({
              ...{ course, state, metricName: metric.shortLabel },
              lowerIsBetter: plan.direction === 'lower-is-better',
              smallestRatio: plan.smallestRatio,
              maxRounds: plan.maxRounds,
            })}
            otherwise={{ title: 'Interval by round', reason: 'From the fourth round on: fewer say nothing of noise.' }}
            tables={tables}
          />
        </div>
        <NowAndNext {...props} />
      </div>
      <div className={`grid ${styles.columns} ${styles.even}`}>
        <div className={styles.chart}>
          <PlotPanel
            prepared={preparePairs(countedRounds(progress), plan.arms, metric)}
            otherwise={{ title: `${metric.label} in each round`, reason: 'No round is finished.' }}
            tables={tables}
          />
        </div>
        <Instrument {...props} notes={notes} />
      </div>
      <RoundsTable {...props} />
    </div>
  )
}

function Meta({ experiment, progress }: ExperimentProps) {
  const { number, base, head, hasControl, createdAt } = experiment
  const { metric, plan } = progress
  return (
    <p className={`flex wrap muted flush text-13 ${styles.meta}`}>
      <span>Experiment {number}</span>
      <span>
        base <span className="mono text">{base}</span>
      </span>
      <span>
        head <span className="mono text">{head}</span>
      </span>
      <span>{hasControl ? 'control: base again' : 'no control'}</span>
      <span>
        {metric.label} decides; {formatPercent(plan.smallestRatio)} matters
      </span>
      <span>planned {formatMoment(createdAt)}</span>
    </p>
  )
}
