import {
  columnUnit,
  formatCount,
  formatDuration,
  formatInColumn,
  formatNumber,
  formatPercent,
  missing,
  plural,
} from '@/lib/format'
import type { RunFigures } from '@/lib/run/metrics'
import type { RunPart } from '@/lib/history/stored-runs'
import styles from './run-parts.module.css'
import { SmallTable } from './figures/small-table'

/** The generators' runs that a run was merged from, each with its figures and its upload; nothing for any other run. */
export function RunParts({ parts }: { readonly parts: readonly RunPart[] }) {
  const unitOf = (of: (figures: RunFigures) => number | null) =>
    columnUnit(
      'ms',
      parts.map(({ figures }) => of(figures)),
    )
  const [p50, p99] = [unitOf(({ p50Ms }) => p50Ms), unitOf(({ p99Ms }) => p99Ms)]
  return (
    <SmallTable
      title={`Made of ${plural(parts.length, 'run')}`}
      head={[
        'Upload',
        'Began, UTC',
        'Took',
        'Requests',
        'Requests/s',
        `p50, ${p50.label}`,
        `p99, ${p99.label}`,
        'Failed',
      ]}
      rows={parts.map(({ id, uploadId, uploadName, projectSlug, indexInUpload, startedAt, figures }) => ({
        key: id,
        name: (
          <>
            <a
              className={styles.name}
              href={`/api/v1/projects/${projectSlug}/uploads/${uploadId}/raw`}
              title="Download raw file"
            >
              {uploadName}
            </a>
            {parts.filter((part) => part.uploadId === uploadId).length > 1 && `, run ${indexInUpload + 1}`}
          </>
        ),
        values: [
          startedAt === null ? missing : startedAt.slice(11, 19),
          formatDuration(figures.durationMs),
          formatCount(figures.requests),
          figures.requestsPerSecond === null ? missing : formatNumber(figures.requestsPerSecond),
          formatInColumn(figures.p50Ms, 'ms', p50),
          formatInColumn(figures.p99Ms, 'ms', p99),
          formatPercent(figures.errorRatio),
        ],
      }))}
      note="They are in no list and no series while this run represents them; “Split again”, among the actions above, brings them back. What their tool itself printed stays in their uploads."
    />
  )
}
