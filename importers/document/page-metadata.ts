import type { CellNote, ImportedRun, ImportProblem, Load, Measure } from '../../lib/run/run'
import { isMetadataLine, readMetadataLine, type RunMetadata } from '../../lib/export/page-metadata'
import type { BlockRun } from '../importer'
import type { DocumentLine } from './markdown'
import { listHeadings } from './proposal'
import type { Section } from './structure'
import { warningAt } from '../import-problem'

/** The contents of Tailboard's own comments in a document. */
export interface PageMetadata {
  /** By index of the block below each comment. */
  readonly ofBlocks: ReadonlyMap<number, { readonly metadata: RunMetadata; readonly line: number }>
  readonly cellNotes: readonly CellNote[]
  readonly problems: readonly ImportProblem[]
}

/**
 * Reads the comments on a page of ours: one above each run's output, one for each empty cell. `lines` and `blockLines`
 * (the first line of each block) rise. A comment names only the next block below it.
 */
export function readPageMetadata(lines: readonly DocumentLine[], blockLines: readonly number[]): PageMetadata {
  const ofBlocks = new Map<number, { readonly metadata: RunMetadata; readonly line: number }>()
  const cellNotes: CellNote[] = []
  const problems: ImportProblem[] = []
  for (const { text, number: line, fence } of lines) {
    if (fence !== null || !isMetadataLine(text)) continue
    const read = readMetadataLine(text)
    if (read === null) problems.push(unreadable(line))
    else if (read.kind === 'cell') cellNotes.push({ ...read.metadata, line })
    else {
      const block = blockLines.findIndex((first) => first > line)
      // The nearest comment above a block is its own.
      if (block >= 0) ofBlocks.set(block, { metadata: read.metadata, line })
    }
  }
  return { ofBlocks, cellNotes, problems }
}

function unreadable(line: number): ImportProblem {
  return warningAt(
    'not-understood',
    line,
    'a comment of Tailboard was modified: names are read from headings instead',
    'Export the page again, or name the run manually.',
  )
}

/** A run whose names are in our comment above its output. */
interface ExportedPlace {
  readonly run: BlockRun
  readonly lines: readonly [number, number]
  readonly section: Section
}

/** Completes a run from the comment; figures that the tool printed are never replaced. */
export function completeExportedRun(
  { run, lines, section }: ExportedPlace,
  { metadata, line }: { readonly metadata: RunMetadata; readonly line: number },
): ImportedRun {
  const { lines: _lines, name: _name, ...figures } = run
  const { scenario, variant, environment, environmentAttributes, labels } = metadata
  const source = `Tailboard's comment, line ${line}`
  const named = [
    'scenario',
    ...(variant === null ? [] : ['variant']),
    ...(environment === null ? [] : ['environment']),
    ...(metadata.startedAt === null ? [] : ['startedAt']),
    ...Object.keys(labels).map((key) => `label:${key}`),
    ...Object.keys(environmentAttributes).map((key) => `attribute:${key}`),
  ]
  return {
    ...figures,
    command: run.command ?? metadata.command,
    url: run.url ?? metadata.url,
    method: run.method ?? metadata.method,
    startedAt: metadata.startedAt ?? run.startedAt,
    load: completeLoad(run.load, metadata.load),
    measures: [...run.measures, ...addedMeasures(run, metadata, line)],
    context: {
      headings: listHeadings(section).map(({ title }) => title),
      lines,
      facts: [],
      notes: metadata.notes.map((text) => ({ text, line })),
    },
    proposal: {
      scenario,
      variant,
      environment,
      environmentAttributes,
      labels,
      sources: Object.fromEntries(named.map((field) => [field, source])),
    },
  }
}

function addedMeasures(run: BlockRun, metadata: RunMetadata, line: number): Measure[] {
  const printed = new Set(run.measures.map(({ name }) => name))
  return metadata.measures.filter(({ name }) => !printed.has(name)).map((measure) => ({ ...measure, line }))
}

/** A rate or a number of connections that the tool did not print, if the comment states it. */
function completeLoad(load: Load, stated: Load): Load {
  if (load.kind === 'closed' && stated.kind === 'closed') return load.connections === null ? stated : load
  if (load.kind === 'open' && stated.kind === 'open') return load.ratePerSecond === null ? stated : load
  return load
}
