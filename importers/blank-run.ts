import type { Load } from '../lib/run/run'
import { tools, type Tool, type ToolFacts } from '../lib/run/tools'
import type { BlockRun } from './importer'

/** How a tool offers load if its output does not state how much. */
const unknownLoads: Readonly<Record<ToolFacts['loop'], Load>> = {
  open: { kind: 'open', ratePerSecond: null },
  closed: { kind: 'closed', connections: null },
  observed: { kind: 'observed' },
  'by-options': { kind: 'unstated' },
}

/** A run with only its tool known: every other field null or empty, `complete` true. Importers spread it. */
export function blankRun(tool: Tool, form: string): BlockRun {
  return {
    tool,
    form,
    toolVersion: null,
    command: null,
    url: null,
    method: null,
    startedAt: null,
    durationMs: null,
    attackMs: null,
    waitMs: null,
    load: unknownLoads[tools[tool].loop],
    requests: null,
    successes: null,
    successRatio: null,
    requestsPerSecond: null,
    throughputPerSecond: null,
    bytesIn: null,
    bytesOut: null,
    statusCodes: {},
    errors: [],
    latencies: [],
    phases: [],
    timeline: null,
    lambda: null,
    targets: null,
    measures: [],
    complete: true,
    printed: {},
    warnings: [],
  }
}
