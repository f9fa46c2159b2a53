import { formatCount, formatMs, formatNumber, missing } from '@/lib/format'
import type { FieldSummary, LambdaStats } from '@/lib/run/run'
import { SmallTable, type SmallTableRow } from './small-table'

/** What Lambda's REPORT lines tell beside the duration; nothing for other tools. */
export function LambdaTables({ lambda }: { lambda: LambdaStats | null }) {
  if (lambda === null) return null
  const { billedMs, initMs, restoreMs, billedRestoreMs, maxMemoryUsedMb } = lambda
  return (
    <>
      <SmallTable
        title="Lambda fields"
        head={['Field', 'Invocations', 'Min', 'Mean', 'Max', 'Sum']}
        rows={[
          field('Billed duration', billedMs, formatMs),
          field('Init duration', initMs, formatMs),
          field('Restore duration', restoreMs, formatMs),
          field('Billed restore duration', billedRestoreMs, formatMs),
          field('Max memory used', maxMemoryUsedMb, (mb) => `${formatNumber(mb)} MB`, false),
        ].filter((row) => row !== null)}
      />
      <SmallTable title="Invocations" head={['What', 'Invocations']} rows={invocationRows(lambda)} />
    </>
  )
}

function field(
  name: string,
  summary: FieldSummary | null,
  format: (value: number) => string,
  additive = true,
): SmallTableRow | null {
  if (summary === null) return null
  const { count, min, mean, max, sum } = summary
  return {
    key: name,
    name,
    values: [formatCount(count), format(min), format(mean), format(max), additive ? format(sum) : missing],
  }
}

function invocationRows(lambda: LambdaStats): readonly SmallTableRow[] {
  const row = (name: string, count: number | null): readonly SmallTableRow[] =>
    count === null ? [] : [{ key: name, name, values: [formatCount(count)] }]
  return [
    ...(lambda.functionName === null ? [] : row(`of ${lambda.functionName}`, lambda.invocations)),
    ...(lambda.functionName === null ? row('All', lambda.invocations) : []),
    ...row('Cold starts (with init duration)', lambda.coldStarts),
    ...Object.entries(lambda.statuses).flatMap(([status, count]) => row(`Status ${status}`, count)),
    ...Object.entries(lambda.errorTypes).flatMap(([type, count]) => row(`Error type ${type}`, count)),
    ...Object.entries(lambda.memorySizeMb).flatMap(([mb, count]) => row(`With ${mb} MB memory`, count)),
    ...row('Log streams (not invocations)', lambda.logStreams),
  ]
}
