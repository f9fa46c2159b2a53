import { loadWords } from '@/components/run/load-words'
import { runName } from '@/components/runs/run-name'
import { localRuns } from '@/lib/files/local-runs'
import { formatDuration, formatMetric, formatTime } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { findingsOf } from '@/lib/judge/findings'
import { guardSentence } from '@/lib/judge/guard-words'
import { boundOf, comparedByDefault, findMetric } from '@/lib/run/metrics'
import { tools } from '@/lib/run/tools'
import { findInputs } from './inputs'
import { printParsed } from './parse'
import { readInput, withoutOthers, type ReadFile } from './read-files'
import { reportProblems } from './report-problems'
import { tableLines } from './table'
import { columnsOf, fit, painter, printable, wrap, type Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

const readableColumns = 100

/** `tailboard show FILE…`: the runs of files with their figures, and what to know of them. */
export async function show(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean' } })
  if (positionals.length === 0) throw new UsageError('show needs a file')
  if (values.json === true) return printParsed(positionals, terminal)
  const inputs = (await Promise.all(positionals.map((name) => findInputs(name, terminal)))).flat()
  const found: ReadFile[] = []
  for (const input of inputs) found.push(await readInput(input, terminal))
  const files = withoutOthers(found)
  const isReadable = reportProblems(files, terminal)
  const runs = localRuns(
    files.filter(({ error }) => error === null),
    Date.now(),
  )
  if (runs.length > 0) terminal.print(runs.map((run) => runText(run, terminal)).join('\n'))
  return isReadable ? exits.fine : exits.unreadable
}

function runText(run: StoredRun, terminal: Terminal): string {
  const width = columnsOf(terminal)
  const textWidth = Math.min(width, readableColumns)
  const paint = painter(terminal)
  const notes = [
    ...(run.complete ? [] : ['Truncated output: these are the figures that could be read.']),
    ...run.guards.map((guard) => `${guardSentence(guard)}.`),
    ...findingsOf(run.imported).flatMap(({ severity, sentence }) => (severity === 'note' ? [] : [`${sentence}.`])),
    ...run.warnings.map(({ message }) => message),
  ]
  const lines = [
    paint(fit(printable(runName(run)), textWidth).trimEnd(), 'bold'),
    ...wrap(aboutWords(run), textWidth),
    '',
    ...tableLines(figureColumns(run), width, paint),
    ...(notes.length === 0 ? [] : ['', ...[...new Set(notes)].flatMap((note) => wrap(note, textWidth))]),
  ]
  return `${lines.join('\n')}\n`
}

/** Tool, load, environment, duration and start. */
function aboutWords({ tool, load, environment, imported, startedAt, id }: StoredRun): string {
  const duration = imported.durationMs === null ? null : formatDuration(imported.durationMs)
  const start = startedAt === null ? null : formatTime(startedAt)
  const parts = [tools[tool].name, loadWords(load), environment, duration, start, id]
  return parts.filter((part) => part !== null && part !== '').join(' · ')
}

function figureColumns(run: StoredRun) {
  const known = comparedByDefault([run]).flatMap((id) => {
    const metric = findMetric(id)
    const value = metric?.read(run.figures) ?? null
    return metric === null || value === null ? [] : [{ metric, value }]
  })
  const values = known.map(({ metric, value }) => boundOf(run, metric, value) + formatMetric(value, metric.unit))
  return [
    { head: 'metric', align: 'left', cells: known.map(({ metric }) => ({ text: printable(metric.label) })) },
    { head: 'value', align: 'right', cells: values.map((text) => ({ text: printable(text) })) },
  ] as const
}
