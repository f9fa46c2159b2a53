import type { Milliseconds } from '../../lib/run/run'
import { programs, type Program } from '../../lib/run/tools'
import { anyProgram, readOptions, splitShellLine, type ShellCommand } from './command-line'
import { decodeAddress } from '../carried/copied-text'
import { parseGoDuration } from '../text/go-duration'
import { readItemMark, type DocumentLine } from './markdown'
import { parseCount, parseDecimal } from '../text/number'
import { parsePlan } from '../text/wrk-units'

/** The settings in a load generator's command line. Null: not in the line. */
export interface Command {
  readonly program: Program
  /** As written, without prompt, continued lines joined by a space. */
  readonly text: string
  readonly url: string | null
  /** Upper-case. hey and wrk without a script send GET by default. */
  readonly method: string | null
  readonly connections: number | null
  /** The tool's constant rate; null also for vegeta's `-rate=0`, as fast as it can. */
  readonly ratePerSecond: number | null
  /** hey's `-q`: a limit per worker, not a rate. */
  readonly workerRatePerSecond: number | null
  readonly durationMs: Milliseconds | null
  readonly requests: number | null
  /** `HTTP/2` if the command requests it. */
  readonly protocol: string | null
}

/** A command and its place, 1-based. */
export interface FoundCommand extends Command {
  readonly line: number
  readonly lastLine: number
  readonly fence: number | null
}

