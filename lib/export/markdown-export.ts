import { formatTime } from '../format'
import type { ImportedRun } from '../run/run'
import { writeRunJson } from './run-json'
import { writeCellMetadata, writeRunMetadata, type CellMetadata, type RunMetadata } from './page-metadata'
import { maskSecrets } from '../secrets'
import type { RunNames } from '../history/stored-runs'
import { tools } from '../run/tools'

/** A run to write on a page. */
export interface PageRun extends RunNames {
  /** What distinguishes it from the others on the page. */
  readonly title: string
  readonly startedAt: string | null
  readonly environmentAttributes: Readonly<Record<string, string>>
  readonly imported: ImportedRun
  /** What the tool printed, if reading it again gives this run; null: the figures are written instead. */
  readonly output: readonly string[] | null
}

/** A table of words; the first column is text, the others are figures. */
export interface PageTable {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** How to read it; empty: no explanation. */
  readonly foot: string
}

/** A comparison or a matrix as a Markdown page like those people write. */
export interface MarkdownPage {
  readonly title: string
  /** The verdict and its reliability; paragraphs. */
  readonly lead: readonly string[]
  readonly tables: readonly PageTable[]
  /** Other differences, one sentence each. */
  readonly differences: readonly string[]
  /** Markdown; empty: none. */
  readonly takeaways: string
  readonly notes: string
  readonly runs: readonly PageRun[]
  readonly cellNotes: readonly CellMetadata[]
}

/**
 * Writes the page: verdict, setup, tables, take-aways, and each run's command and output. Importing it gives the same
 * runs: a hidden comment above each output holds its names. Secrets are masked.
 */
export function writeMarkdownPage(page: MarkdownPage): string {
  const parts = [
    `# ${inline(page.title)}`,
    ...page.lead.filter((text) => text !== '').map(inline),
    ...section('Take-aways', closed(page.takeaways)),
    '## Setup',
    tableOf({ head: ['Run', 'Tool', 'Load', 'Environment', 'Started'], rows: page.runs.map(setupRow) }, 'words'),
    ...page.tables.flatMap(({ title, foot, ...table }) => [
      `## ${inline(title)}`,
      tableOf(table, 'figures'),
      ...(foot === '' ? [] : [inline(foot)]),
    ]),
    ...section('What else differs', page.differences.map((text) => `- ${inline(text)}`).join('\n')),
    ...section('Notes', closed(page.notes)),
    ...(page.cellNotes.length === 0 ? [] : ['## Not measured', page.cellNotes.map(cellNote).join('\n')]),
    '## Output',
    'A hidden comment above each output holds the names and labels of its run: Tailboard reads them when this page is uploaded.',
    ...page.runs.flatMap(writeRun),
  ]
  return maskSecrets(`${parts.join('\n\n')}\n`).text
}

function section(title: string, text: string): readonly string[] {
  return text.trim() === '' ? [] : [`## ${title}`, text.trim()]
}

function setupRow({ title, startedAt, environment, imported }: PageRun): readonly string[] {
  const { load, tool, toolVersion } = imported
  const offered =
    load.kind === 'open'
      ? [load.ratePerSecond, 'per second']
      : load.kind === 'closed'
        ? [load.connections, 'connections']
        : ['as uploaded', '']
  return [
    title,
    [tool, toolVersion].filter(Boolean).join(' '),
    offered[0] === null ? 'not stated' : offered.join(' ').trim(),
    environment ?? 'not stated',
    startedAt === null ? 'not stated' : formatTime(startedAt),
  ]
}

function writeRun(run: PageRun): readonly string[] {
  const { imported, output } = run
  const { command, tool } = imported
  const summary =
    output === null
      ? `Figures of this run, as read from ${tools[tool].name}'s results`
      : `Output of ${tools[tool].name}`
  return [
    `### ${inline(run.title)}`,
    writeRunMetadata(metadataOf(run)),
    ...(command === null ? [] : [fenced('sh', [command])]),
    `<details>\n<summary>${summary}</summary>`,
    output === null ? fenced('json', writeRunJson(imported)) : fenced('text', output),
    '</details>',
  ]
}

function metadataOf({ imported, scenario, variant, environment, labels, ...run }: PageRun): RunMetadata {
  return {
    scenario,
    variant,
    environment,
    environmentAttributes: run.environmentAttributes,
    labels,
    startedAt: run.startedAt,
    command: imported.command,
    url: imported.url,
    method: imported.method,
    load: imported.load,
    measures: imported.measures.map(({ name, value, unit }) => ({ name, value, unit })),
    notes: imported.context.notes.map(({ text }) => text),
  }
}

function cellNote(note: CellMetadata): string {
  const names = [note.scenario, note.variant, note.environment].filter((name) => name !== null)
  return `- ${inline(`${names.join(' · ')}: ${note.text}`)}\n\n${writeCellMetadata(note)}\n`
}

/** A fence that no text inside can close. */
function fenced(language: string, lines: readonly string[]): string {
  const longest = lines.reduce((most, line) => Math.max(most, ...(line.match(/`+/g) ?? []).map((run) => run.length)), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`
}

/** A user's text on one line, with its Markdown escaped. */
function inline(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[\\|`*_<>[\]#~]/g, '\\$&')
}

/** A table (GFM). `words`: all columns are text. */
function tableOf(
  { head, rows }: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] },
  kind: 'words' | 'figures',
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const ruler = head.map((_, at) => (at === 0 || kind === 'words' ? '---' : '---:'))
  return [line(head.map(inline)), line(ruler), ...rows.map((row) => line(row.map(inline)))].join('\n')
}

/** A user's Markdown with open fences and comments closed. */
function closed(text: string): string {
  let open: string | null = null
  const lines = text.replaceAll('<!--', '&lt;!--').split(/\r?\n/)
  for (const line of lines) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (mark === '') continue
    if (open === null) open = mark
    else if (mark.startsWith(open) && line.trim() === mark) open = null
  }
  return [...lines, ...(open === null ? [] : [open])].join('\n')
}
