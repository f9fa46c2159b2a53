import { Link } from '../ui/links/link'
import { formatTime } from '@/lib/format'
import { writeSides } from '@/lib/judge/compare-url'
import { counterpartForms } from '@/lib/judge/same-attack'
import { loneDeltaFact } from '@/lib/run/fact'
import { metricsOf, type Metric } from '@/lib/run/metrics'
import type { RunRow, StoredRun } from '@/lib/history/stored-runs'
import { tools } from '@/lib/run/tools'
import { Fact } from '../facts/fact'
import { runName } from '../runs/run-name'
import { StateMark } from '../ui/state-mark'
import styles from './related-runs.module.css'

interface Props {
  readonly run: StoredRun
  readonly previous: RunRow | null
  /** Baseline of the run's scenario and environment, perhaps itself; null: none was chosen. */
  readonly baseline: RunRow | null
  /** The same attack in other forms. */
  readonly sameAttack: readonly RunRow[]
  /** Other runs of its document. */
  readonly siblings: readonly RunRow[]
  /** Number of runs in its document, including this one. */
  readonly documentSize: number
}

/** Related runs to go to from here, each with its plain change: a run each is not enough for a verdict. */
export function RelatedRuns({ run, previous, baseline, sameAttack, siblings, documentSize }: Props) {
  const isBaseline = baseline?.id === run.id
  if (previous === null && baseline === null && sameAttack.length === 0 && siblings.length === 0) return null
  return (
    <section>
      <h2 className="section-title">Other runs</h2>
      <ul className={`grid text-13 break ${styles.list}`}>
        {isBaseline && (
          <li title="Other runs of this scenario and environment are compared with this one.">This is the baseline.</li>
        )}
        {baseline !== null && !isBaseline && (
          <Against run={run} other={baseline} name="the baseline" command="Compare with the baseline" />
        )}
        {previous !== null && (
          <Against run={run} other={previous} name="the previous run" command="Compare with the previous run" />
        )}
        <SameAttack run={run} others={sameAttack} />
        {siblings.map((one) => (
          <li key={one.id} className={`flex baseline ${styles.sibling}`}>
            <StateMark judged={one.judged} runId={one.id} isSmall />
            <Link href={`/p/${one.projectSlug}/runs/${one.id}`}>{siblingName(run, one)}</Link>
          </li>
        ))}
        {siblings.length > 0 && documentSize > siblings.length + 1 && (
          <li>
            <Link href={`/p/${run.projectSlug}/runs?upload=${run.uploadId}`}>
              All {documentSize} runs of the document
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}

/** What distinguishes a run of the same document. */
export function siblingName(run: RunRow, other: RunRow): string {
  if (run.scenario !== other.scenario) return runName(other)
  if (run.variant !== other.variant && other.variant !== null) return other.variant
  return other.environment === run.environment || other.environment === null
    ? `run ${other.indexInUpload + 1} of the document`
    : `on ${other.environment}`
}

/** The metric that describes the change: p99, or another that both runs have. */
function sharedMetric(run: RunRow, previous: RunRow): Metric | null {
  const hasBoth = (metric: Metric) => metric.read(run.figures) !== null && metric.read(previous.figures) !== null
  return metricsOf('previous').find(hasBoth) ?? null
}

interface AgainstProps {
  readonly run: RunRow
  readonly other: RunRow
  readonly name: string
  readonly command: string
}

function Against({ run, other, name, command }: AgainstProps) {
  const metric = sharedMetric(run, other)
  const base = metric?.read(other.figures) ?? null
  const value = metric?.read(run.figures) ?? null
  const fact =
    metric === null || base === null || value === null || base === 0
      ? null
      : loneDeltaFact(writeSides([[other.id], [run.id]]), metric, base, value)
  return (
    <li title={`${formatTime(other.orderedAt)}. One run each: the difference may be noise.`}>
      {metric?.shortLabel ?? ''}{' '}
      <Link href={`/p/${run.projectSlug}/compare/${other.id}...${run.id}`} data-command={command}>
        {fact === null ? 'Compare' : <Fact of={fact} part="effect" />}
      </Link>{' '}
      against <Link href={`/p/${other.projectSlug}/runs/${other.id}`}>{name}</Link>
      {other.variant !== run.variant && other.variant !== null && `, ${other.variant}`}
    </li>
  )
}

/** Name of a form beside others of its tool. */
function formName({ tool, form }: RunRow): string {
  const forms = tools[tool].attackForms
  return forms?.results[form]?.name ?? forms?.reports[form] ?? form
}

/** States that the same attack was uploaded in another form, too, and which of them is exact. Nothing if it was not. */
function SameAttack({ run, others }: { readonly run: StoredRun; readonly others: readonly RunRow[] }) {
  if (others.length === 0) return null
  const links = others.map((other, index) => (
    <span key={other.id}>
      {index > 0 ? ', ' : ''}
      <Link href={`/p/${other.projectSlug}/runs/${other.id}`}>
        {runName(other)} ({formName(other)})
      </Link>
    </span>
  ))
  return counterpartForms(run.imported).isExact ? (
    <li>A report of the same attack: {links}. This run is exact.</li>
  ) : (
    <li>Exact raw results of the same attack: {links}.</li>
  )
}
