import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { base } from '@/lib/experiment/round'
import {
  attemptOf,
  best,
  confirmationOf,
  failing,
  levelOf,
  reused,
  roomFor,
  roundsToKeep,
  type SessionPlan,
  type SessionRound,
} from '@/lib/experiment/session'
import { attemptWords, confirmedWords, needsWords, type AttemptVerdict } from '@/lib/experiment/session-words'
import { toRatio } from '@/lib/experiment/visible'
import { formatChange, plural } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import { printable, type Terminal } from '../terminal'
import { exits, readArguments, UsageError } from '../usage'
import { RoundsFolder } from './experiment-folder'
import { interruptedExit, Interrupts } from './interrupts'
import { freshPlace, knownPlace, readCount, readDeciding, readPercent, readTime } from './quantities'
import { fileName, RoundRunner, sameOutput, type MeasuredRound } from './round-runner'

const options = {
  base: { type: 'string' },
  run: { type: 'string' },
  digest: { type: 'string' },
  planned: { type: 'string' },
  on: { type: 'string' },
  matters: { type: 'string' },
  max: { type: 'string' },
  'max-runs': { type: 'string' },
  setup: { type: 'string' },
  sleep: { type: 'string' },
  timeout: { type: 'string' },
  out: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean' },
} as const
type Values = ReturnType<typeof readArguments<typeof options>>['values']

const storedSession = z.object({
  ...{ base: z.string(), cwd: z.string(), setup: z.string().nullable(), metricId: z.string() },
  ...{ sleepMs: z.number(), timeoutMs: z.number(), smallestRatio: z.number(), maxRounds: z.number() },
  ...{ plannedAttempts: z.number(), maxRuns: z.number(), seed: z.string() },
})
type StoredSession = z.infer<typeof storedSession>
const storedAttempt = z.object({ name: z.string(), run: z.string(), digest: z.string().nullable(), best: z.string() })

/** A line of log.jsonl: every attempt, the reverted ones as well. */
const logged = z.looseObject({
  name: z.string(),
  verdict: z.enum(['keep', 'revert', 'suspect', 'duplicate', 'not-run']),
  run: z.string(),
  digest: z.string().nullable(),
  gainLog: z.number().nullable(),
  runs: z.number(),
  words: z.string(),
})
type Logged = z.infer<typeof logged>

const defaults = {
  on: 'p99',
  matters: '2%',
  max: '32',
  planned: '20',
  'max-runs': '1000',
  sleep: '0s',
  timeout: '5m',
} as const
const alpha = 0.05
const [suspectExit, notKept] = [4, exits.worse] as const

/** `tailboard session start | attempt NAME | conclude | log`: many attempts against one base with one budget of error. */
export async function session(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  const [verb, name, ...more] = positionals
  if (verb === 'start' && name === undefined) return start(values, terminal)
  const hasName = name !== undefined && more.length === 0
  if (verb !== 'attempt' && verb !== 'conclude' && verb !== 'log')
    throw new UsageError('session takes start, attempt NAME, conclude or log')
  if ((verb === 'attempt') !== hasName)
    throw new UsageError(`session ${verb} takes ${verb === 'attempt' ? 'one name' : 'no name'}`)
  const place = await knownPlace(values.out, 'session', terminal)
  const folder = await RoundsFolder.open(place, storedSession)
  const interrupts = new Interrupts(terminal)
  try {
    const command = await SessionCommand.of(folder, terminal, interrupts, values.json === true)
    if (verb === 'log') return command.log()
    return verb === 'attempt' ? await command.attempt(name ?? '', values) : await command.conclude()
  } finally {
    interrupts.end()
    await folder.close()
  }
}

