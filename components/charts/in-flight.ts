import { formatNumber } from '../../lib/format'
import { leadingLatency } from '../../lib/run/figures'
import type { ImportedRun } from '../../lib/run/run'
import { axisOver } from './plot/latency-axis'
import type { Prepared } from './plot/model'
import { linearTicks, seriesStyle } from './plot/scale'

/** One run's mean number of requests under way beside its connections. */
export interface InFlight {
  readonly id: string
  readonly name: string
  readonly inFlight: number
  readonly connections: number
  /** inFlight / connections; above 1 the figures cannot all be of real answers. */
  readonly ratio: number
  readonly label: string
}

/** The plot of Little's law: a bar for each run, and a mark where all connections are busy all the time. */
export interface PreparedInFlight extends Prepared {
  readonly runs: readonly InFlight[]
}

/** Prepares the plot of Little's law, in the order given; null when no run has rate, mean and connections. */
export function prepareInFlight(
  all: readonly { readonly id: string; readonly name: string; readonly imported: ImportedRun }[],
): PreparedInFlight | null {
  const runs = all.flatMap(({ id, name, imported }): InFlight[] => {
    const meanMs = leadingLatency(imported)?.meanMs
    const { load, requestsPerSecond } = imported
    if (load.kind !== 'closed' || !load.connections || !requestsPerSecond || !meanMs) return []
    const inFlight = (requestsPerSecond * meanMs) / 1000
    const label = `${formatNumber(inFlight)} on ${formatNumber(load.connections)}`
    return [{ id, name, inFlight, connections: load.connections, ratio: inFlight / load.connections, label }]
  })
  if (runs.length === 0) return null
  const ticks = linearTicks(Math.max(1, ...runs.map(({ ratio }) => ratio)))
  const title = 'Requests in flight, as a share of the connections'
  return {
    plot: {
      id: 'under-way',
      title,
      x: axisOver(ticks, (share) => `${Math.round(share * 100)} %`),
      series: [0, 1].map((at) => ({ id: String(at), name: '', style: seriesStyle(at) })),
      panels: [
        {
          label: `${title}: ${runs.map(({ name, label }) => `${name}, ${label}`).join('; ')}`,
          y: { scale: 'linear', domain: [0, 1], ticks: [] },
          marks: [
            {
              kind: 'rows',
              series: 0,
              words: runs.map(({ name, label }) => `${name}: ${label}`),
              ends: runs.map(({ ratio }) => ratio),
              full: 1,
            },
          ],
          says: 'count',
          frame: 'rows',
        },
      ],
      places: [],
      heading: null,
    },
    runs,
    table: () => ({ head: ['Run', 'In flight'], rows: runs.map(({ name, label }) => [name, label]) }),
  }
}
