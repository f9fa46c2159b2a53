import { findingsOf, type Finding } from '@/lib/judge/findings'
import { formatCount, formatDuration, formatMetric, plural } from '@/lib/format'
import { figuresOf, metricsOf } from '@/lib/run/metrics'
import type { ImportedRun, UtcIso } from '@/lib/run/run'
import type { UploadDetail } from '@/lib/run/stored'
import { tools } from '@/lib/run/tools'
import type { Place } from './place-link'

/** One figure as text: `p99`, `99.9 ms`, and what it is. */
export interface PreviewFigure {
  readonly id: string
  readonly label: string
  readonly text: string
  /** As the tool printed it; null when it is computed. */
  readonly explain: string
}

/** Something found beside the figures, with the line it stands on (null: no single line). */
export interface PreviewRemark {
  readonly text: string
  readonly place: Place | null
}

/** A run of a draft as its card shows it: everything is text already. */
export interface PreviewRun {
  readonly index: number
  /** `hey · closed loop, 100 connections · 10 000 requests in 3.65 s`. */
  readonly about: string
  /** The entry of an archive in which it is; null: the upload is the file. */
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
  readonly figures: readonly PreviewFigure[]
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
    figures: figuresOfRun(run),
    findings: findingsOf(run).map(({ id, severity, sentence }) => ({ id, severity, sentence })),
    warnings: run.warnings.map(({ message, line }) => ({ text: message, place: placeOf(line) })),
    facts: context.facts.map(({ key, value, line }) => ({ text: `${key}: ${value}`, place: placeOf(line) })),
    notes: context.notes.map(({ text, line }) => ({ text, place: placeOf(line) })),
  }
}

/** The file's name without its extension: what a run is called when nothing else tells. */
function stemOf(fileName: string): string {
  return fileName.replace(/(?<=[^.])\.[a-z0-9]{1,8}$/i, '')
}

function figuresOfRun(run: ImportedRun): readonly PreviewFigure[] {
  const figures = figuresOf(run)
  const known = metricsOf('preview').flatMap((metric) => {
    const value = metric.read(figures)
    if (value === null) return []
    return [
      { id: metric.id, label: metric.shortLabel, text: formatMetric(value, metric.unit), explain: metric.explain },
    ]
  })
  return known.slice(0, 5)
}

/** `<=0.1.4` as people write it. */
function versionWords(version: string): string {
  return version.replace(/^<=/, 'up to ').replace(/^>=/, 'from ')
}

function aboutOf(run: ImportedRun): string {
  const { load, requests, durationMs } = run
  const parts: string[] = [run.toolVersion ? `${run.tool} ${versionWords(run.toolVersion)}` : run.tool]
  if (load.kind === 'open') parts.push(`open loop${load.ratePerSecond ? `, ${formatCount(load.ratePerSecond)}/s` : ''}`)
  if (load.kind === 'closed') {
    parts.push(`closed loop${load.connections ? `, ${plural(load.connections, 'connection')}` : ''}`)
  }
  const counted = requests === null ? null : plural(requests, tools[run.tool].counts)
  const during = durationMs === null ? null : formatDuration(durationMs)
  const ran = counted && during ? `${counted} in ${during}` : (counted ?? during)
  return ran ? [...parts, ran].join(' · ') : parts.join(' · ')
}
