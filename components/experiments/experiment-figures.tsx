import { intervalWords } from '@/lib/experiment/experiment-words'
import { formatDuration, formatPercent, missing, roundChange } from '@/lib/format'
import { experimentFact } from '@/lib/run/fact'
import { prepareInterval } from '../charts/experiment/interval'
import { ForestDrawing } from '../charts/plot/rows/forest'
import { Fact } from '../facts/fact'
import type { ExperimentProps } from './experiment-props'
import styles from './experiment.module.css'

/** What the page says of the experiment, as every other surface does. */
export function factOfExperiment({ experiment, progress, words }: ExperimentProps) {
  const { standing, plan } = progress
  const { effect, rounds } = standing
  return experimentFact(experiment.id, { ...words, effect, rounds, maxRounds: plan.maxRounds })
}

/** Rounds spent, head and control against base, and what is promised. */
export function ExperimentFigures(props: ExperimentProps) {
  const { experiment, progress } = props
  const { standing, plan, metric } = progress
  const { effect, control } = standing
  const fact = factOfExperiment(props)
  const matters = formatPercent(plan.smallestRatio)
  return (
    <dl className={`grid ${styles.figures}`} aria-label="Key figures">
      <div>
        <dt>Rounds</dt>
        <dd className={styles.value}>
          <Fact of={fact} part="rounds">
            {standing.rounds}
          </Fact>
          <Of>of at most {plan.maxRounds}</Of>
        </dd>
        <dd className="muted text-12">
          <Progress done={standing.rounds} of={plan.maxRounds} isOpen={progress.open !== null} />
          {spentWords(props)}
        </dd>
      </div>
      <div>
        <dt>Head against base, {metric.shortLabel}</dt>
        <dd className={styles.value}>
          {effect === null ? (
            missing
          ) : (
            <Fact of={fact} part="effect">
              {roundChange(effect.effectRatio)}
            </Fact>
          )}
        </dd>
        <dd className="muted text-12">
          {effect === null ? (
            'too few rounds'
          ) : (
            <>
              <Interval change={effect} smallestRatio={plan.smallestRatio} />
              <Fact of={fact} part="interval">
                {intervalWords(effect)}
              </Fact>
              <span className="block">what matters: ±{matters}</span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Control against base</dt>
        <dd className={styles.value}>{control === null ? missing : roundChange(control.effectRatio)}</dd>
        <dd className="muted text-12">
          {control === null ? (
            controlMissing(experiment.hasControl)
          ) : (
            <>
              <Interval change={control} smallestRatio={plan.smallestRatio} />
              {intervalWords(control)}
              <span className="block">{control.hasMoved ? 'moved: the set-up differs' : 'not surely moved'}</span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>False alarm, all evaluations together</dt>
        <dd className={styles.value}>
          ≤ {Math.round(plan.alpha * 100)}
          <Of>in 100</Of>
        </dd>
        <dd className="muted text-12">experiments on identical code end as better or worse</dd>
      </div>
    </dl>
  )
}

const Of = ({ children }: { readonly children: React.ReactNode }) => (
  <span className={`text-14 medium ${styles.unit}`}> {children}</span>
)

const controlMissing = (hasControl: boolean) =>
  hasControl ? 'too few rounds' : 'no control: nothing is said about the set-up'

function spentWords({ experiment, progress, nowMs }: ExperimentProps): string {
  const { standing, open } = progress
  const starts = experiment.places.map(({ givenAt }) => Date.parse(givenAt))
  const sinceMs = open === null || starts.length === 0 ? null : nowMs - Math.min(...starts)
  const parts = [
    standing.voidRounds === 0 ? 'none void' : `${standing.voidRounds} void${open === null ? '' : ' and repeated'}`,
    ...(sinceMs === null ? [] : [`${formatDuration(Math.max(0, sinceMs))} so far`]),
  ]
  return parts.join(' · ')
}

function Interval({ change, smallestRatio }: { change: Parameters<typeof prepareInterval>[0]; smallestRatio: number }) {
  return (
    <span className={`block relative ${styles.interval}`}>
      <ForestDrawing cell={prepareInterval(change, smallestRatio)} />
    </span>
  )
}

/** One mark a round. */
function Progress({ done, of, isOpen }: { readonly done: number; readonly of: number; readonly isOpen: boolean }) {
  return (
    <span className={`block ${styles.rounds}`} aria-hidden="true">
      {Array.from({ length: of }, (_, at) => (
        <span key={at} data-is={at < done ? 'done' : at === done && isOpen ? 'now' : 'todo'} />
      ))}
    </span>
  )
}
