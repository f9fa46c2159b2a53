import { Link } from '../ui/link'
import { formatChange, formatTime } from '@/lib/format'
import { metricsOf, type Metric } from '@/lib/run/metrics'
import type { RunRow } from '@/lib/run/stored'
import styles from './lead-figures.module.css'

/** The metric to tell the change by: p99, or what both runs have beside it. */
function sharedMetric(run: RunRow, previous: RunRow): Metric | null {
  const hasBoth = (metric: Metric) => metric.read(run.figures) !== null && metric.read(previous.figures) !== null
  return metricsOf('previous').find(hasBoth) ?? null
}

/**
 * The run that others of this scenario and environment are compared with, as a group of the lead figures: none was chosen,
 * this one is it, or the change against it.
 */
export function BaselineRun({ run, baseline }: { run: RunRow; baseline: RunRow | null }) {
  if (baseline === null) return null
  if (baseline.id === run.id) {
    return (
      <div title="Other runs of this scenario and environment are compared with this one.">
        <dt>Baseline</dt>
        <dd className="figure">this run</dd>
      </div>
    )
  }
  const metric = sharedMetric(run, baseline)
  const base = metric?.read(baseline.figures) ?? null
  const value = metric?.read(run.figures) ?? null
  return (
    <div title={`Baseline: ${formatTime(baseline.orderedAt)}. One run each: the difference may be noise.`}>
      <dt>
        {metric?.shortLabel ?? ''} against{' '}
        <Link className={styles.link} href={`/p/${baseline.projectSlug}/runs/${baseline.id}`}>
          the baseline
        </Link>
        {baseline.variant !== run.variant && baseline.variant !== null && `, ${baseline.variant}`}
      </dt>
      <dd className="figure">
        <Link
          href={`/p/${run.projectSlug}/compare/${baseline.id}...${run.id}`}
          data-command="Compare with the baseline"
        >
          {base === null || value === null || base === 0 ? 'Compare' : formatChange(value / base - 1)}
        </Link>
      </dd>
    </div>
  )
}

/**
 * The run before this one of the same scenario, variant and environment, as a group of the lead figures. The change is
 * plain: one run each bears no verdict.
 */
export function PreviousRun({ run, previous }: { run: RunRow; previous: RunRow | null }) {
  if (previous === null) return null
  const metric = sharedMetric(run, previous)
  const base = metric?.read(previous.figures) ?? null
  const value = metric?.read(run.figures) ?? null
  return (
    <div title={`Previous run: ${formatTime(previous.orderedAt)}. One run each: the difference may be noise.`}>
      <dt>
        {metric?.shortLabel ?? ''} against{' '}
        <Link className={styles.link} href={`/p/${previous.projectSlug}/runs/${previous.id}`}>
          the previous run
        </Link>
        ,{' '}
        <Link className={styles.link} href={`/p/${run.projectSlug}/trends/${run.seriesId}`}>
          trend
        </Link>
      </dt>
      <dd className="figure">
        <Link
          href={`/p/${run.projectSlug}/compare/${previous.id}...${run.id}`}
          data-command="Compare with the previous run"
        >
          {base === null || value === null || base === 0 ? 'Compare' : formatChange(value / base - 1)}
        </Link>
      </dd>
    </div>
  )
}
