import { answersOf } from '@/lib/capacity/answer'
import { capacityReports, type CapacityReport } from '@/lib/capacity/capacity-report'
import type { CapacityRun } from '@/lib/capacity/capacity-run'
import { runOfRow } from '@/lib/capacity/known-run'
import { objectiveWords, type Objective } from '@/lib/capacity/objective'
import type { RunRow } from '@/lib/history/stored-runs'
import { searchOf, type MatrixQuery } from './matrix-url'
import { objectiveHint, refusedWords } from './sweep-objectives'
import styles from './sweep-capacity.module.css'

/** Reports by group of runs; empty: there is no objective, or no two loads are known. A refusal only if it was asked. */
export function capacityOf(
  runs: readonly RunRow[],
  query: MatrixQuery,
  objectives: readonly Objective[],
): readonly CapacityReport[] {
  const known = runs.map(runOfRow)
  if (objectives.length === 0 || !haveLoads(known)) return []
  const answers = answersOf(known, objectives, null)
  const shown = answers.filter(({ kind }) => kind !== 'refused' || query.objectives.length > 0)
  return capacityReports(shown, objectives, null)
}

const haveLoads = (runs: readonly CapacityRun[]): boolean =>
  new Set(runs.flatMap((run) => run.ratePerSecond ?? run.connections ?? [])).size > 1

interface Props {
  /** The page, whose form asks for another objective; null: it cannot. */
  readonly path: string | null
  readonly runs: readonly RunRow[]
  readonly query: MatrixQuery
  readonly objectives: readonly Objective[]
  readonly reports: readonly CapacityReport[]
  /** The heading of the page is the sentence of the only report. */
  readonly isHeaded: boolean
}

/** How much the system holds within objectives, from runs at several loads; nothing if fewer than two are known. */
export function SweepCapacity({ path, runs, query, objectives, reports, isHeaded }: Props) {
  if (!haveLoads(runs.map(runOfRow)) || (reports.length === 0 && path === null)) return null
  return (
    <section className={styles.capacity} aria-label="Capacity">
      {reports.map((report) => (
        <Report key={`${report.title} ${report.sentence}`} {...report} isHeaded={isHeaded} />
      ))}
      {query.refusedObjectives.map((text) => (
        <p key={text} role="alert" className="worse flush">
          {refusedWords(text)} {objectiveHint}
        </p>
      ))}
      {path !== null && <ObjectiveForm path={path} query={query} objectives={objectives} />}
    </section>
  )
}

function Report({ title, sentence, heads, rows, notes, isHeaded }: CapacityReport & Pick<Props, 'isHeaded'>) {
  return (
    <div className="below-8">
      {!isHeaded && (
        <p className="flush">
          {title !== '' && <span className="muted">{title}: </span>}
          <strong>{sentence}.</strong>
        </p>
      )}
      {notes.length > 0 && <p className="muted flush">{notes.map((note) => `${note}.`).join(' ')}</p>}
      {rows.length > 0 && (
        <details className={`text-13 ${styles.levels}`}>
          <summary>Levels</summary>
          <div className={styles.scroll}>
            <table className="table">
              <thead>
                <tr>
                  {heads.map((head) => (
                    <th key={head} scope="col">
                      {head === '' ? <span className="visually-hidden">Place</span> : head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.join(' ')}>
                    {row.map((cell, at) => (
                      <td key={heads[at] ?? at}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </div>
  )
}

/** A plain form: its address can be shared. */
function ObjectiveForm({ path, query, objectives }: Pick<Props, 'query' | 'objectives'> & { readonly path: string }) {
  const kept = new URLSearchParams(searchOf(query))
  const written = query.objectives.length > 0 ? query.objectives.join(', ') : objectives.map(objectiveWords).join(', ')
  return (
    <form action={path} className="row wrap gap-8 text-13 screen-only">
      {[...kept]
        .filter(([name]) => name !== 'slo')
        .map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
      <label className="row gap-8">
        {objectives.length === 0 ? 'How much does it hold within' : 'Within'}
        <input
          className={`input ${styles.objective}`}
          name="slo"
          defaultValue={written}
          placeholder="p99<100ms, success>99.9%"
          maxLength={200}
          required
        />
      </label>
      <button type="submit" className="button">
        Show
      </button>
    </form>
  )
}
