import { countedRounds, type GivenPlace } from '@/lib/experiment/stored-experiment'
import { base, head } from '@/lib/experiment/round'
import { formatMoment } from '@/lib/format'
import { writeSides } from '@/lib/judge/compare-url'
import { ConfirmButton } from '../forms/confirm-button'
import { IfAllowed } from '../ui/actions/access'
import { Link } from '../ui/links/link'
import type { ExperimentProps } from './experiment-props'
import styles from './experiment.module.css'
import { RunnerCommand } from './runner-command'

/** The round that is open and how to run it, or what to do with one that is over. */
export function NowAndNext(props: ExperimentProps) {
  const { slug, experiment, progress, words, origin } = props
  const { open } = progress
  return (
    <section aria-labelledby="next" className="slim">
      <div className={`row between ${styles.head}`}>
        <h2 id="next" className={styles.title}>
          {open === null ? 'How it ended' : 'Now and next'}
        </h2>
        {open !== null && (
          <IfAllowed need="edit">
            <ConfirmButton
              verb="Stop"
              name={experiment.question}
              consequence="permanently; its runs stay"
              method="POST"
              url={`/api/v1/projects/${slug}/experiments/${experiment.id}/stop`}
              done="Stopped"
            />
          </IfAllowed>
        )}
      </div>
      {open === null ? (
        <Over {...props} />
      ) : (
        <>
          <OpenRound {...props} open={open} />
          {words.next !== null && <p className={`text-13 ${styles.then}`}>{words.next}.</p>}
          <h3 className={styles.title}>For your own runner</h3>
          <RunnerCommand origin={origin} slug={slug} id={experiment.id} />
          <p className="muted text-13">
            It responds with the arm and the query of its upload, or that it is over and why. Two runners may ask at
            once: each arm of a round is given out once.
          </p>
        </>
      )}
    </section>
  )
}

type OpenProps = ExperimentProps & { readonly open: NonNullable<ExperimentProps['progress']['open']> }

function OpenRound({ experiment, progress, open }: OpenProps) {
  const { standing, rounds } = progress
  const order = standing.kind === 'running' ? standing.next : []
  const runs = rounds.find(({ round }) => round === open.round)?.runIds ?? {}
  const given = experiment.places.filter(({ round }) => round === open.round)
  return (
    <>
      <p className="flush text-13">
        <b>Round {open.round}</b>
        {given.length === 0 ? ' waits for a runner' : ` began ${formatMoment(firstOf(given))}`}
      </p>
      <ol className={`outlined ${styles.arms}`}>
        {order.map((arm) => {
          const state = runs[arm] !== undefined ? 'done' : open.awaited.includes(arm) ? 'runs' : 'waits'
          return (
            <li key={arm} className="row between" data-is={state}>
              <span>
                <b>{arm}</b> <span className="muted">{arm === head ? experiment.head : experiment.base}</span>
              </span>
              <span className="muted">{armWords(state, arm === open.arm)}</span>
            </li>
          )
        })}
      </ol>
    </>
  )
}

const firstOf = (given: readonly GivenPlace[]): string => given.map(({ givenAt }) => givenAt).toSorted()[0] ?? ''

const armWords = (state: 'done' | 'runs' | 'waits', isNext: boolean): string =>
  state === 'done' ? 'has its run' : state === 'runs' ? 'with a runner' : isNext ? 'next' : 'waits'

function Over({ slug, progress }: ExperimentProps) {
  const counted = countedRounds(progress)
  const runsOf = (arm: string) => counted.flatMap(({ runIds }) => runIds[arm] ?? [])
  const sides = [runsOf(base), runsOf(head)]
  return (
    <>
      <p className="muted text-13 flush">
        A new question needs a new experiment: its rounds are not to be reused for a second one.
      </p>
      <p className={`flex wrap gap-8 ${styles.buttons}`}>
        {counted.length > 0 && (
          <Link className="button" href={`/p/${slug}/compare/${writeSides(sides)}`}>
            Compare its {counted.length} + {counted.length} runs
          </Link>
        )}
        <IfAllowed need="edit">
          <Link className="button" href={`/p/${slug}/experiments/new`}>
            New experiment
          </Link>
        </IfAllowed>
      </p>
    </>
  )
}
