import Link from 'next/link'
import { formatChange, formatTime } from '@/lib/format'
import { verdictOf } from '@/lib/comparison'
import { findMetric, type Metric } from '@/lib/metrics'
import type { RunRow } from '@/lib/stored'

/** The metric to tell the change by: p99, or what both runs have beside it. */
function sharedMetric(run: RunRow, previous: RunRow): Metric | null {
  const shared = ['p99', 'p50', 'mean', 'requests-per-second', 'max'].map(findMetric)
  return shared.find((metric) => metric?.read(run.figures) != null && metric.read(previous.figures) !== null) ?? null
}

/** The run before this one of the same scenario, variant and environment, as a group of the lead figures. */
export function PreviousRun({ run, previous }: { run: RunRow; previous: RunRow | null }) {
  if (previous === null) return null
  const metric = sharedMetric(run, previous)
  const base = metric?.read(previous.figures) ?? null
  const value = metric?.read(run.figures) ?? null
  const verdict = metric && base !== null && value !== null ? verdictOf(metric, base, value) : 'unknown'
  return (
    <div title={`Previous run: ${formatTime(previous.orderedAt)}. One run each: the difference may be noise.`}>
      <dt>
        {metric?.shortLabel ?? ''} against{' '}
        <Link href={`/p/${previous.projectSlug}/runs/${previous.id}`}>the previous run</Link>
      </dt>
      <dd className="figure">
        <Link
          className={verdict === 'better' || verdict === 'worse' ? verdict : 'muted'}
          href={`/p/${run.projectSlug}/compare/${previous.id}...${run.id}`}
        >
          {base === null || value === null || base === 0 ? 'Compare' : formatChange(value / base - 1)}
        </Link>
      </dd>
    </div>
  )
}
