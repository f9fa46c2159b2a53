import { formatMoment, formatDuration, formatTime, plural } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { tools } from '@/lib/run/tools'
import { LabelChips } from '../ui/chip'
import { EnvironmentLink } from '../ui/links/environment-link'
import { listHref } from '../runs/list-url'
import { labelsInLine } from '../runs/run-name'
import { loadWords } from './load-words'
import styles from './run-head.module.css'

interface RunHeadProps {
  readonly run: StoredRun
  /** Where the project's commits are shown; null: not known. */
  readonly repositoryUrl: string | null
}

/** Names, tool, load, amount, time and labels of a run. */
export function RunHead({ run, repositoryUrl }: RunHeadProps) {
  const list = `/p/${run.projectSlug}/runs`
  const hrefOf = (key: string, value: string) => listHref(list, new URLSearchParams({ label: `${key}=${value}` }))
  const { labels, folded } = labelsInLine(run, {})
  return (
    <header>
      <h1 className="page-title">
        {run.scenario}
        {run.variant !== null && (
          <>
            <span className={`regular ${styles.part}`}> › </span>
            {run.variant}
          </>
        )}
      </h1>
      <div className={`row wrap muted text-13 above-4 ${styles.meta}`}>
        <Conditions run={run} />
        <span>
          {run.startedAt === null ? 'uploaded ' : ''}
          <time dateTime={run.orderedAt} title={startTitle(run)}>
            {formatMoment(run.orderedAt)} UTC
          </time>
        </span>
        {run.environment !== null && (
          <span>
            on <EnvironmentLink slug={run.projectSlug} name={run.environment} />
          </span>
        )}
        {run.complete ? null : (
          <span
            className={`chip worse ${styles.truncated}`}
            title="Truncated output: these are the figures that could be read"
          >
            truncated
          </span>
        )}
      </div>
      {Object.keys(run.labels).length > 0 && (
        <div className={`row wrap muted text-13 above-4 ${styles.meta}`}>
          <LabelChips labels={labels} repositoryUrl={repositoryUrl} hrefOf={hrefOf} />
          {Object.keys(folded).length > 0 && (
            <details className={styles.more}>
              <summary>{plural(Object.keys(folded).length, 'more label')}</summary>
              <LabelChips labels={folded} hrefOf={hrefOf} />
            </details>
          )}
        </div>
      )}
    </header>
  )
}

const startTitle = ({ orderedAt, startedAtSource }: StoredRun): string =>
  startedAtSource === null ? formatTime(orderedAt) : `${formatTime(orderedAt)}, ${startedAtSource}`

/** Tool, load and amount: shown first on every page of a run. */
export function Conditions({ run }: { readonly run: StoredRun }) {
  const { requests, durationMs } = run.figures
  const count = requests ?? run.imported.lambda?.invocations ?? null
  const amount = count === null ? null : plural(count, tools[run.tool].counts)
  const span = durationMs === null ? null : formatDuration(durationMs)
  const amountInSpan = amount !== null && span !== null ? `${amount} in ${span}` : (amount ?? span)
  // A log is watched: no load was offered. What is not stated is left out.
  const load = run.load.kind === 'open' || run.load.kind === 'closed' ? loadWords(run.load) : null
  return [run.tool, load, amountInSpan].map((part) => (part === null ? null : <span key={part}>{part}</span>))
}