const mayBeCommand = new RegExp(String.raw`(?:^|[\s/'"\x60|;&(])${anyProgram}(?:[_.:-][\w.-]{1,40})?\s`)
const calledProgram = new RegExp(String.raw`^(${anyProgram})(?:[_-](?:linux|darwin|windows|macos)\w*|\.exe|:[\w.-]+)?$`)
const programAmidLine = new RegExp(String.raw`(?:^|[\s/])${anyProgram}\s`)
/** What may begin a line that has a load generator further down its pipe. */
const feeder = /^(?:echo|printf|cat|jq|for|while|seq|tee)$/
/** oh-my-zsh's: the folder and the branch follow its arrow. */
const arrowPrompt = /^\s{0,20}➜ {1,4}\S{1,100} {1,4}(?:git:\([^)\s]{0,100}\) {1,4})?(?:✗ {1,4})?/
const prompt = /^[^'"]{0,200}?[$#%>❯➜✗»λ]\]?\s+(?=\S)/

/** Whether a line may call one of the programs, or mention it. */
export const namesProgram = (text: string): boolean => programAmidLine.test(text)

/**
 * Reads a command line, with or without a prompt. Null: not one. `isCode`: it is where commands are, so a program and
 * its options are enough; in prose there must be an address too.
 */
export function readCommand(text: string, { isCode = false } = {}): Command | null {
  if (text.length > 8_000 || !mayBeCommand.test(text)) return null
  const plain = decodeAddress(text.trim()).replace(arrowPrompt, '')
  const direct = readShellLine(plain, isCode || arrowPrompt.test(text))
  if (direct !== null) return direct
  const prefix = prompt.exec(plain)?.[0]
  return prefix === undefined
    ? null
    : readShellLine(plain.slice(prefix.length).replace(/^(?:[$#%>❯➜✗»λ] ?)+/, ''), true)
}

function readShellLine(text: string, isCode: boolean): Command | null {
  const commands = splitShellLine(text)
  const first = commands[0]?.program ?? ''
  if (!calledProgram.test(first) && !feeder.test(first)) return null
  for (const command of commands) {
    const program = programs.get(calledProgram.exec(command.program)?.[1] ?? '')
    if (program === undefined) continue
    const { read, hasVerb } = readers[program]
    const found = read(text, command, commands)
    if (found === null) continue
    const hasOptions = command.args.some((word) => word.startsWith('-'))
    if (hasVerb || (isCode ? hasOptions || found.url !== null : hasOptions && found.url !== null)) return found
  }
  return null
}

interface CommandReader {
  /** Null: it runs no test. */
  read(text: string, command: ShellCommand, commands: readonly ShellCommand[]): Command | null
  /** Whether a word in it starts a test (`attack`): then it needs neither option nor address. */
  readonly hasVerb: boolean
}

const readers: Readonly<Record<Program, CommandReader>> = {
  hey: { read: readHey, hasVerb: false },
  vegeta: { read: readVegeta, hasVerb: true },
  wrk: { read: readWrk, hasVerb: false },
}

const heyFlags = new Set(['h2', 'h', 'more', 'disable-compression', 'disable-keepalive', 'disable-redirects'])
const wrkFlags = new Set(['latency', 'L', 'version', 'v', 'U', 'u_latency', 'B', 'batch_latency'])
const vegetaFlags = new Set(['insecure', 'keepalive', 'http2', 'h2c', 'lazy', 'chunked', 'session-tickets'])

function readHey(text: string, { args }: ShellCommand): Command {
  const { values, positional } = readOptions(args, (name) => !heyFlags.has(name), { glued: false })
  return {
    program: 'hey',
    text,
    url: findUrl(positional),
    method: values.get('m')?.toUpperCase() ?? 'GET',
    connections: parseCount(values.get('c') ?? ''),
    ratePerSecond: null,
    workerRatePerSecond: parseDecimal(values.get('q') ?? ''),
    durationMs: parseGoDuration(values.get('z') ?? ''),
    requests: values.has('z') ? null : parseCount(values.get('n') ?? ''),
    protocol: values.has('h2') ? 'HTTP/2' : null,
  }
}

function readWrk(text: string, { args }: ShellCommand): Command {
  const { values, positional } = readOptions(args, (name) => !wrkFlags.has(name), { glued: true })
  const duration = values.get('d') ?? values.get('duration') ?? ''
  return {
    program: 'wrk',
    text,
    url: findUrl(positional),
    // A script may send anything.
    method: values.has('s') || values.has('script') ? null : 'GET',
    connections: parseMetricCount(values.get('c') ?? values.get('connections') ?? ''),
    ratePerSecond: parseMetricCount(values.get('R') ?? values.get('rate') ?? ''),
    workerRatePerSecond: null,
    durationMs: parsePlan(/^\d+$/.test(duration) ? `${duration}s` : duration),
    requests: null,
    protocol: null,
  }
}

function readVegeta(text: string, { args }: ShellCommand, commands: readonly ShellCommand[]): Command | null {
  if (!args.includes('attack')) return null
  const { values } = readOptions(args, (name) => !vegetaFlags.has(name), { glued: false })
  const targets = commands
    .flatMap((command) => command.args)
    .flatMap((word) => [...word.matchAll(/(?:^|\n|\\n|<)\s{0,20}([A-Z]{3,7}) {1,20}(https?:\/\/[^\s\\]+)/g)])
  const [, method, url] = (targets.length === 1 ? targets[0] : undefined) ?? []
  return {
    program: 'vegeta',
    text,
    url: url ?? null,
    method: method ?? null,
    connections: parseCount(values.get('connections') ?? ''),
    ratePerSecond: parseVegetaRate(values.get('rate') ?? ''),
    workerRatePerSecond: null,
    durationMs: parseGoDuration(values.get('duration') ?? '') || null,
    requests: null,
    protocol: values.has('h2c') ? 'HTTP/2' : null,
  }
}

function findUrl(positional: readonly string[]): string | null {
  return positional.findLast((word) => /^https?:\/\/\S+$/.test(word)) ?? null
}

/** wrk reads `1k` as 1000. */
function parseMetricCount(text: string): number | null {
  const [, digits, unit] = /^(\d{1,12})([kKMG]?)$/.exec(text) ?? []
  if (digits === undefined) return null
  return Number(`${digits}e${{ k: 3, K: 3, M: 6, G: 9 }[unit ?? ''] ?? 0}`)
}

/** `100`, `100/1s`, `6000/m`. */
function parseVegetaRate(text: string): number | null {
  const [, count, per] = /^(\d{1,12})(?:\/([\w.]{1,20}))?$/.exec(text) ?? []
  if (count === undefined || Number(count) === 0) return null
  const periodMs = per === undefined ? 1_000 : parseGoDuration(/^\d/.test(per) ? per : `1${per}`)
  return periodMs === null || periodMs <= 0 ? null : (Number(count) * 1_000) / periodMs
}

const maxContinuedLines = 40

/** The commands of a document in order: in fences, after prompts, in list items, in `inline code`. */
export function findCommands(lines: readonly DocumentLine[]): FoundCommand[] {
  const found: FoundCommand[] = []
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at]
    if (first === undefined || first.isFenceMark) continue
    const joined = joinContinued(lines, at)
    const command = readLine(joined.text, first.fence !== null)
    if (command === null) continue
    const place = { line: first.number, lastLine: joined.lastLine, fence: first.fence?.line ?? null }
    found.push({ ...command, ...place })
    at += joined.lastLine - first.number
  }
  return found
}

function readLine(text: string, isCode: boolean): Command | null {
  if (!mayBeCommand.test(text)) return null
  const whole = readCommand(text, { isCode })
  if (whole !== null) return whole
  const item = readItemMark(text)?.text
  const inItem = item === undefined ? null : readCommand(item)
  if (inItem !== null) return inItem
  for (const [, code] of text.matchAll(/`([^`]{3,2000})`/g)) {
    const command = code === undefined ? null : readCommand(code, { isCode: true })
    if (command !== null) return command
  }
  return null
}

function joinContinued(lines: readonly DocumentLine[], at: number): { text: string; lastLine: number } {
  let text = lines[at]?.text ?? ''
  let lastLine = lines[at]?.number ?? 0
  for (let next = at + 1; text.trimEnd().endsWith('\\') && next - at < maxContinuedLines; next++) {
    const line = lines[next]
    if (line === undefined || line.number !== lastLine + 1 || line.isFenceMark) break
    text = `${text.trimEnd().slice(0, -1).trimEnd()} ${line.text.trim()}`
    lastLine = line.number
  }
  return { text, lastLine }
}