async function start(values: Values, terminal: Terminal): Promise<number> {
  if (values.base === undefined) throw new UsageError('session start needs --base CMD')
  const { cwd, print } = terminal
  const { metric } = readDeciding(values.on ?? defaults.on)
  const stored: StoredSession = {
    ...{ base: values.base, cwd, setup: values.setup ?? null, metricId: metric.id, seed: values.seed ?? randomUUID() },
    sleepMs: readTime('sleep', values.sleep ?? defaults.sleep),
    timeoutMs: readTime('timeout', values.timeout ?? defaults.timeout),
    smallestRatio: readPercent('matters', values.matters ?? defaults.matters),
    maxRounds: readCount('max', values.max ?? defaults.max, 6),
    plannedAttempts: readCount('planned', values.planned ?? defaults.planned, 1),
    maxRuns: readCount('max-runs', values['max-runs'] ?? defaults['max-runs'], 50),
  }
  const place = await freshPlace(values.out, 'session', terminal)
  const folder = await RoundsFolder.create(place, stored)
  await folder.close()
  print(
    `Session in ${path.relative(cwd, place)}: ${plural(stored.plannedAttempts, 'attempt')} planned, at most ${plural(stored.maxRuns, 'run')}.\n`,
  )
  return exits.fine
}

/** One step of a session, from what is stored of it. */
class SessionCommand {
  private constructor(
    private readonly folder: RoundsFolder<StoredSession>,
    private readonly metric: Metric,
    private readonly attempts: readonly Logged[],
    private readonly terminal: Terminal,
    private readonly interrupts: Interrupts,
    private readonly isJson: boolean,
  ) {}

  static async of(
    folder: RoundsFolder<StoredSession>,
    terminal: Terminal,
    interrupts: Interrupts,
    isJson: boolean,
  ): Promise<SessionCommand> {
    const { metric } = readDeciding(folder.plan.metricId)
    const text = await readFile(path.join(folder.place, 'log.jsonl'), 'utf8').catch(() => '')
    const attempts = text.split('\n').flatMap((line) => (line === '' ? [] : [logged.parse(JSON.parse(line))]))
    return new SessionCommand(folder, metric, attempts, terminal, interrupts, isJson)
  }

  private planWith(rounds: readonly MeasuredRound[]): SessionPlan {
    const { smallestRatio, maxRounds, plannedAttempts, maxRuns, seed } = this.folder.plan
    const { direction } = readDeciding(this.metric.id)
    const first = rounds.find((round) => round.kind === 'valid')
    const comparesRequests =
      first?.kind === 'valid' && (first.conditions.requests !== null || first.conditions.ratePerSecond !== null)
    return { direction, smallestRatio, maxRounds, alpha, seed, plannedAttempts, maxRuns, comparesRequests }
  }

  private get runs(): number {
    return this.attempts.reduce((sum, { runs }) => sum + runs, 0)
  }

  private get bestRun(): string {
    return this.attempts.findLast(({ verdict }) => verdict === 'keep')?.run ?? this.folder.plan.base
  }

  private get claimedRatio(): number {
    const gain = this.attempts.reduce((sum, { verdict, gainLog }) => sum + (verdict === 'keep' ? (gainLog ?? 0) : 0), 0)
    return this.effectOf(gain)
  }

  private effectOf(gainLog: number): number {
    return toRatio(this.metric.direction === 'lower-is-better' ? -gainLog : gainLog)
  }

  private placeOf(name: string): string {
    return path.join(this.folder.place, fileName(name))
  }

