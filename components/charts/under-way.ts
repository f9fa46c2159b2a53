import { leadingLatency } from '../../lib/run/figures'
import { formatNumber } from '../../lib/format'
import type { ImportedRun } from '../../lib/run/run'
import { linearTicks } from './scale'

/** One run's mean number of requests under way beside its connections. */
export interface UnderWayBar {
  readonly id: string
  readonly name: string
  readonly underWay: number
  readonly connections: number
  /** underWay / connections; above 1 the figures cannot all be of real answers. */
  readonly ratio: number
  readonly label: string
}

/** Bars from 0 on one scale, the ratio. */
export interface UnderWayPlot {
  readonly title: string
  readonly bars: readonly UnderWayBar[]
  /** Rising ratios from 0; the last one ends the axis. */
  readonly ticks: readonly number[]
}

/** Prepares the plot of Little's law, in the order given; null when no run has rate, mean and connections. */
export function prepareUnderWay(
  runs: readonly { readonly id: string; readonly name: string; readonly imported: ImportedRun }[],
): UnderWayPlot | null {
  const bars = runs.flatMap(({ id, name, imported }): UnderWayBar[] => {
    const meanMs = leadingLatency(imported)?.meanMs
    const { load, requestsPerSecond } = imported
    if (load.kind !== 'closed' || !load.connections || !requestsPerSecond || !meanMs) return []
    const underWay = (requestsPerSecond * meanMs) / 1000
    const label = `${formatNumber(underWay)} on ${formatNumber(load.connections)}`
    return [{ id, name, underWay, connections: load.connections, ratio: underWay / load.connections, label }]
  })
  if (bars.length === 0) return null
  const ticks = linearTicks(Math.max(1, ...bars.map(({ ratio }) => ratio)))
  return { title: 'Requests in flight, as a share of the connections', bars, ticks }
}
