import { plural } from '@/lib/format'
import { findingsOf } from '@/lib/judge/findings'
import type { StoredRun } from '@/lib/history/stored-runs'
import { LearnLink } from '../learn/learn-link'
import { severityWords } from '../run/judgement/run-remarks'
import { SideKey } from '../charts/plot/legend'
import { seriesStyle } from '../charts/plot/scale'
import styles from './run-findings.module.css'

/** Runs whose findings are listed one by one. */
const maxListed = 40
/** Runs without findings that are named. */
const maxNamed = 3

/** What a careful reader would notice, run by run. `canLearn`: with links to the explanations. */
export function RunFindings({
  runs,
  names,
  sides = runs.map((_, at) => at),
  canLearn = false,
}: {
  readonly runs: readonly StoredRun[]
  readonly names: readonly string[]
  /** Position of each run's side, for its line; absent: every run is a side. */
  readonly sides?: readonly number[]
  readonly canLearn?: boolean
}) {
  const found = runs.map((run) => findingsOf(run.imported))
  if (found.every((list) => list.length === 0)) return null
  const calm = names.filter((_, at) => found[at]?.length === 0)
  const withFindings = runs.flatMap((run, at) => (found[at]?.length === 0 ? [] : [{ run, at }]))
  const more = withFindings.length - maxListed
  return (
    <section aria-labelledby="findings-title">
      <h2 id="findings-title" className="section-title">
        Findings
      </h2>
      <div className={`grid gap-16 ${styles.sides}`}>
        {withFindings.slice(0, maxListed).map(({ run, at }) => (
          <div key={run.id} className="card">
            <h3 className="text-13 below-8">
              <SideKey style={seriesStyle(sides[at] ?? at)} /> {names[at]}
            </h3>
            <ul className={`grid gap-6 text-13 ${styles.list}`}>
              {found[at]?.map(({ id, severity, sentence, learn }) => (
                <li key={id} data-severity={severity}>
                  <strong>{severityWords[severity]}</strong> {sentence}{' '}
                  {canLearn && learn !== null && <LearnLink topic={learn} />}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      {more > 0 && <p className="muted text-13 above-8">{plural(more, 'more run')} with findings.</p>}
      {calm.length > 0 && (
        <p className="muted text-13 above-8">
          No findings in {calm.length > maxNamed ? `the other ${plural(calm.length, 'run')}` : calm.join(', ')}.
        </p>
      )}
    </section>
  )
}
