import { Link } from '../ui/link'
import { formatDate } from '@/lib/format'
import type { RunRow } from '@/lib/run/stored'
import styles from './pick-runs.module.css'

interface Props {
  readonly projectSlug: string
  readonly runs: readonly RunRow[]
  /** The run that came here to be compared; null: none. */
  readonly candidateId: string | null
}

/** What a comparison is, and two lists of recent runs to pick from. A form of the address: works without scripts. */
export function PickRuns({ projectSlug, runs, candidateId }: Props) {
  const listed = [...runs].sort(
    (a, b) =>
      b.orderedAt.localeCompare(a.orderedAt) ||
      a.uploadId.localeCompare(b.uploadId) ||
      a.indexInUpload - b.indexInUpload,
  )
  const [base, candidate] = likelyPair(listed, candidateId) ?? []
  if (!base || !candidate) {
    return (
      <section className="card">
        <h2 className="section-title">A comparison needs two runs</h2>
        <p>
          This project has {runs.length === 0 ? 'no runs yet' : 'one'}.{' '}
          <Link href={`/p/${projectSlug}/upload`}>Upload load test output</Link> and come back.
        </p>
      </section>
    )
  }
  return (
    <form method="get" className={`card ${styles.pick}`}>
      <p className={styles.explain}>
        A comparison shows a baseline beside up to nine other runs: every figure with its change, what else differs, and
        all latencies in one plot. In the <Link href={`/p/${projectSlug}/runs`}>list of runs</Link> you can select more
        than two.
      </p>
      <RunSelect name="base" label="Base" runs={listed} chosen={base.id} />
      <RunSelect name="candidate" label="Compare with" runs={listed} chosen={candidate.id} />
      <button type="submit" className="button button-primary">
        Compare 2 runs
      </button>
    </form>
  )
}

/**
 * Two runs that one would want to compare: the wanted candidate, if any, against one of the same scenario and tool that is
 * not younger; else the first such neighbours; else any two. Null: there are none.
 */
function likelyPair(runs: readonly RunRow[], candidateId: string | null): readonly [RunRow, RunRow] | null {
  const wanted = runs.find(({ id }) => id === candidateId)
  if (wanted) {
    const others = runs.filter(({ id }) => id !== wanted.id)
    const alike = others.filter((one) => one.scenario === wanted.scenario && one.tool === wanted.tool)
    const base = alike.find(({ orderedAt }) => orderedAt <= wanted.orderedAt) ?? alike[0] ?? others[0]
    return base ? [base, wanted] : null
  }
  for (const run of runs) {
    const other = runs.find((one) => one.id !== run.id && one.scenario === run.scenario && one.tool === run.tool)
    if (other) return [run, other]
  }
  const [first, second] = runs
  return first && second ? [first, second] : null
}

function RunSelect(props: {
  readonly name: string
  readonly label: string
  readonly runs: readonly RunRow[]
  readonly chosen: string
}) {
  return (
    <label className={styles.field}>
      {props.label}
      <select className="select" name={props.name} defaultValue={props.chosen}>
        {props.runs.map((run) => (
          <option key={run.id} value={run.id}>
            {[run.scenario, run.variant, run.environment, run.tool, formatDate(run.orderedAt)]
              .filter((part) => part !== null)
              .join(' · ')}
          </option>
        ))}
      </select>
    </label>
  )
}
