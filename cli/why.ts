import { createReadStream } from 'node:fs'
import { nodeUnpacker } from '@/app/_server/archive/node-unpacker'
import { openUpload } from '@/importers/carriers/open-upload'
import { readReportRows } from '@/importers/lambda/report-rows'
import type { Wanted } from '@/importers/rows/wanted'
import type { ServerRow } from '@/lib/cube/join-rows'
import type { RunBeside } from '@/lib/run/run'
import { explainSides, type WhySide } from '@/lib/explain/explain-sides'
import { whyMarkdown } from '@/lib/explain/why-markdown'
import type { WhyTable } from '@/lib/explain/why-report'
import { joinRows } from '@/lib/join/client-server'
import { joinDocument } from '@/lib/join/join-document'
import { joinReport } from '@/lib/join/join-report'
import { findInputs, type Input } from './inputs'
import { readInput, type ReadFile } from './read-files'
import { reportProblems } from './report-problems'
import { tableLines } from './table'
import { columnsOf, painter, printable, wrap, type Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

const options = {
  log: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  md: { type: 'boolean' },
} as const

/** What is printed: a sentence, tables and notes, and the same as a document. */
interface Answer {
  readonly sentence: string
  readonly tables: readonly WhyTable[]
  readonly notes: readonly string[]
  readonly document: unknown
  readonly isRefused: boolean
}

/** `tailboard why A B`: what a difference stands with; `tailboard why A`: how much of the latency is the server's. */
export async function why(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  if (values.json && values.md) throw new UsageError('--json and --md exclude each other')
  const inputs = (await Promise.all(positionals.map((name) => findInputs(name, terminal)))).flat()
  if (inputs.length === 0 || inputs.length > 2) throw new UsageError('why takes one file or two')
  const logs = (await Promise.all((values.log ?? []).map((name) => findInputs(name, terminal)))).flat()
  if (logs.length > inputs.length) throw new UsageError('there are more logs than files')
  const files: ReadFile[] = []
  const servers: (readonly ServerRow[] | null)[] = []
  for (const [at, input] of inputs.entries()) {
    const log = logs[at]
    const server = log === undefined ? null : await readLog(log)
    servers.push(server)
    files.push(await readInput(input, terminal, undefined, wantedOf(inputs.length === 1, server)))
  }
  if (!reportProblems(files, terminal)) return exits.unreadable
  const answer = files.length === 1 ? answerJoin(sideOf(files[0]), servers[0] ?? null) : answerWhy(files)
  if (values.json) terminal.print(`${JSON.stringify(answer.document, null, 2)}\n`)
  else terminal.print(values.md ? whyMarkdown(answer) : textOf(answer, terminal))
  return answer.isRefused ? exits.undecided : exits.fine
}

function wantedOf(isAlone: boolean, server: readonly ServerRow[] | null): Wanted {
  if (isAlone) return { table: true }
  const byId = new Map((server ?? []).flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])))
  return { cube: true, ...(byId.size > 0 ? { invocations: byId } : {}) }
}

/** Every REPORT line of a log, packed or not. */
async function readLog({ path, name }: Input): Promise<readonly ServerRow[]> {
  if (path === null) throw new UsageError('a log is a file')
  const unpacker = nodeUnpacker(() => Promise.reject(new UsageError(`${name} is an archive: name a log in it`)))
  const opened = await openUpload(createReadStream(path), unpacker)
  if (opened.kind === 'archive') throw new UsageError(`${name} is an archive: name a log in it`)
  const rows = await readReportRows(opened.bytes)
  if (rows.length === 0) throw new UsageError(`${name} has no REPORT line of Lambda`)
  return rows
}

/** The only run of a file. Throws UsageError if it has several. */
function sideOf(read: ReadFile | undefined): WhySide & { readonly beside: RunBeside } {
  const { runs = [], beside = [] } = read?.file ?? {}
  const name = read?.input.name ?? ''
  const [run] = runs
  if (run === undefined || runs.length > 1) throw new UsageError(`${name} holds ${runs.length} runs: why takes one`)
  const own = beside[0] ?? {}
  return { name, runs: [{ run, cube: own.cube ?? null }], beside: own }
}

function answerWhy(files: readonly ReadFile[]): Answer {
  const { report, document, evidence } = explainSides(sideOf(files[0]), sideOf(files[1]))
  return { ...report, document, isRefused: evidence === null }
}

function answerJoin({ beside, name }: ReturnType<typeof sideOf>, server: readonly ServerRow[] | null): Answer {
  const { rows } = beside
  if (rows === undefined) throw new UsageError(`${name} has no rows, only figures: nothing can be joined`)
  const join = joinRows(rows, server)
  const { sentence, heads, rows: lines, notes } = joinReport(join)
  const tables = lines.length === 0 ? [] : [{ title: '', heads, rows: lines }]
  return { sentence, tables, notes, document: joinDocument(join), isRefused: join.how === 'refused' }
}

function textOf({ sentence, tables, notes }: Answer, terminal: Terminal): string {
  const [width, paint] = [columnsOf(terminal), painter(terminal)]
  const lines = [
    ...wrap(sentence, width).map((line) => paint(line, 'bold')),
    ...tables.flatMap(({ title, heads, rows }) => [
      '',
      ...(title === '' ? [] : [paint(title, 'dim')]),
      ...tableLines(
        heads.map((head, at) => ({
          head: printable(head),
          align: at === 0 ? ('left' as const) : ('right' as const),
          cells: rows.map((row) => ({ text: printable(row[at] ?? '') })),
        })),
        width,
        paint,
      ),
    ]),
    ...(notes.length === 0 ? [] : ['', ...notes.flatMap((note) => wrap(note, width))]),
  ]
  return `${lines.join('\n')}\n`
}
