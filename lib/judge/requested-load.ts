import type { ImportedRun, Milliseconds } from '../run/run'
import { msPerUnit } from '../run/units'

/** What the command, or whoever ran it, asked for. Null: unknown. */
export interface RequestedLoad {
  readonly ratePerSecond: number | null
  readonly durationMs: Milliseconds | null
  readonly requests: number | null
  /** Most requests that the tool has in flight at once: connections, workers. */
  readonly connections: number | null
  /** Length of each answer's body in bytes. */
  readonly contentLengthBytes: number | null
  /** Status codes besides 200–399 that count as answers. */
  readonly expectedCodes: readonly number[]
}

/** hey's default (hey.go: `c = flag.Int("c", 50, "")`). */
const heyConnections = 50

/** What a run's own command, its printed plan and its document ask for. Nothing is taken from its results. */
export function requestedLoadOf(run: ImportedRun): RequestedLoad {
  const { load, tool } = run
  const connections = connectionsOf(run)
  // hey applies the limit to each worker.
  const workerRate = measured(run, 'worker-rate-limit')
  const workersRate = workerRate !== null && workerRate > 0 && connections !== null ? workerRate * connections : null
  const requests = measured(run, 'planned-requests')
  return {
    ratePerSecond: load.kind === 'open' ? load.ratePerSecond : workersRate,
    durationMs: durationOf(run),
    // hey rounds down to a multiple of its workers.
    requests: tool === 'hey' && connections === null ? null : requests,
    connections,
    contentLengthBytes: null,
    expectedCodes: [],
  }
}

function measured({ measures }: ImportedRun, name: string): number | null {
  return measures.find((one) => one.name === name)?.value ?? null
}

function connectionsOf(run: ImportedRun): number | null {
  const { tool, load, command } = run
  if (load.kind === 'closed' && load.connections !== null) return load.connections
  if (tool === 'hey') return command !== null && optionOf(command, ['c']) === null ? heyConnections : null
  // vegeta's -connections are the idle ones that it keeps.
  if (tool !== 'vegeta') return measured(run, 'connections')
  const limits = ['max-workers', 'max-connections'].flatMap((name) => {
    const value = Number(optionOf(command ?? '', [name]))
    return Number.isSafeInteger(value) && value > 0 ? [value] : []
  })
  return limits.length > 0 ? Math.min(...limits) : null
}

/**
 * wrk prints its plan in whole units: `1m` is anything from 51 to 89 s. The command is exact; else the shortest is
 * assumed.
 */
function durationOf(run: ImportedRun): Milliseconds | null {
  const planned = measured(run, 'planned-duration')
  const [, count, unit] = /^(\d+)([mh])$/.exec(run.printed['measures.planned-duration'] ?? '') ?? []
  if (planned === null || count === undefined || (unit !== 'm' && unit !== 'h')) return planned
  const given = /^(\d+)([smh]?)$/.exec(optionOf(run.command ?? '', ['d', 'duration']) ?? '')
  const [, requested, requestedUnit] = given ?? []
  if (requested !== undefined)
    return Number(requested) * msPerUnit[requestedUnit === 'm' || requestedUnit === 'h' ? requestedUnit : 's']
  return (count === '1' ? 0.85 : Number(count) - 0.5) * msPerUnit[unit]
}

/** Text of an option in a command: `-c 10`, `-c=10`, `-c10`; null: absent. */
function optionOf(command: string, names: readonly string[]): string | null {
  for (const name of names) {
    const value = String.raw`[= ]["']?([^\s"']+)`
    const glued = name.length === 1 ? String.raw`|(\d[^\s"']*)` : ''
    const [, apart, joined] = new RegExp(String.raw`\s--?${name}(?:${value}${glued})`).exec(command) ?? []
    if (apart !== undefined || joined !== undefined) return apart ?? joined ?? null
  }
  return null
}
