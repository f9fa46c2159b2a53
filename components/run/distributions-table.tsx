import { quantileMs } from '@/lib/run/figures'
import { columnUnit, formatCount, formatInColumn } from '@/lib/format'
import { quantileName } from '@/lib/stats/quantile'
import type { ImportedRun, Latency } from '@/lib/run/run'
import { chooseDistributions, distributionName } from './chart-view'
import { SmallTable } from './small-table'

/** Latencies of all requests, the successes and the failures side by side; nothing where the run has one distribution. */
export function DistributionsTable({ run }: { run: ImportedRun }) {
  const shown = chooseDistributions(run).flatMap((of) => run.latencies.find((latency) => latency.of === of) ?? [])
  if (shown.length < 2) return null
  const quantiles = [...new Set(shown.flatMap((latency) => latency.quantiles.map(({ q }) => q)))].sort((a, b) => a - b)
  const unit = columnUnit(
    'ms',
    shown.map((latency) => latency.meanMs),
  )
  const row = (name: string, msOf: (latency: Latency) => number | null) => ({
    key: name,
    name,
    values: shown.map((latency) => formatInColumn(msOf(latency), 'ms', unit)),
  })
  return (
    <SmallTable
      title="Latency by outcome"
      head={[`Figure (${unit.label})`, ...shown.map((latency) => distributionName(latency.of))]}
      rows={[
        { key: 'count', name: 'Requests', values: shown.map((latency) => formatCount(latency.count)) },
        row('Mean', (latency) => latency.meanMs),
        row('Min', (latency) => latency.minMs),
        ...quantiles.map((q) => row(quantileName(q), (latency) => quantileMs(latency, q))),
        row('Max', (latency) => latency.maxMs),
      ]}
    />
  )
}
