import { findingsOf, type Finding } from '@/lib/judge/findings'
import { columnUnit, formatCount, formatDuration, formatInColumn, formatMetric, plural } from '@/lib/format'
import { figuresOf, findMetric, metricsOf, type MetricUnit, type RunFigures } from '@/lib/run/metrics'
import type { ImportedRun, UtcIso } from '@/lib/run/run'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { tools, versionWords } from '@/lib/run/tools'
import type { Place } from './place-link'

/** Something found beside the figures, with its line (null: no single line). */
export interface PreviewRemark {
  readonly text: string
  readonly place: Place | null
}

/** A run of a draft for its card, all as text. */
export interface PreviewRun {
  readonly index: number
  /** `hey · closed loop, 100 connections · 10 000 requests in 3.65 s`. */
  readonly about: string
  /** The archive entry with it; null: the upload is the file. */
  readonly file: string | null
  readonly form: string
  /** Null: the file has no lines. */
  readonly place: Place | null
  readonly complete: boolean
  readonly scenario: string
  readonly variant: string
  readonly environment: string
  readonly startedAt: UtcIso | null
  readonly labels: readonly (readonly [key: string, value: string])[]
  /** Field → where its proposal came from; see `Proposal.sources`. */
  readonly sources: Readonly<Record<string, string>>
  readonly findings: readonly Pick<Finding, 'id' | 'severity' | 'sentence'>[]
  readonly warnings: readonly PreviewRemark[]
  readonly facts: readonly PreviewRemark[]
  readonly notes: readonly PreviewRemark[]
}

/** Prepares the cards of a draft, in the order of the file. `shownLines`: numbers of the lines on the page. Pure. */
export function preparePreview(upload: UploadDetail, shownLines: ReadonlySet<number>): readonly PreviewRun[] {
  const placeOf = (first: number | null, last: number | null = null) =>
    first === null || upload.lineCount === null ? null : { first, last, shown: shownLines.has(first) }
  return upload.draftRuns.map((run, index) => prepareRun(run, index, upload.name, placeOf))
}

function prepareRun(
  run: ImportedRun,
  index: number,
  uploadName: string,
  placeOf: (first: number | null, last?: number) => Place | null,
): PreviewRun {
  const { proposal, context } = run
  return {
    index,
    about: aboutOf(run),
    file: context.file ?? null,
    form: run.form,
    place: placeOf(...context.lines),
    complete: run.complete,
    scenario: proposal.scenario ?? stemOf(context.file ?? uploadName),
    variant: proposal.variant ?? '',
    environment: proposal.environment ?? '',
    startedAt: run.startedAt,
    labels: Object.entries(proposal.labels),
    sources: proposal.scenario === null ? { ...proposal.sources, scenario: 'file name' } : proposal.sources,
    findings: findingsOf(run).map(({ id, severity, sentence }) => ({ id, severity, sentence })),
    warnings: run.warnings.map(({ message, line }) => ({ text: message, place: placeOf(line) })),
    facts: context.facts.map(({ key, value, line }) => ({ text: `${key}: ${value}`, place: placeOf(line) })),
    notes: context.notes.map(({ text, line }) => ({ text, place: placeOf(line) })),
  }
}

/** The file's name without its extension: the run's name if nothing else gives one. */
function stemOf(fileName: string): string {
  return fileName.replace(/(?<=[^.])\.[a-z0-9]{1,8}$/i, '')
}

/** A column of figures of the table. */
export interface PreviewColumn {
  readonly id: string
  readonly label: string
  readonly explain: string
  /** The unit of the whole column: `ms`, `/s`; empty: none, or each figure has its own. */
  readonly unit: string
  /** A figure per run, in the order of the file; – for missing ones. */
  readonly texts: readonly string[]
  /** The same, each with its own unit: `99.9 ms`. */
  readonly full: readonly string[]
}

interface Column {
  readonly id: string
  readonly label: string
  readonly explain: string
  readonly unit: MetricUnit
  read(figures: RunFigures): number | null
}

/** Figures that a table has if a run has them; others in the preview take their place. */
const maxColumns = 4

/** The columns of a draft's table: tail, middle, served and failed requests; for Lambda, what it has instead. Pure. */
export const previewColumns = (runs: readonly ImportedRun[]): readonly PreviewColumn[] =>
  figureColumns(runs.map(figuresOf))

/** The same, of runs by their figures. */
export function figureColumns(figures: readonly RunFigures[]): readonly PreviewColumn[] {
  const leading = ['p99', 'p50'].flatMap((id) => findMetric(id) ?? [])
  const others = metricsOf('preview').filter(
    ({ id }) => !['p99', 'p50', 'requests-per-second', 'error-ratio'].includes(id),
  )
  const hasAny = ({ read }: Pick<Column, 'read'>) => figures.some((one) => read(one) !== null)
  const first = [...leading.map(toColumn), speedOf(figures), failed].filter(hasAny)
  const rest = others.map(toColumn).filter(hasAny)
  return [...first, ...rest.slice(0, Math.max(0, maxColumns - first.length))].map(
    ({ id, label, explain, unit, read }) => {
      const values = figures.map(read)
      const column = columnUnit(unit, values)
      return {
        id,
        label,
        explain,
        unit: column.label,
        texts: values.map((value) => formatInColumn(value, unit, column)),
        full: values.map((value) => formatMetric(value, unit)),
      }
    },
  )
}

const toColumn = ({
  id,
  shortLabel: label,
  explain,
  unit,
  read,
}: Column & { readonly shortLabel: string }): Column => ({
  id,
  label,
  explain,
  unit,
  read,
})

const failed: Column = {
  id: 'failed',
  label: 'Failed',
  explain: 'Share of requests that failed.',
  unit: 'ratio',
  read: ({ errorRatio }) => errorRatio,
}

/**
 * Requests served per second, as printed or as the share of all that did not fail; all of them if failures are unknown.
 */
function speedOf(figures: readonly RunFigures[]): Column {
  const unit = 'per-second'
  const read = ({ throughputPerSecond, requestsPerSecond, errorRatio }: RunFigures) =>
    throughputPerSecond ??
    (requestsPerSecond === null || errorRatio === null ? null : requestsPerSecond * (1 - errorRatio))
  const isServed = figures.every((one) => one.requestsPerSecond === null || read(one) !== null)
  if (isServed)
    return { id: 'served', label: 'Served/s', explain: 'Requests per second that did not fail.', unit, read }
  const explain = 'Requests per second, whether or not they failed.'
  return { id: 'requests', label: 'Req/s', explain, unit, read: (one) => one.requestsPerSecond }
}

function aboutOf(run: ImportedRun): string {
  const { load, requests, durationMs } = run
  const parts: string[] = [
    [tools[run.tool].name, run.toolVersion && versionWords(run.toolVersion)].filter(Boolean).join(' '),
  ]
  if (load.kind === 'open') parts.push(`open loop${load.ratePerSecond ? `, ${formatCount(load.ratePerSecond)}/s` : ''}`)
  if (load.kind === 'closed') {
    parts.push(`closed loop${load.connections ? `, ${plural(load.connections, 'connection')}` : ''}`)
  }
  const counted = requests === null ? null : plural(requests, tools[run.tool].counts)
  const during = durationMs === null ? null : formatDuration(durationMs)
  const ran = counted && during ? `${counted} in ${during}` : (counted ?? during)
  return ran ? [...parts, ran].join(' · ') : parts.join(' · ')
}