  /** An attempt, or the rest of one that was interrupted. */
  async attempt(
    name: string,
    { run, digest = null }: Omit<Values, 'digest'> & { readonly digest?: string | undefined | null },
  ): Promise<number> {
    if (run === undefined) throw new UsageError('session attempt needs --run CMD')
    if (this.attempts.some((one) => one.name === name))
      throw new UsageError(`${name} has its verdict: session log prints it`)
    if ([base, best, 'confirmation', ''].includes(name)) throw new UsageError(`an attempt cannot be called ${name}`)
    const same =
      digest === null ? undefined : this.attempts.find((one) => one.digest === digest && one.verdict !== 'duplicate')
    const rest = { run, digest, gainLog: null, runs: 0 }
    if (same !== undefined) return this.say(name, { verdict: 'duplicate', of: same.name }, rest)
    const room = roomFor(this.planWith([]), this.runs)
    if (room === null) return this.say(name, { verdict: 'not-run' }, rest)
    const measured = this.attempts.filter(({ verdict }) => verdict !== 'duplicate' && verdict !== 'not-run').length
    const known = { name, run, digest, best: this.bestRun }
    const rounds = await this.open(name, known)
    try {
      const runner = await this.runnerOf((arm) => (arm === best ? rounds.plan.best : rounds.plan.run), rounds)
      for (;;) {
        const plan = this.planWith(rounds.rounds)
        const attempt = { name, level: levelOf(measured + 1, plan), room }
        const standing = attemptOf(plan, attempt, rounds.rounds.map(asSessionRound))
        if (standing.kind === 'running') {
          if (!(await this.measure(runner, rounds, standing.next))) return this.pause(`attempt ${name}`)
          continue
        }
        const spent = { ...rest, runs: runsOf(rounds.rounds) }
        if (standing.kind === 'suspect') return await this.say(name, { verdict: 'suspect', why: standing.why }, spent)
        const { gainLog, deviation } = standing
        const effectRatio = gainLog === null ? null : this.effectOf(gainLog)
        const needs =
          deviation === null ? null : needsWords(roundsToKeep(plan, deviation, plan.smallestRatio), plan.smallestRatio)
        const said: AttemptVerdict =
          standing.kind === 'keep'
            ? { verdict: 'keep', effectRatio: effectRatio ?? 0 }
            : { verdict: 'revert', why: standing.why, effectRatio }
        return await this.say(name, said, { ...spent, gainLog }, needs)
      }
    } finally {
      await rounds.close()
    }
  }

  private async open<Plan extends z.infer<typeof storedAttempt>>(
    name: string,
    plan: Plan,
  ): Promise<RoundsFolder<z.infer<typeof storedAttempt>>> {
    const place = this.placeOf(name)
    return existsSync(path.join(place, 'plan.json'))
      ? RoundsFolder.open(place, storedAttempt)
      : RoundsFolder.create(place, plan)
  }

  private async runnerOf(textOf: (arm: string) => string, rounds: RoundsFolder<unknown>): Promise<RoundRunner> {
    const { cwd, setup, sleepMs, timeoutMs } = this.folder.plan
    const commandOf = (arm: string) => ({ text: textOf(arm), cwd, env: { TAILBOARD_ARM: arm } })
    const runner = new RoundRunner(
      { setup, sleepMs, timeoutMs, metric: this.metric, commandOf },
      this.terminal,
      this.interrupts,
    )
    for (const { name } of this.attempts) {
      if (!existsSync(path.join(this.placeOf(name), 'plan.json'))) continue
      const earlier = await RoundsFolder.open(this.placeOf(name), storedAttempt)
      earlier.rounds.forEach((round, at) => runner.remember(round, `round ${at + 1} of ${name}`))
      await earlier.close()
    }
    rounds.rounds.forEach((round, at) => runner.remember(round, `round ${at + 1}`))
    return runner
  }

  /** False: it was interrupted. */
  private async measure(
    runner: RoundRunner,
    rounds: RoundsFolder<unknown>,
    order: readonly string[],
  ): Promise<boolean> {
    if (this.interrupts.isAsked) return false
    const { folder, name } = rounds.next
    const measured = await runner.measure(order, folder, name)
    if (measured === null) return false
    const round = await rounds.add(measured)
    const number = String(rounds.rounds.length).padStart(5)
    const from = order.includes(base) ? base : best
    const to = order.find((arm) => arm !== from) ?? ''
    const [before = 1, after = 1] = round.kind === 'valid' ? [round.values[from], round.values[to]] : []
    const text =
      round.kind === 'void' ? `void: ${round.arm}: ${round.reason}` : `${to} ${formatChange(after / before - 1)}`
    this.progress(`${printable(`${number}  ${text}`)}\n`)
    return true
  }

