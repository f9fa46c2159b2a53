import { formatCount, formatDuration, formatNumber, plural } from '@/lib/format'
import type { Load } from '@/lib/run/run'
import type { StoredRun } from '@/lib/run/stored'
import { tools } from '@/lib/run/tools'
import { LabelChips } from '../ui/chip'
import { Time } from '../ui/time'
import { listHref } from '../runs/list-url'
import { runName } from '../runs/run-name'
import styles from './run-head.module.css'

/** How requests were offered: `closed loop, 100 connections`. */
export function loadWords(load: Load): string {
  if (load.kind === 'open')
    return load.ratePerSecond === null ? 'open loop' : `open loop, ${formatNumber(load.ratePerSecond)} requests/s`
  if (load.kind === 'closed')
    return load.connections === null ? 'closed loop' : `closed loop, ${formatCount(load.connections)} connections`
  return 'observed'
}

interface RunHeadProps {
  readonly run: StoredRun
  /** Where the project's commits are seen; null: not known. */
  readonly repositoryUrl: string | null
  readonly nowMs: number
}

/** What ran: names, tool, load, amount, time and where that time came from, labels. */
export function RunHead({ run, repositoryUrl, nowMs }: RunHeadProps) {
  const list = `/p/${run.projectSlug}/runs`
  const { requests, durationMs } = run.figures
  const count = requests ?? run.imported.lambda?.invocations ?? null
  const amount = count === null ? null : plural(count, tools[run.tool].counts)
  const span = durationMs === null ? null : formatDuration(durationMs)
  const amountInSpan = amount !== null && span !== null ? `${amount} in ${span}` : (amount ?? span)
  const parts = [run.tool, loadWords(run.load), amountInSpan].filter(Boolean)
  return (
    <header>
      <h1 className="page-title">
        {runName(run)}
        {run.environment === null ? null : <span className="muted"> on {run.environment}</span>}
      </h1>
      <p className={styles.meta}>
        {parts.map((part) => (
          <span key={part}>{part}</span>
        ))}
        <span>
          {run.startedAt === null ? 'uploaded ' : 'started '}
          <Time at={run.orderedAt} nowMs={nowMs} />
          {run.startedAt !== null && run.startedAtSource ? (
            <span className="muted">, {run.startedAtSource}</span>
          ) : null}
        </span>
        {run.complete ? null : (
          <span>
            <span className={`chip ${styles.cut}`} title="Truncated output: these are the figures that could be read">
              {' '}
              truncated{' '}
            </span>
          </span>
        )}
      </p>
      <LabelChips
        labels={run.labels}
        repositoryUrl={repositoryUrl}
        hrefOf={(key, value) => listHref(list, new URLSearchParams({ label: `${key}=${value}` }))}
      />
    </header>
  )
}
