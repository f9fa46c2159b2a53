import { requestedLoadOf } from '../judge/requested-load'
import type { RunRow } from '../history/stored-runs'
import { attemptsOfFigures, figuresOf, findMetric, type RunFigures } from '../run/metrics'
import type { ImportedRun } from '../run/run'
import type { CapacityRun } from './capacity-run'
import { latencyIds, type LatencyMetric } from './objective'

/** What a person or a command declared of a run beside its output. Absent: nothing. */
export interface DeclaredLoad {
  readonly ratePerSecond?: number | undefined
  readonly connections?: number | undefined
  readonly durationMs?: number | undefined
  readonly machine?: string | undefined
  readonly payload?: string | undefined
  readonly instances?: number | undefined
}

/** What labels (`rate`, `connections`, `instances`, `machine`, `payload`) and the environment declare of a run. */
export function declaredLoad(labels: Readonly<Record<string, string>>, environment: string | null): DeclaredLoad {
  const number = (key: string) => {
    const value = Number(/^[\d.]+/.exec(labels[key] ?? '')?.[0])
    return value > 0 ? value : undefined
  }
  return {
    ...{ ratePerSecond: number('rate'), connections: number('connections'), instances: number('instances') },
    ...{ machine: labels['machine'] ?? environment ?? undefined, payload: labels['payload'] },
  }
}

/** A run of a tool's output: its load as declared, or else from its command and output. */
export function runOfFile(id: string, run: ImportedRun, declared: DeclaredLoad): CapacityRun {
  const asked = requestedLoadOf(run)
  return runOf(
    { id, tool: run.tool, isOpen: run.load.kind === 'open', figures: figuresOf(run) },
    { ...asked, ...known(declared) },
  )
}

/** A run of a list, by its figures and labels. What it tested is its scenario and variant, which may name the load. */
export function runOfRow({ id, tool, load, figures, labels, environment, scenario, variant }: RunRow): CapacityRun {
  const asked = {
    ratePerSecond: load.kind === 'open' ? load.ratePerSecond : null,
    connections: load.kind === 'closed' ? load.connections : null,
  }
  const run = runOf(
    { id, tool, isOpen: load.kind === 'open', figures },
    { ...asked, ...known(declaredLoad(labels, environment)) },
  )
  const name = variant === null ? scenario : `${scenario} › ${variant}`
  return { ...run, system: withoutNumber(name, run.ratePerSecond ?? run.connections) }
}

const withoutNumber = (name: string, load: number | null): string =>
  name
    .replace(/\d+(?:\.\d+)?/g, (digits) => (Number(digits) === load ? '' : digits))
    .replace(/\s+/g, ' ')
    .trim()

interface ToolRun {
  readonly id: string
  readonly tool: string
  readonly isOpen: boolean
  readonly figures: RunFigures
}

/** What was declared, without what was not. */
const known = (declared: DeclaredLoad): DeclaredLoad =>
  Object.fromEntries(Object.entries(declared).filter(([, value]) => value !== undefined))

type Asked = { readonly [Key in keyof DeclaredLoad]: DeclaredLoad[Key] | null }

function runOf({ id, tool, isOpen, figures }: ToolRun, asked: Asked): CapacityRun {
  const [ratePerSecond, connections] = [asked.ratePerSecond ?? null, asked.connections ?? null]
  const loop = ratePerSecond !== null ? 'open' : !isOpen && connections !== null ? 'closed' : null
  const { requestsPerSecond, throughputPerSecond, successRatio, durationMs } = figures
  const served = requestsPerSecond === null || successRatio === null ? null : requestsPerSecond * successRatio
  // Each worker of hey waits for its first tick.
  const waiting = tool === 'hey' && durationMs ? ((connections ?? 0) / durationMs) * 1_000 : 0
  return {
    ...{ id, tool, loop, ratePerSecond },
    connections: loop === 'closed' ? connections : null,
    madePerSecond: requestsPerSecond === null ? null : requestsPerSecond + (loop === 'open' ? waiting : 0),
    servedPerSecond: throughputPerSecond ?? served,
    durationMs: asked.durationMs ?? durationMs,
    // Failures that are not known leave the share unknown, too.
    requests: figures.errorCount === null ? null : attemptsOfFigures(figures),
    failed: figures.errorCount ?? 0,
    missing: 0,
    latencyMs: latenciesOf(figures),
    system: null,
    machine: asked.machine ?? null,
    payload: asked.payload ?? null,
    instances: asked.instances ?? null,
  }
}

function latenciesOf(figures: RunFigures): CapacityRun['latencyMs'] {
  const metrics = Object.keys(latencyIds) as LatencyMetric[]
  const known = metrics.map((metric) => [metric, findMetric(latencyIds[metric])?.read(figures) ?? null] as const)
  return Object.fromEntries(known.filter(([, ms]) => ms !== null))
}