  private progress(text: string): void {
    if (this.isJson) this.terminal.report(text)
    else this.terminal.print(text)
  }

  private pause(what: string): number {
    this.progress(`\nInterrupted: finished rounds are stored. To continue: tailboard session ${what} …, as before\n`)
    return interruptedExit
  }

  /** Writes a verdict into the log, and prints it. */
  private async say(
    name: string,
    said: AttemptVerdict,
    more: Pick<Logged, 'run' | 'digest' | 'gainLog' | 'runs'>,
    note: string | null = null,
  ): Promise<number> {
    const words = printable(attemptWords(name, said, this.metric))
    const line = { name, ...said, ...more, words }
    await appendFile(path.join(this.folder.place, 'log.jsonl'), `${JSON.stringify(line)}\n`)
    const left = this.folder.plan.maxRuns - this.runs - more.runs
    if (this.isJson) this.terminal.print(`${JSON.stringify({ ...line, runsLeft: left, note })}\n`)
    else {
      const spent = `${plural(more.runs, 'run')}; ${plural(left, 'run')} of the session are left.`
      this.terminal.print(`${words}.\n${printable([...(note === null ? [] : [`${note}.`]), spent].join('\n'))}\n`)
    }
    return said.verdict === 'keep' ? exits.fine : said.verdict === 'suspect' ? suspectExit : notKept
  }

  /** The best against the original base in fresh rounds. */
  async conclude(): Promise<number> {
    const kept = this.attempts.filter(({ verdict }) => verdict === 'keep').map(({ name }) => name)
    if (kept.length === 0) {
      this.print({ kept, claimedRatio: 0, confirmed: null }, 'No attempt gained: the best is base.')
      return exits.undecided
    }
    const rounds = await this.open('confirmation', {
      name: 'confirmation',
      run: this.folder.plan.base,
      digest: null,
      best: this.bestRun,
    })
    try {
      const runner = await this.runnerOf((arm) => (arm === base ? rounds.plan.run : rounds.plan.best), rounds)
      for (;;) {
        const finished = rounds.rounds.map(asSessionRound)
        const standing = confirmationOf(this.planWith(rounds.rounds), finished, this.runs + runsOf(rounds.rounds))
        if (standing.kind === 'running') {
          if (!(await this.measure(runner, rounds, standing.next))) return this.pause('conclude')
          continue
        }
        const { confirmed } = standing
        const { claimedRatio } = this
        const result = { kept, claimedRatio, confirmed }
        await this.folder.finish({ ...result, attempts: this.attempts })
        this.print(result, `${confirmedWords(confirmed, claimedRatio, this.metric)}.`)
        const isBetter =
          confirmed !== null && (this.metric.direction === 'lower-is-better' ? confirmed.high < 0 : confirmed.low > 0)
        return isBetter ? exits.fine : exits.undecided
      }
    } finally {
      await rounds.close()
    }
  }

  log(): number {
    if (this.isJson) this.terminal.print(`${JSON.stringify(this.attempts, null, 2)}\n`)
    else
      for (const { name, words, runs } of this.attempts)
        this.terminal.print(`${name}: ${words} (${plural(runs, 'run')})\n`)
    return exits.fine
  }

  private print(result: unknown, words: string): void {
    this.terminal.print(
      this.isJson
        ? `${JSON.stringify({ ...(result as object), words: printable(words) }, null, 2)}\n`
        : `${printable(words)}\n`,
    )
  }
}

const runsOf = (rounds: readonly MeasuredRound[]): number =>
  rounds.reduce((sum, round) => sum + (round.kind === 'valid' ? 2 : round.runs), 0)

function asSessionRound(round: MeasuredRound): SessionRound {
  if (round.kind === 'valid') return round
  const { reason, isFailing, arm, runs } = round
  if (reason.startsWith(sameOutput)) return { kind: 'void', reason: reused, runs }
  return { kind: 'void', reason: isFailing && arm !== best && arm !== base ? failing : reason, runs }
}
