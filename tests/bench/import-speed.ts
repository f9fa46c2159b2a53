/**
 * Import of raw results against vegeta's own report of the same file: whole processes, interleaved, medians of user
 * CPU. `npm run bench:import -- [rows] [rounds]` (1,000,000 and 5). TAILBOARD_VEGETA: path of vegeta; without
 * it, only our own figures and the minimum are measured. TAILBOARD_EARLIER_IMPORT: a bundle of import-once.ts from an
 * earlier commit, against which the cost of headers is measured.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildSync } from 'esbuild'
import { z } from 'zod'
import { readRaw } from '../../importers/raw'
import { vegetaCsv } from '../../importers/vegeta/vegeta-csv'
import { vegetaResultsJson } from '../../importers/vegeta/vegeta-results-json'
import { writeLambdaLog } from './lambda-log'
import { readInPlace } from './read-in-place'
import { writeJtl, writeK6Ndjson } from './rows-of-others'
import { writeResults, type ResultsForm, type ResultsKind } from './results-files'

const rounds = Number(process.argv[3] ?? 5)
/** Aims: how many times less user CPU than `vegeta report`, for a million rows in a separate process. */
const cases: readonly (readonly [kind: ResultsKind, form: ResultsForm, aim: number])[] = [
  ['lean', 'csv', 4],
  ['lean', 'gob', 3.5],
  ['lean', 'json', 3],
  ['fat', 'csv', 8],
  ['fat', 'gob', 8],
  ['fat', 'json', 8],
  ['errors', 'csv', 3],
]

const outcomeSchema = z.object({
  count: z.number(),
  errorKinds: z.number(),
  jsonBytes: z.number(),
  histogramBytes: z.number(),
  maxRssBytes: z.number(),
  cubeBytes: z.number().optional(),
})

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN

