import type { Tool } from '../lib/run/run'
import type { BlockRun } from './importer'

/** A run of which nothing is known yet: every field null or empty, `complete` true. Importers spread it. */
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
    load: { kind: 'observed' },
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
