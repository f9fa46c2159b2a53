import { Fragment } from 'react'
import { plural } from '@/lib/format'
import type { NewsRun, ProjectNews } from '@/lib/project/project-news'
import { figureFact } from '@/lib/run/fact'
import { stateWords } from '@/lib/run/judged-states'
import { findMetric, sentenceLabel } from '@/lib/run/metrics'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import { HealthStrip } from '../charts/plot/rows/health-strip'
import { Fact } from '../facts/fact'
import { runName } from '../runs/run-name'
import { Link } from '../ui/links/link'
import { ListTable } from '../ui/list-table'
import { StateMark } from '../ui/state-mark'
import { Time } from '../ui/time'
import styles from './home.module.css'

interface Props {
  readonly projects: readonly ProjectSummary[]
  /** By project id; a project without runs has none. */
  readonly news: ReadonlyMap<string, ProjectNews>
  readonly nowMs: number
}

/** All projects: the states of their series, the last uploads, and the time of the newest run. */
export function ProjectsTable({ projects, news, nowMs }: Props) {
  const heads = ['Project', 'State', 'Uploads, newest right', 'Last run']
  return (
    <ListTable label="Projects" head={heads} numbers={['Last run']} className={styles.projects}>
      {projects.map((project) => {
        const own = news.get(project.id) ?? null
        return (
          <tr key={project.id}>
            <th scope="row">
              <Link href={`/p/${project.slug}`} className="text bold">
                {project.name}
              </Link>
              <p className="muted">{own?.newest ? <Newest run={own.newest} /> : 'No runs yet'}</p>
            </th>
            <td>{own !== null && <States states={own.states} />}</td>
            <td className={styles.health}>{own !== null && <HealthStrip uploads={own.uploads} />}</td>
            <td className="num">
              {project.latestRunAt === null ? (
                <span className="muted" title="The project has no runs yet">
                  –
                </span>
              ) : (
                <Time at={project.latestRunAt} nowMs={nowMs} />
              )}
              <p className="muted">{plural(project.runCount, 'run')}</p>
            </td>
          </tr>
        )
      })}
    </ListTable>
  )
}

/** The newest run with its leading figures: `GET /ping › a: 2 070/s, p99 59.6 ms`. */
function Newest({ run }: { readonly run: NewsRun }) {
  const { p99Ms, meanMs, throughputPerSecond, requestsPerSecond } = run.figures
  const rate = throughputPerSecond === null ? 'requests-per-second' : 'throughput'
  const leading = [
    { id: rate, value: throughputPerSecond ?? requestsPerSecond },
    { id: p99Ms === null ? 'mean' : 'p99', value: p99Ms ?? meanMs },
  ]
  const facts = leading.flatMap(({ id, value }) => {
    const metric = findMetric(id)
    return metric === null || value === null ? [] : { metric, fact: figureFact(run.id, metric, value) }
  })
  return (
    <>
      {runName(run)}
      {facts.map(({ metric, fact }, at) => (
        <Fragment key={metric.id}>
          {at === 0 ? ': ' : ', '}
          {metric.unit === 'ms' && `${sentenceLabel(metric)} `}
          <Fact of={fact} />
        </Fragment>
      ))}
    </>
  )
}

/** How many series are in each state; if there is only one state, without a number. */
function States({ states }: Pick<ProjectNews, 'states'>) {
  const total = states.reduce((sum, { count }) => sum + count, 0)
  const shown = states.some(({ state }) => state !== 'as-expected' && state !== 'no-history')
    ? states.filter(({ state }) => state !== 'as-expected' && state !== 'no-history')
    : states.slice(0, 1)
  return (
    <span className={styles.states}>
      {shown.map(({ state, count }) => {
        const isOne = total === 1 || (count === total && state === 'no-history')
        const words = isOne ? stateWords[state] : `${count === total ? 'All' : count} ${lowerWords(state)}`
        const sentence = `${plural(count, 'series', 'series')} of ${total}: ${stateWords[state].toLowerCase()}`
        return <StateMark key={state} judged={{ state, sentence }} words={words} />
      })}
    </span>
  )
}

const lowerWords = (state: keyof typeof stateWords): string => stateWords[state].toLowerCase()
