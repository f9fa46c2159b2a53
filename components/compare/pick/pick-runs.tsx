import { formatDay, plural } from '@/lib/format'
import { maxCompared, writeSides } from '@/lib/judge/compare-url'
import { figureFact } from '@/lib/run/fact'
import { findMetric, type Metric } from '@/lib/run/metrics'
import type { RunRow } from '@/lib/history/stored-runs'
import { Fact } from '../../facts/fact'
import { runName } from '../../runs/run-name'
import { Link } from '../../ui/links/link'
import { StateMark } from '../../ui/state-mark'
import { Time } from '../../ui/time'
import { PickForm } from './pick-form'
import { proposedRuns, type PickedRuns } from './picked-runs'
import styles from './pick-runs.module.css'

const p99 = findMetric('p99')
const served = findMetric('throughput')
const offered = findMetric('requests-per-second')

interface Props {
  readonly projectSlug: string
  /** Newest first, including the picked ones. */
  readonly runs: readonly RunRow[]
  readonly picked: PickedRuns
  /** Whether there are more than the listed ones. */
  readonly hasMore: boolean
  readonly nowMs: number
}

/**
 * Runs to tick, distinguished by scenario and variant, commit, time and figures. A form of the address: works without
 * scripts.
 */
export function PickRuns({ projectSlug, runs, picked, hasMore, nowMs }: Props) {
  const { to, text } = picked
  if (runs.length < 2 && text === '') {
    return (
      <section>
        <h2 className="section-title">A comparison needs two runs</h2>
        <p>
          This project has {runs.length === 0 ? 'no runs yet' : 'one'}.{' '}
          <Link href={`/p/${projectSlug}/upload`}>Upload load test output</Link> and come back.
        </p>
      </section>
    )
  }
  const ticked = proposedRuns(picked, runs)
  const listed = inOrder(runs, ticked).filter(({ id }) => !to.flat().includes(id))
  return (
    <PickForm sides={to.length} most={maxCompared} initial={ticked.length}>
      {to.length > 0 && <input type="hidden" name="to" value={writeSides(to)} />}
      <Search text={text} sides={to.length} />
      {listed.length === 0 ? (
        <p className="muted">No run holds these words.</p>
      ) : (
        <table className={`plain-table ${styles.table}`}>
          <caption className="visually-hidden">Runs to compare</caption>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" className={styles.wide}>
                Commit
              </th>
              <th scope="col" className={styles.wide}>
                Started
              </th>
              <th scope="col" className="num">
                p99
              </th>
              <th scope="col" className="num">
                Served/s
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map((run) => (
              <PickRow
                key={run.id}
                run={run}
                nowMs={nowMs}
                isTicked={ticked.includes(run.id)}
                isBase={to.length === 0 && ticked[0] === run.id}
                canBeBase={to.length === 0}
              />
            ))}
          </tbody>
        </table>
      )}
      {hasMore && <p className="muted">Newest runs first; search for older ones.</p>}
    </PickForm>
  )
}

/** The ticked ones first, then the newest; those of one document in its order. */
function inOrder(runs: readonly RunRow[], ticked: readonly string[]): readonly RunRow[] {
  const placeOf = (id: string) => (ticked.includes(id) ? ticked.indexOf(id) : ticked.length)
  return runs.toSorted(
    (a, b) =>
      placeOf(a.id) - placeOf(b.id) ||
      b.orderedAt.localeCompare(a.orderedAt) ||
      a.uploadId.localeCompare(b.uploadId) ||
      a.indexInUpload - b.indexInUpload,
  )
}

function Search({ text, sides }: { readonly text: string; readonly sides: number }) {
  return (
    <div className={`row wrap gap-8 text-13 ${styles.bar}`}>
      <input
        className="input"
        type="search"
        name="q"
        defaultValue={text}
        aria-label="Search runs"
        placeholder="Scenario, variant, commit …"
      />
      <button type="submit" name="find" value="1" className="button">
        Search
      </button>
      <p className="muted">
        {sides > 0
          ? `Select runs to add to the ${plural(sides, 'side')}.`
          : `Select 2 to ${maxCompared} runs; the first is the base.`}
      </p>
    </div>
  )
}

function PickRow(props: {
  readonly run: RunRow
  readonly nowMs: number
  readonly isTicked: boolean
  readonly isBase: boolean
  readonly canBeBase: boolean
}) {
  const { run, nowMs, isTicked, isBase, canBeBase } = props
  const { id, environment, labels, judged, figures, startedAt, orderedAt } = run
  const commit = labels['commit']
  const name = runName(run)
  const factOf = (metric: Metric | null) => metric && figureFact(id, metric, metric.read(figures))
  return (
    <tr>
      <th scope="row">
        <span className={`row between gap-12 ${styles.run}`}>
          <label className={`row break fill ${styles.name}`}>
            <input type="checkbox" name="run" value={id} defaultChecked={isTicked} />
            <StateMark judged={judged} runId={id} isSmall />
            <span>
              {name}
              {environment !== null && <span className="muted"> · {environment}</span>}
              <span className={`muted ${styles.narrow}`}>
                {[commit?.slice(0, 10), formatDay(orderedAt)].filter((part) => part !== undefined).join(' · ')}
              </span>
            </span>
          </label>
          {canBeBase && (
            <label className={`row gap-4 muted text-12 regular ${styles.base}`}>
              <input type="radio" name="base" value={id} defaultChecked={isBase} aria-label={`Base: ${name}`} /> base
            </label>
          )}
        </span>
      </th>
      <td className={`mono ${styles.wide}`}>{commit?.slice(0, 10) ?? '–'}</td>
      <td className={styles.wide}>
        <Time at={startedAt ?? orderedAt} nowMs={nowMs} />
      </td>
      <Fact of={factOf(p99)} as="td" className="num" />
      <Fact of={factOf(figures.throughputPerSecond === null ? offered : served)} as="td" className="num" />
    </tr>
  )
}
