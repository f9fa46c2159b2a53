import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { culpritWords } from '@/lib/experiment/culprit-words'
import { unbuildable, type SearchRound } from '@/lib/experiment/culprit'
import type { Posterior } from '@/lib/experiment/culprit-posterior'
import { goodIsVoid, huntOf, type Hunt, type HuntEnded } from '@/lib/experiment/hunt'
import { base, grainOf, head } from '@/lib/experiment/round'
import { columnUnit, formatChange, formatInColumn, formatPercent, plural, type ColumnUnit } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import { columnsOf, fit, painter, printable, wrap, type Terminal } from '../terminal'
import { exits, readArguments, UsageError } from '../usage'
import { RoundsFolder } from './experiment-folder'
import { Repository, type Commit } from './git-range'
import { interruptedExit, Interrupts } from './interrupts'
import { freshPlace, knownPlace, readCount, readDeciding, readPercent, readTime } from './quantities'
import { fileName, RoundRunner, type MeasuredRound } from './round-runner'
import { runCommand } from './run-command'

const options = {
  run: { type: 'string' },
  build: { type: 'string' },
  names: { type: 'string' },
  on: { type: 'string' },
  matters: { type: 'string' },
  'max-runs': { type: 'string' },
  setup: { type: 'string' },
  sleep: { type: 'string' },
  timeout: { type: 'string' },
  'build-timeout': { type: 'string' },
  out: { type: 'string' },
  seed: { type: 'string' },
  resume: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
type Values = ReturnType<typeof readArguments<typeof options>>['values']

/** plan.json: all that is needed to continue. */
const storedPlan = z.object({
  commits: z.array(z.object({ name: z.string(), subject: z.string() })),
  isGit: z.boolean(),
  cwd: z.string(),
  ...{ run: z.string(), build: z.string().nullable(), setup: z.string().nullable() },
  ...{ sleepMs: z.number(), timeoutMs: z.number(), buildTimeoutMs: z.number(), metricId: z.string() },
  ...{ smallestRatio: z.number(), maxRuns: z.number(), seed: z.string() },
})
type StoredPlan = z.infer<typeof storedPlan>

const defaults = {
  on: 'p99',
  matters: '2%',
  'max-runs': '240',
  sleep: '0s',
  timeout: '5m',
  'build-timeout': '30m',
} as const
/** Rounds of GOOD against BAD at most, before the search. */
const comparedRounds = 24
const alpha = 0.05
/** What a command exits with that cannot be judged: `git bisect run` has the same. */
const skipped = 'exit 125'

/** `tailboard bisect GOOD BAD --run CMD`: which commit made the change, by rounds of GOOD and one of them. */
export async function bisect(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  const folder =
    values.resume === true ? await resume(values, positionals, terminal) : await begin(values, positionals, terminal)
  const interrupts = new Interrupts(terminal)
  try {
    return await new BisectCommand(folder, terminal, interrupts, values.json === true).run()
  } finally {
    interrupts.end()
    await folder.close()
  }
}

async function resume(
  values: Values,
  positionals: readonly string[],
  terminal: Terminal,
): Promise<RoundsFolder<StoredPlan>> {
  if (positionals.length > 0 || values.run !== undefined)
    throw new UsageError('--resume continues what was begun, without GOOD, BAD and --run')
  const place = await knownPlace(values.out, 'bisect', terminal)
  return RoundsFolder.open(place, storedPlan)
}

async function begin(
  values: Values,
  positionals: readonly string[],
  terminal: Terminal,
): Promise<RoundsFolder<StoredPlan>> {
  const { cwd } = terminal
  const [good, bad, ...more] = positionals
  if (good === undefined || bad === undefined || more.length > 0) throw new UsageError('bisect needs GOOD and BAD')
  if (values.run === undefined) throw new UsageError('bisect needs --run CMD')
  const { metric } = readDeciding(values.on ?? defaults.on)
  const stored: StoredPlan = {
    commits: [
      ...(values.names === undefined
        ? await (await Repository.at(cwd)).range(good, bad)
        : await namesBetween(values.names, good, bad, cwd)),
    ],
    isGit: values.names === undefined,
    ...{ cwd, run: values.run, build: values.build ?? null, setup: values.setup ?? null, metricId: metric.id },
    sleepMs: readTime('sleep', values.sleep ?? defaults.sleep),
    timeoutMs: readTime('timeout', values.timeout ?? defaults.timeout),
    buildTimeoutMs: readTime('build-timeout', values['build-timeout'] ?? defaults['build-timeout']),
    smallestRatio: readPercent('matters', values.matters ?? defaults.matters),
    maxRuns: readCount('max-runs', values['max-runs'] ?? defaults['max-runs'], 12),
    seed: values.seed ?? randomUUID(),
  }
  const place = await freshPlace(values.out, 'bisect', terminal)
  return RoundsFolder.create(place, stored)
}

/** The names of a file, one a line, from GOOD to BAD. */
async function namesBetween(file: string, good: string, bad: string, cwd: string): Promise<readonly Commit[]> {
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch(() => null)
  if (text === null) throw new UsageError(`there is no file ${file}`)
  const names = text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const [from, to] = [names.indexOf(good), names.indexOf(bad)]
  if (from < 0 || to <= from) throw new UsageError(`${file} has no ${good} before ${bad}`)
  if (new Set(names).size < names.length) throw new UsageError(`${file} has a name twice`)
  return names.slice(from, to + 1).map((name) => ({ name, subject: '' }))
}

/** Rounds of GOOD and one commit, from where they are to their end. */
class BisectCommand {
  private readonly known: Omit<Hunt, 'grainRatio'>
  private readonly metric: Metric
  private readonly runner: RoundRunner
  private readonly folders = new Map<string, string>()
  private column: ColumnUnit | null = null

  constructor(
    private readonly folder: RoundsFolder<StoredPlan>,
    private readonly terminal: Terminal,
    private readonly interrupts: Interrupts,
    private readonly isJson: boolean,
  ) {
    const { commits, metricId, smallestRatio, maxRuns, seed, setup, sleepMs, timeoutMs, run, cwd } = folder.plan
    const { metric, direction } = readDeciding(metricId)
    const plan = { arms: [base, head], direction, seed, maxRuns, smallestRatio, maxRounds: comparedRounds, alpha }
    this.known = { commits: commits.map(({ name }) => name), plan, maxRuns }
    this.metric = metric
    const commandOf = (name: string) => ({
      text: run,
      cwd: this.folders.get(name) ?? cwd,
      env: this.environmentOf(name),
    })
    this.runner = new RoundRunner({ setup, sleepMs, timeoutMs, metric, commandOf }, terminal, interrupts)
  }

  /** The exit code. */
  async run(): Promise<number> {
    this.introduce()
    for (;;) {
      const standing = huntOf(this.hunt, this.finished())
      if (standing.kind === 'ended') return this.end(standing)
      if (this.interrupts.isAsked) return this.pause()
      const measured = await this.measure(standing.next, standing.goodIsFirst)
      if (measured === null) return this.pause()
      await this.folder.add(measured)
      this.show(this.folder.rounds.length - 1)
    }
  }

  private get hunt(): Hunt {
    const valid = this.folder.rounds.filter((round) => round.kind === 'valid')
    return { ...this.known, grainRatio: grainOf(valid) }
  }

  private get good(): string {
    return this.hunt.commits[0] ?? ''
  }

  private environmentOf(name: string): Readonly<Record<string, string>> {
    return { TAILBOARD_COMMIT: name, TAILBOARD_ARM: name === this.good ? 'good' : 'commit' }
  }

  private get checkouts(): string {
    return path.join(this.folder.place, 'checkouts')
  }

  /** Null: it was interrupted. */
  private async measure(at: number, goodIsFirst: boolean): Promise<MeasuredRound | null> {
    const commit = this.hunt.commits[at] ?? ''
    const order = goodIsFirst ? [this.good, commit] : [commit, this.good]
    // Before the round, so that no building is between its runs.
    for (const name of [this.good, commit]) {
      const failure = await this.prepare(name)
      if (this.interrupts.isNow) return null
      if (failure !== null)
        return {
          kind: 'void',
          order,
          reason: failure,
          arm: name,
          isFailing: false,
          runs: 0,
          durationMs: 0,
          startedAt: {},
          digests: {},
        }
    }
    const { folder, name } = this.folder.next
    return this.runner.measure(order, folder, name)
  }

  /** Checks a commit out and builds it, once. Null: it is ready. */
  private async prepare(name: string): Promise<string | null> {
    const { isGit, cwd, build, buildTimeoutMs, commits } = this.folder.plan
    if (this.folders.has(name)) return null
    const commit = commits.find((one) => one.name === name)
    if (commit === undefined) throw new Error(`${name} is not in the range`)
    const place = isGit ? await (await Repository.at(cwd)).checkOut(commit, this.checkouts) : cwd
    const stem = path.join(this.folder.place, 'builds', fileName(name))
    if (build !== null && !existsSync(`${stem}.built`)) {
      await mkdir(path.dirname(stem), { recursive: true })
      const files = { outFile: `${stem}.txt`, errFile: `${stem}.err`, timeoutMs: buildTimeoutMs }
      const env = { ...this.terminal.env, ...this.environmentOf(name) }
      const { failure } = await runCommand({ text: build, cwd: place, env, ...files }, this.interrupts)
      if (failure !== null) return unbuildable
      await writeFile(`${stem}.built`, '')
    }
    this.folders.set(name, place)
    return null
  }

  /** Rounds up to so many as the search takes them; all by default. */
  private finished(count = this.folder.rounds.length): readonly SearchRound[] {
    return this.folder.rounds.slice(0, count).map((round): SearchRound => {
      const commit = this.commitOf(round)
      const at = this.hunt.commits.indexOf(commit)
      if (round.kind === 'valid') {
        const log = Math.log((round.values[commit] ?? 1) / (round.values[this.good] ?? 1))
        return { kind: 'valid', at, wasSecond: round.order[1] === commit, log }
      }
      const isOfGood = round.arm === this.good
      const reason = isOfGood ? goodIsVoid : round.reason === skipped ? unbuildable : round.reason
      return { kind: 'void', at, reason, runs: round.runs }
    })
  }

  private commitOf = ({ order }: MeasuredRound): string => order.find((name) => name !== this.good) ?? ''

  private nameOf = (name: string): string => {
    const subject = this.folder.plan.commits.find((one) => one.name === name)?.subject ?? ''
    return subject === '' ? name : `${name} “${subject}”`
  }

  private progress(text: string): void {
    if (this.isJson) this.terminal.report(text)
    else this.terminal.print(text)
  }

  private introduce(): void {
    const { commits } = this.hunt
    const paint = painter(this.terminal)
    const range = `${plural(commits.length - 1, 'commit')} after ${this.good} (GOOD) to ${commits.at(-1) ?? ''} (BAD).`
    this.progress(`${paint(`${range} GOOD and BAD in turn first, until the change shows.`, 'dim')}\n\n`)
    const cells = [fit('round', 5), fit('commit', 12), fit('', 9), fit('GOOD', 8, 'right'), fit('commit', 8, 'right')]
    this.progress(`${paint([...cells, fit('change', 9, 'right'), 'most likely'].join('  '), 'dim')}\n`)
    this.folder.rounds.forEach((round, at) => {
      this.runner.remember(round, `round ${at + 1}`)
      this.show(at)
    })
  }

  private show(at: number): void {
    const round = this.folder.rounds[at]
    if (round === undefined) return
    const commit = this.commitOf(round)
    const place = this.hunt.commits.indexOf(commit)
    const last = this.hunt.commits.length - 1
    const number = fit(String(at + 1), 5, 'right')
    const where = fit(place === last ? 'BAD' : `${place} of ${last}`, 9)
    if (round.kind === 'void') {
      const text = `${number}  ${fit(commit, 12)}  ${where}  void: ${round.arm === this.good ? 'GOOD: ' : ''}${round.reason}`
      this.progress(`${painter(this.terminal)(printable(text), 'red')}\n`)
      return
    }
    const [good = 1, other = 1] = [round.values[this.good], round.values[commit]]
    this.column ??= columnUnit(this.metric.unit, [good])
    const column = this.column
    const values = [good, other].map((value) =>
      fit(printable(formatInColumn(value, this.metric.unit, column)), 8, 'right'),
    )
    const standing = huntOf(this.hunt, this.finished(at + 1))
    const likely = standing.kind === 'running' && standing.posterior !== null ? this.likeliest(standing.posterior) : ''
    const cells = [
      number,
      fit(commit, 12),
      where,
      ...values,
      fit(printable(formatChange(other / good - 1)), 9, 'right'),
      likely,
    ]
    this.progress(`${cells.join('  ').trimEnd()}\n`)
  }

  private likeliest({ single, none }: Posterior): string {
    const top = Math.max(...single)
    if (none > top) return `none (${printable(formatPercent(Number(none.toFixed(2))))})`
    return `${this.hunt.commits[single.indexOf(top)] ?? ''} (${printable(formatPercent(Number(top.toFixed(2))))})`
  }

  private pause(): number {
    const shown = path.relative(this.terminal.cwd, this.folder.place)
    const count = this.finished().filter(({ kind }) => kind === 'valid').length
    const stored = `${plural(count, 'finished round')} ${count === 1 ? 'is' : 'are'} stored`
    this.progress(`\nInterrupted: ${stored}. To continue: tailboard bisect --resume --out ${shown}\n`)
    return interruptedExit
  }

  private async end(ended: HuntEnded): Promise<number> {
    const { metric, folder, terminal } = this
    const { isGit, cwd, commits } = folder.plan
    const words = culpritWords(ended, { metric, commits: commits.length, nameOf: this.nameOf })
    const exit =
      ended.verdict === 'found' || ended.verdict === 'set'
        ? exits.fine
        : ended.verdict === 'stopped'
          ? exits.unreadable
          : exits.undecided
    const { kind: _, ...figures } = ended
    const result = { ...figures, ...words, exit, metricId: metric.id, range: commits, folder: folder.place }
    await folder.finish(result)
    if (isGit)
      await (
        await Repository.at(cwd)
      ).clear(
        this.checkouts,
        this.hunt.commits.filter((name) => existsSync(path.join(this.checkouts, name))),
      )
    if (this.isJson) {
      terminal.print(`${JSON.stringify(result, null, 2)}\n`)
      return exit
    }
    const [paint, width] = [painter(terminal), columnsOf(terminal)]
    const lines = [
      ...wrap(`${words.sentence}.`, width).map((line) => paint(line, 'bold')),
      ...words.notes.flatMap((note) => wrap(`${note}.`, width, '  ')),
      `Results: ${path.relative(terminal.cwd, folder.place) || '.'}`,
    ]
    terminal.print(`\n${lines.join('\n')}\n`)
    return exit
  }
}