/** Measures all cases and prints a table. Throws if a file yields another count than was written. */
export async function printImportSpeed(rows: number, print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-import-speed-'))
  try {
    const peer = findPeer(print)
    const ours = bundle(folder, 'import-once')
    const emptyRss =
      measure(process.execPath, ['-e', 'console.error(process.resourceUsage().maxRSS)']).stderrNumber * 1_024
    print(
      `raw results, ${rows} rows, one process a file, medians of ${rounds} rounds (user CPU; empty Node ${megabytes(emptyRss)})`,
    )
    for (const [kind, form, aim] of cases) {
      const file = writeResults(folder, kind, form, rows)
      print(`  ${compare(file, `${kind} ${form}`, aim, { ours, peer, rows, emptyRss })}`)
      if (kind === 'lean' && form !== 'gob') print(`  ${await compareWithFloor(file, form)}`)
      rmSync(file)
    }
    for (const line of compareHeaders(folder, ours, rows)) print(`  ${line}`)
    for (const line of compareCube(folder, ours, rows)) print(`  ${line}`)
    print(`  ${compareLambda(folder, ours, rows, emptyRss)}`)
    for (const line of compareOthers(folder, rows, emptyRss)) print(`  ${line}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function findPeer(print: (line: string) => void): string | null {
  const peer = process.env['TAILBOARD_VEGETA']
  if (peer !== undefined && existsSync(peer)) return peer
  print('vegeta is not compared: TAILBOARD_VEGETA does not name its executable')
  return null
}

/** A program in one file, as it would ship: CommonJS starts 6 ms sooner than modules. */
function bundle(folder: string, name: string): string {
  const outfile = path.join(folder, `${name}.cjs`)
  buildSync({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  })
  return outfile
}

interface Setting {
  readonly ours: string
  readonly peer: string | null
  readonly rows: number
  readonly emptyRss: number
}

function compare(file: string, name: string, aim: number, { ours, peer, rows, emptyRss }: Setting): string {
  const mine: number[] = []
  const theirs: number[] = []
  let rss = 0
  let rest = 0
  for (let round = 0; round < rounds; round++) {
    const run = measure(process.execPath, [ours, file])
    const outcome = outcomeSchema.parse(JSON.parse(run.stdout))
    if (outcome.count !== rows) throw new Error(`${name}: ${outcome.count} results of ${rows}`)
    mine.push(run.userSeconds)
    rss = Math.max(rss, outcome.maxRssBytes)
    rest = outcome.jsonBytes - outcome.histogramBytes
    if (peer !== null) theirs.push(measure(peer, ['report', '-output=/dev/null', file]).userSeconds)
  }
  const size = statSync(file).size
  const own = `${name.padEnd(11)} ${(size / 1e6).toFixed(0).padStart(4)} MB  ${median(mine).toFixed(3)} s  +${megabytes(rss - emptyRss)}  run ${(rest / 1e3).toFixed(1)} kB beside histograms`
  if (theirs.length === 0) return own
  const ratio = median(theirs.map((seconds, round) => seconds / (mine[round] ?? NaN)))
  return `${own}  vegeta ${median(theirs).toFixed(3)} s: ${ratio.toFixed(1)} times ours (aim ${aim})${ratio < aim ? '  MISSED' : ''}`
}

/** The cost of a cube, encoded, in whole processes that take turns; aim: at most 15 %. */
function* compareCube(folder: string, ours: string, rows: number): Generator<string> {
  for (const [kind, form] of [
    ['lean', 'csv'],
    ['timed', 'csv'],
    ['lean', 'gob'],
    ['lean', 'json'],
  ] as const) {
    const file = writeResults(folder, kind, form, rows)
    const seconds = (...more: string[]) => measure(process.execPath, [ours, file, ...more])
    const times = Array.from({ length: rounds }, () => ({ without: seconds(), cube: seconds('cube') }))
    const ratio = median(times.map(({ without, cube }) => cube.userSeconds / without.userSeconds))
    const { cubeBytes = 0 } = outcomeSchema.parse(JSON.parse(times[0]?.cube.stdout ?? '{}'))
    rmSync(file)
    yield `cube of ${kind} ${form}: ${ratio.toFixed(2)} times the CPU (aim 1.15)${ratio > 1.15 ? '  MISSED' : ''}, ${(cubeBytes / 1e3).toFixed(1)} kB`
  }
}

/**
 * The cost of headers compared with an earlier program: files without any, with five that are not read, with three more
 * that are.
 */
function* compareHeaders(folder: string, ours: string, rows: number): Generator<string> {
  const earlier = process.env['TAILBOARD_EARLIER_IMPORT']
  if (earlier === undefined) return
  for (const form of ['csv', 'gob', 'json'] as const)
    for (const kind of ['lean', 'headers', 'timed'] as const) {
      const file = writeResults(folder, kind, form, rows)
      const seconds = (program: string) => measure(process.execPath, [program, file]).userSeconds
      const times = Array.from({ length: rounds }, () => ({ own: seconds(ours), before: seconds(earlier) }))
      const ratio = median(times.map(({ own, before }) => own / before))
      const aim = kind === 'lean' ? '1' : '1.1'
      yield `${kind} ${form}: ${median(times.map(({ own }) => own)).toFixed(3)} s, ${ratio.toFixed(2)} of the earlier program's (aim ${aim})`
      rmSync(file)
    }
}

/** Megabytes a second of user CPU: a Lambda log against vegeta's CSV, interleaved; aim: at least half. */
function compareLambda(folder: string, ours: string, rows: number, emptyRss: number): string {
  const log = writeLambdaLog(folder, rows)
  const csv = writeResults(folder, 'lean', 'csv', rows)
  const lambda = bundle(folder, 'import-lambda-once')
  const read = (program: string, file: string) => {
    const { stdout, userSeconds } = measure(process.execPath, [program, file])
    const { count, maxRssBytes } = outcomeSchema.parse(JSON.parse(stdout))
    if (count !== rows) throw new Error(`${path.basename(file)}: ${count} of ${rows}`)
    return { speed: statSync(file).size / 1e6 / userSeconds, maxRssBytes }
  }
  const reads = Array.from({ length: rounds }, () => ({ log: read(lambda, log), csv: read(ours, csv) }))
  const ratio = median(reads.map((each) => each.log.speed / each.csv.speed))
  const rate = median(reads.map((each) => each.log.speed))
  const rss = Math.max(...reads.map((each) => each.log.maxRssBytes))
  return `Lambda log ${(statSync(log).size / 1e6).toFixed(0)} MB at ${rate.toFixed(0)} MB/s, +${megabytes(rss - emptyRss)}: ${ratio.toFixed(2)} of the CSV's speed (aim 0.5)${ratio < 0.5 ? '  MISSED' : ''}`
}

/** A program that sums the latencies of such a file, and does nothing else. */
const sumsOfOthers = {
  JTL: ['awk', ['-F,', '{ sum += $2 } END { print sum }']],
  'k6 NDJSON': [
    'jq',
    ['-n', 'reduce (inputs | select(.metric == "http_req_duration") | .data.value) as $ms (0; . + ($ms // 0))'],
  ],
} as const

/** Megabytes a second of user CPU: rows of JMeter and k6 against a program that only sums; aim: 150. */
function* compareOthers(folder: string, rows: number, emptyRss: number): Generator<string> {
  const ours = bundle(folder, 'import-rows-once')
  const requests = { JTL: rows, 'k6 NDJSON': Math.ceil(rows / 13) }
  const files = { JTL: writeJtl(folder, requests.JTL), 'k6 NDJSON': writeK6Ndjson(folder, requests['k6 NDJSON']) }
  for (const name of ['JTL', 'k6 NDJSON'] as const) {
    const file = files[name]
    const [program, args] = sumsOfOthers[name]
    const isThere = spawnSync(program, ['--version']).error === undefined
    const reads = Array.from({ length: rounds }, () => {
      const { stdout, userSeconds } = measure(process.execPath, [ours, file])
      const { count, maxRssBytes } = outcomeSchema.parse(JSON.parse(stdout))
      if (count !== requests[name]) throw new Error(`${name}: ${count} of ${requests[name]}`)
      return { userSeconds, maxRssBytes, peer: isThere ? measure(program, [...args, file]).userSeconds : null }
    })
    const size = statSync(file).size / 1e6
    const rate = size / median(reads.map(({ userSeconds }) => userSeconds))
    const ratio = median(reads.flatMap(({ userSeconds, peer }) => (peer === null ? [] : peer / userSeconds)))
    const against = isThere ? `${program} that adds up: ${ratio.toFixed(1)} times ours` : `${program} is not installed`
    const rss = Math.max(...reads.map(({ maxRssBytes }) => maxRssBytes))
    yield `${name} ${size.toFixed(0)} MB at ${rate.toFixed(0)} MB/s (aim 150)${rate < 150 ? '  MISSED' : ''}, +${megabytes(rss - emptyRss)}; ${against}`
  }
}

/** User CPU by the shell's clock, because Node does not report its children's. */
function measure(command: string, args: readonly string[]) {
  const script = 'TIMEFORMAT="%U"; time "$0" "$@"'
  // Node reads these at every start, 20 ms for a system's whole list; nothing here opens a connection.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, command, ...args], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  const lines = stderr.trim().split('\n')
  return { stdout, userSeconds: Number(lines.at(-1)), stderrNumber: Number(lines[0]) }
}

/** In this process, warm: our reader against a loop that sums the bytes (CSV), or JSON.parse of each line. */
async function compareWithFloor(file: string, form: 'csv' | 'json'): Promise<string> {
  const importer = form === 'csv' ? vegetaCsv : vegetaResultsJson
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const own = await cpuOf(() => readRaw(importer, readInPlace(file)))
    const floor = await cpuOf(() => (form === 'csv' ? addUpBytes(file) : parseLines(file)))
    if (round > 0) ratios.push(form === 'csv' ? own / floor : floor / own)
  }
  const ratio = median(ratios)
  if (form === 'csv') return `warm CSV: ${ratio.toFixed(1)} times the CPU of adding up its bytes (aim: at most 4)`
  return `warm JSON: JSON.parse of each line takes ${ratio.toFixed(1)} times as long (aim: 4)`
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function addUpBytes(file: string): Promise<number> {
  let sum = 0
  for await (const chunk of readInPlace(file))
    for (let at = 0; at < chunk.length; at++) sum = (sum + (chunk[at] ?? 0)) | 0
  return sum
}

async function parseLines(file: string): Promise<number> {
  const decoder = new TextDecoder()
  let count = 0
  let rest = ''
  for await (const chunk of readInPlace(file)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (JSON.parse(line).code >= 0) count++
  }
  return count
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

if (process.argv[1] === import.meta.filename)
  await printImportSpeed(Number(process.argv[2] ?? 1_000_000), (line) => process.stdout.write(`${line}\n`))
