import { InvalidInputError } from '../../lib/errors'
import { asideJudgement, guardsVersion, runGuards } from '../../lib/judge/run-guards'
import type { RunJudgement } from '../../lib/run/judgement'
import { figuresOf } from '../../lib/run/metrics'
import type { ImportedRun, LatencyHistogram } from '../../lib/run/run'
import { steadyStateOf } from '../../lib/run/steady-part'
import { areSuccessesDerivable } from '../../lib/stats/derived-histogram'
import { clipText, storableText } from '../../lib/text'
import { Prisma } from '../generated/client'
import { jsonColumn } from './json-columns'
import { warningsOf, type RunState, type RunUpload } from './run-state'

const searchLimit = 8_000

/** Lower-case text that the free-text filter searches: names, labels, tool, command and upload name. */
function searchTextOf(state: RunState, imported: ImportedRun, uploadName: string): string {
  const labels = Object.entries(state.labels).map(([key, value]) => `${key}=${value}`)
  const parts = [state.scenario, state.variant, state.environment, ...labels, imported.tool, uploadName]
  const text = [...parts, imported.command ?? imported.url].filter((part) => part !== null).join('\n')
  return clipText(storableText(text.toLowerCase()), searchLimit)
}

/** The columns that depend on what a user may change. */
export function stateColumns(state: RunState, imported: ImportedRun, upload: RunUpload) {
  return {
    scenario: state.scenario,
    variant: state.variant,
    environment: state.environment,
    labels: jsonColumn(state.labels),
    warnings: jsonColumn(warningsOf(imported, state)),
    startedAt: state.startedAt,
    startedAtSource: state.startedAtSource === null ? null : clipText(storableText(state.startedAtSource), 200),
    orderedAt: state.startedAt ?? upload.createdAt,
    notes: state.notes,
    candidate: state.candidate,
    counted: state.counted,
    ...seriesColumns(state, imported),
    edited: [...state.edited],
    searchText: searchTextOf(state, imported, upload.name),
  } satisfies Prisma.RunUncheckedUpdateInput
}

/** Whether a run takes part in its series, and if not, why: that is then its judgement. */
export function seriesColumns(state: Pick<RunState, 'candidate' | 'counted'>, imported: ImportedRun) {
  const guards = runGuards(imported)
  const aside = asideJudgement(imported, guards, state)
  return {
    guards: jsonColumn(guards),
    guardsVersion,
    inSeries: aside === null && !state.candidate,
    ...(aside === null ? {} : judgementColumns(aside)),
  }
}

/** Columns of a run that is not judged yet. */
export const notJudged = {
  judgedState: null,
  judgedSentence: null,
  judgement: Prisma.DbNull,
  judgementBasis: null,
} satisfies Prisma.RunUncheckedUpdateInput

/** The judgement of a run, as its columns. */
function judgementColumns(judgement: RunJudgement) {
  const { state: judgedState, sentence: judgedSentence, version: judgementBasis } = judgement
  return { judgedState, judgedSentence, judgementBasis, judgement: jsonColumn(judgement) }
}

/** The columns that depend on the file: figures, and the canonical run without its histograms. */
export function importedColumns(imported: ImportedRun) {
  const latencies = imported.latencies.map((latency) => ({ ...latency, histogram: null }))
  const steady = steadyStateOf(imported)
  return {
    tool: imported.tool,
    form: storableText(imported.form),
    load: jsonColumn(imported.load),
    complete: imported.complete,
    ...figuresOf(imported),
    steady: steady === null ? Prisma.DbNull : jsonColumn(steady),
    imported: jsonColumn({ ...imported, latencies }),
  } satisfies Prisma.RunUncheckedUpdateInput
}

/**
 * The rows of the histograms of a run's latencies; leaves out the successes' if the others imply it. Throws
 * InvalidInputError for a payload that is not plain base64.
 */
export function histogramRows(
  runId: string,
  projectId: string,
  imported: ImportedRun,
): readonly Prisma.HistogramCreateManyInput[] {
  const isDerivable = areSuccessesDerivable(imported.latencies)
  return imported.latencies.flatMap(({ histogram, of }, latencyIndex) =>
    histogram === null || (of === 'success' && isDerivable)
      ? []
      : [{ runId, latencyIndex, projectId, ...histogramColumns(histogram) }],
  )
}

function histogramColumns(
  histogram: LatencyHistogram,
): Pick<Prisma.HistogramCreateManyInput, 'buckets' | 'v2' | 'unit'> {
  if (histogram.kind === 'buckets') return { buckets: jsonColumn(histogram) }
  const v2 = Buffer.from(histogram.v2Base64, 'base64')
  if (v2.toString('base64') !== histogram.v2Base64)
    throw new InvalidInputError('An HdrHistogram payload is not base64.')
  return { v2: Uint8Array.from(v2), unit: histogram.unit }
}
