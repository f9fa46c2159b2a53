import { parseArgs } from 'node:util'
import { answersOf, type CapacityAnswer } from '@/lib/capacity/answer'
import { capacityDocument } from '@/lib/capacity/capacity-document'
import { capacityReports, type CapacityReport } from '@/lib/capacity/capacity-report'
import type { CapacityRun } from '@/lib/capacity/capacity-run'
import { parseObjective, type Objective } from '@/lib/capacity/objective'
import { declaredLoad, runOfFile } from '@/lib/capacity/known-run'
import { localRuns } from '@/lib/files/local-runs'
import { readPair } from '@/lib/text'
import { findInputs } from './inputs'
import { readInput, withoutOthers, type ReadFile } from './read-files'
import { reportProblems } from './report-problems'
import { tableLines } from './table'
import { columnsOf, painter, printable, wrap, type Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

const options = {
  slo: { type: 'string', multiple: true },
  label: { type: 'string', multiple: true },
  target: { type: 'string' },
  price: { type: 'string' },
  json: { type: 'boolean' },
  md: { type: 'boolean' },
} as const

/** A file argument with the labels before it. */
interface Labelled {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** `tailboard capacity FILE… --slo 'p99<100ms'`: how much a system holds, from runs at several loads. */
export async function capacity(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readArguments(args, options)
  if (values.json && values.md) throw new UsageError('--json and --md exclude each other')
  const objectives = readObjectives(values.slo ?? [])
  const target = readTarget(values.target)
  const price = readPrice(values.price)
  const named = labelledFiles(args)
  if (named.length === 0) throw new UsageError('capacity needs files')
  const files: ReadFile[] = []
  const runs: CapacityRun[] = []
  for (const { name, labels } of named) {
    const found: ReadFile[] = []
    for (const input of await findInputs(name, terminal)) found.push(await readInput(input, terminal))
    const kept = withoutOthers(found)
    files.push(...kept)
    runs.push(...runsOf(kept, labels))
  }
  if (!reportProblems(files, terminal)) return exits.unreadable
  const answers = answersOf(runs, objectives, target)
  const reports = capacityReports(answers, objectives, price)
  if (values.json) terminal.print(`${JSON.stringify(capacityDocument(runs, objectives, answers), null, 2)}\n`)
  else if (values.md) terminal.print(reports.map(markdownOf).join('\n'))
  else terminal.print(reports.map((report) => textOf(report, terminal)).join('\n'))
  return answers.some(isOpenEnded) ? exits.undecided : exits.fine
}

const isOpenEnded = ({ kind }: CapacityAnswer): boolean => kind === 'refused' || kind === 'undecided'

function readObjectives(texts: readonly string[]): readonly Objective[] {
  if (texts.length === 0) throw new UsageError("capacity needs an objective: --slo 'p99<100ms'")
  return texts.map((text) => {
    const objective = parseObjective(text)
    if (objective === null) throw new UsageError(`--slo takes 'p99<100ms' or 'success>99.9%', not ${text}`)
    return objective
  })
}

function readTarget(text: string | undefined): number | null {
  if (text === undefined) return null
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value))) throw new UsageError(`--target takes requests per second, not ${text}`)
  return value
}

/** `0.17/h`: of one instance. */
function readPrice(text: string | undefined): { readonly amount: number; readonly per: string } | null {
  if (text === undefined) return null
  const [, amount, per = ''] = /^(\d+(?:\.\d+)?)(\/[a-z]+)?$/.exec(text) ?? []
  if (amount === undefined) throw new UsageError(`--price takes 0.17/h, not ${text}`)
  return { amount: Number(amount), per }
}

/** Labels are of the files after them, until the same key has another value. */
function labelledFiles(args: readonly string[]): readonly Labelled[] {
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true })
  const labels = new Map<string, string>()
  const files: Labelled[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') files.push({ name: token.value, labels: Object.fromEntries(labels) })
    if (token.kind !== 'option' || token.name !== 'label') continue
    const pair = readPair(token.value ?? '')
    if (pair === null) throw new UsageError(`--label takes KEY=VALUE, not ${token.value ?? ''}`)
    labels.set(...pair)
  }
  return files
}

/** What a run's labels and environment say of its load and its place. */
function runsOf(files: readonly ReadFile[], labels: Readonly<Record<string, string>>): readonly CapacityRun[] {
  const readable = files.filter(({ error }) => error === null).map((file) => ({ ...file, labels }))
  return localRuns(readable, Date.now()).map(({ id, imported, environment, labels: all }) =>
    runOfFile(id, imported, declaredLoad(all, environment)),
  )
}

function textOf({ title, sentence, heads, rows, notes }: CapacityReport, terminal: Terminal): string {
  const [width, paint] = [columnsOf(terminal), painter(terminal)]
  const columns = heads.map((head, at) => ({
    head,
    align: at < 2 ? ('right' as const) : ('left' as const),
    cells: rows.map((row) => ({ text: printable(row[at] ?? '') })),
  }))
  const lines = [
    ...(title === '' ? [] : [paint(printable(title), 'dim')]),
    ...wrap(sentence, width).map((line) => paint(line, 'bold')),
    ...(rows.length === 0 ? [] : tableLines(columns, width, paint)),
    ...notes.flatMap((note) => wrap(note, width)),
  ]
  return `${lines.join('\n')}\n`
}

function markdownOf({ title, sentence, heads, rows, notes }: CapacityReport): string {
  const escape = (text: string) => text.replace(/[\\|`*_<>[\]]/g, '\\$&')
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(' | ')} |`
  const parts = [
    ...(title === '' ? [] : [`### ${escape(title)}`]),
    `**${escape(sentence)}.**`,
    ...(rows.length === 0 ? [] : [[line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')]),
    ...notes.map((note) => `${escape(note)}.`),
  ]
  return `${parts.join('\n\n')}\n`
}
