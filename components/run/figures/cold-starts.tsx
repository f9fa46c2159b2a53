import { formatCount, formatMs, formatNumber, formatPercent, missing } from '@/lib/format'
import type { FieldSummary, ImportedRun } from '@/lib/run/run'
import styles from './cold-starts.module.css'
import { SmallTable, type SmallTableRow } from './small-table'

/** How many invocations had to wait for an environment, and how long; nothing if the log does not state it. */
export function ColdStartsPanel({ run }: { run: Pick<ImportedRun, 'lambda' | 'latencies'> }) {
  const cold = prepareColdStarts(run)
  if (cold === null) return null
  return (
    <div className="slim">
      <SmallTable title="Cold starts" head={['What', 'Invocations', 'p50', 'p99', 'Max']} rows={cold.rows} />
      <p className="text-13 above-10">
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${cold.shareRatio * 100}%` }} />
        </span>
        {cold.summary}
      </p>
      <dl className={`flex wrap above-10 ${styles.facts}`}>
        {cold.facts.map(({ name, text, title }) => (
          <div key={name} title={title}>
            <dt className="muted text-13">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The contents of the panel, as text. */
export interface ColdStarts {
  /** 0…1: invocations that had to start or restore an environment. */
  readonly shareRatio: number
  readonly summary: string
  readonly rows: readonly SmallTableRow[]
  readonly facts: readonly { readonly name: string; readonly text: string; readonly title: string }[]
}

/** With fewer values, the percentile would only repeat the max. */
const minCountForP99 = 100

/** Cold starts of a Lambda run; null if the log does not state them or has only one invocation. */
export function prepareColdStarts(run: Pick<ImportedRun, 'lambda' | 'latencies'>): ColdStarts | null {
  const { lambda } = run
  const invocations = lambda?.invocations ?? null
  if (lambda === null || invocations === null || invocations < 2) return null
  const { coldMs, warmMs, initMs, restoreMs } = lambda
  if (lambda.coldStarts === null && restoreMs === null) return null
  const cold = coldMs?.count ?? Math.max(lambda.coldStarts ?? 0, restoreMs?.count ?? 0)
  const restores = restoreMs?.count ?? 0
  const shareRatio = cold / invocations
  return {
    shareRatio,
    summary:
      `${formatCount(cold)} of ${formatCount(invocations)} invocations (${formatPercent(shareRatio)})` +
      (restores > 0 ? `, ${formatCount(restores)} restored from a snapshot` : ''),
    rows: [
      row('Init', 'Time to start an environment before the handler is called', initMs),
      row('Restore', 'Time to restore a snapshot before the handler is called', restoreMs),
      row('Cold duration', 'Duration of invocations that waited for a start, without that wait', coldMs),
      row('Warm duration', 'Duration of all other invocations', warmMs),
    ].filter((one) => one !== null),
    facts: [billed(run), memory(run)].filter((fact) => fact !== null),
  }
}

function row(name: string, title: string, summary: FieldSummary | null): SmallTableRow | null {
  if (summary === null) return null
  const quantile = (q: number) => summary.quantiles.find((one) => one.q === q)?.value ?? null
  const p99 = summary.count >= minCountForP99 ? quantile(0.99) : null
  return {
    key: name,
    name,
    title,
    values: [
      formatCount(summary.count),
      formatOrMissing(quantile(0.5)),
      formatOrMissing(p99),
      formatOrMissing(summary.max),
    ],
  }
}

function formatOrMissing(ms: number | null): string {
  return ms === null ? missing : formatMs(ms)
}

/** Billed time beyond that of the handlers: rounding up, starts, restores. */
function billed({ lambda, latencies }: Pick<ImportedRun, 'lambda' | 'latencies'>) {
  const billedMs = lambda?.billedMs ?? null
  const all = latencies.find(({ of }) => of === 'all')
  if (billedMs === null || all === undefined || all.count !== billedMs.count || !all.meanMs) return null
  const durationMs = all.meanMs * billedMs.count
  const ratio = billedMs.sum / durationMs - 1
  const sign = ratio < 0 ? '−' : '+'
  return {
    name: 'Billed beyond duration',
    text: `${sign}${formatPercent(Math.abs(ratio))}`,
    title: `${formatMs(billedMs.sum)} billed for ${formatMs(durationMs)} of duration: rounded up, including starts where they are billed`,
  }
}

function memory({ lambda }: Pick<ImportedRun, 'lambda'>) {
  const used = lambda?.maxMemoryUsedMb ?? null
  const sizes = Object.keys(lambda?.memorySizeMb ?? {})
  const [size] = sizes
  if (used === null || sizes.length !== 1 || size === undefined) return null
  return {
    name: 'Max memory used',
    text: `${formatMegabytes(used.max)} of ${formatMegabytes(Number(size))} MB`,
    title: 'Highest Max Memory Used, of the configured memory',
  }
}

function formatMegabytes(mb: number): string {
  return Number.isInteger(mb) ? formatCount(mb) : formatNumber(mb)
}
