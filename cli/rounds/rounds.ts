import { randomUUID } from 'node:crypto'
import path from 'node:path'
import * as z from 'zod'
import { isEvaluated } from '@/lib/experiment/boundary'
import { addWork, doesLess, noWork } from '@/lib/experiment/does-less'
import { experimentOf, exitOf, type Ended, type FinishedRound, type Plan } from '@/lib/experiment/experiment'
import { experimentWords, type ExperimentWords } from '@/lib/experiment/experiment-words'
import { base, control, head } from '@/lib/experiment/round'
import { formatPercent, plural } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import { columnsOf, painter, wrap, type Terminal } from '../terminal'
import { exits, readArguments, UsageError } from '../usage'
import { RoundsFolder } from './experiment-folder'
import { interruptedExit, Interrupts } from './interrupts'
import { freshPlace, knownPlace, readCount, readDeciding, readPercent, readTime } from './quantities'
import { defaultMattersRatio, environmentNotes, mattersInProject } from './project-knowledge'
import { RoundRunner, type MeasuredRound } from './round-runner'
import { RoundsTable } from './rounds-table'
import { sendRound, uploadOptions, uploadSchema, readUpload } from './send-round'

const options = {
  base: { type: 'string' },
  head: { type: 'string' },
  control: { type: 'boolean' },
  setup: { type: 'string' },
  on: { type: 'string' },
  matters: { type: 'string' },
  max: { type: 'string' },
  'max-runs': { type: 'string' },
  'max-time': { type: 'string' },
  sleep: { type: 'string' },
  timeout: { type: 'string' },
  out: { type: 'string' },
  seed: { type: 'string' },
  resume: { type: 'boolean' },
  strict: { type: 'boolean' },
  json: { type: 'boolean' },
  ...uploadOptions,
} as const
type Values = ReturnType<typeof readArguments<typeof options>>['values']

/** plan.json: all that is needed to go on. */
const storedPlan = z.object({
  commands: z.record(z.string(), z.string()),
  cwd: z.string(),
  setup: z.string().nullable(),
  ...{ sleepMs: z.number(), timeoutMs: z.number(), metricId: z.string() },
  plan: z.object({
    arms: z.array(z.string()),
    direction: z.enum(['lower-is-better', 'higher-is-better']),
    ...{ smallestRatio: z.number(), maxRounds: z.number(), alpha: z.number() },
    ...{ seed: z.string(), maxRuns: z.number().nullable(), maxMs: z.number().nullable() },
  }),
  upload: uploadSchema.nullable(),
})
type StoredPlan = z.infer<typeof storedPlan>

const alpha = 0.05
const defaults = { on: 'p99', max: '24', sleep: '0s', timeout: '5m' } as const

/** `tailboard rounds --base CMD --head CMD`: runs both in rounds until it is known which is better, or that none is. */
export async function rounds(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  if (positionals.length > 0)
    throw new UsageError(`rounds takes commands as --base and --head, not ${positionals[0] ?? ''}`)
  const folder = values.resume === true ? await resume(values, terminal) : await begin(values, terminal)
  const interrupts = new Interrupts(terminal)
  try {
    return await new RoundsCommand(folder, terminal, interrupts, values).run()
  } finally {
    interrupts.end()
    await folder.close()
  }
}

async function resume(values: Values, terminal: Terminal): Promise<RoundsFolder<StoredPlan>> {
  const given = ['base', 'head', 'control', 'on', 'matters', 'max', 'setup', 'seed'] as const
  const other = given.find((name) => values[name] !== undefined)
  if (other !== undefined) throw new UsageError(`--resume continues what was begun, without --${other}`)
  const place = await knownPlace(values.out, 'rounds', terminal)
  return RoundsFolder.open(place, storedPlan)
}

async function begin(values: Values, terminal: Terminal): Promise<RoundsFolder<StoredPlan>> {
  const { cwd, env } = terminal
  const { on = defaults.on, setup = null } = values
  if (values.base === undefined || values.head === undefined)
    throw new UsageError('rounds needs --base CMD and --head CMD')
  const { metric, direction } = readDeciding(on)
  const maxRuns = values['max-runs']
  const upload = readUpload(values, env)
  const smallestRatio =
    values.matters !== undefined
      ? readPercent('matters', values.matters)
      : upload === null
        ? defaultMattersRatio
        : await mattersInProject(upload, metric.id, terminal)
  const stored: StoredPlan = {
    commands: { [base]: values.base, [head]: values.head, ...(values.control ? { [control]: values.base } : {}) },
    ...{ cwd, setup, metricId: metric.id },
    sleepMs: readTime('sleep', values.sleep ?? defaults.sleep),
    timeoutMs: readTime('timeout', values.timeout ?? defaults.timeout),
    plan: {
      arms: values.control ? [base, head, control] : [base, head],
      ...{ direction, alpha, seed: values.seed ?? randomUUID() },
      smallestRatio,
      maxRounds: readCount('max', values.max ?? defaults.max, 4),
      maxRuns: maxRuns === undefined ? null : readCount('max-runs', maxRuns, 2),
      maxMs: values['max-time'] === undefined ? null : readTime('max-time', values['max-time']),
    },
    upload,
  }
  const place = await freshPlace(values.out, 'rounds', terminal)
  return RoundsFolder.create(place, stored)
}

/** Rounds from where they are to their end. */
class RoundsCommand {
  private readonly plan: Plan
  private readonly metric: Metric
  private readonly table: RoundsTable
  private readonly runner: RoundRunner
  private readonly isJson: boolean

  constructor(
    private readonly folder: RoundsFolder<StoredPlan>,
    private readonly terminal: Terminal,
    private readonly interrupts: Interrupts,
    private readonly values: Values,
  ) {
    const { plan, metricId, commands, cwd, setup, sleepMs, timeoutMs } = folder.plan
    const { metric } = readDeciding(metricId)
    this.plan = plan
    this.metric = metric
    this.isJson = values.json === true
    this.table = new RoundsTable(plan.arms, metric, painter(terminal))
    const commandOf = (arm: string) => ({ text: commands[arm] ?? '', cwd, env: { TAILBOARD_ARM: arm } })
    this.runner = new RoundRunner({ setup, sleepMs, timeoutMs, metric, commandOf }, terminal, interrupts)
  }

  /** The exit code. */
  async run(): Promise<number> {
    this.introduce()
    for (;;) {
      const standing = experimentOf(this.plan, this.finished())
      if (standing.kind === 'ended') return this.end(standing)
      if (this.interrupts.isAsked) return this.pause()
      const { folder, name } = this.folder.next
      const measured = await this.runner.measure(standing.next, folder, name)
      if (measured === null) return this.pause()
      const round = await this.folder.add(measured)
      this.show(this.folder.rounds.length - 1)
      const { upload } = this.folder.plan
      if (round.kind === 'valid' && upload !== null)
        await sendRound(round, { upload, folder, plan: this.plan }, this.terminal)
    }
  }

  /** Rounds up to so many, as the experiment takes them; all by default. */
  private finished(count = this.folder.rounds.length): readonly FinishedRound[] {
    return this.folder.rounds.slice(0, count)
  }

  private progress(text: string): void {
    if (this.isJson) this.terminal.report(text)
    else this.terminal.print(text)
  }

  private introduce(): void {
    const { arms, maxRounds } = this.plan
    const paint = painter(this.terminal)
    const evaluated = Array.from({ length: maxRounds }, (_, at) => at + 1).filter((round) =>
      isEvaluated(round, maxRounds),
    )
    const [one = maxRounds, second, third] = evaluated
    const after = [one, second, third].filter((round) => round !== undefined && round < maxRounds).join(', ')
    const when =
      after === '' ? `${maxRounds} rounds` : `${after}${evaluated.length > 4 ? ' …' : ','} ${maxRounds} rounds`
    const matters = `What matters: ${formatPercent(this.plan.smallestRatio)} of ${this.metric.shortLabel}.`
    const first = `${arms.length} arms, order balanced and shuffled. Evaluated after ${when}.`
    this.progress(`${paint(first, 'dim')}\n${paint(matters, 'dim')}\n\n`)
    this.progress(`${this.table.head()}\n`)
    this.folder.rounds.forEach((round, at) => {
      this.runner.remember(round, `round ${at + 1}`)
      this.show(at)
    })
  }

  private show(at: number): void {
    const round = this.folder.rounds[at]
    if (round === undefined) return
    const standing = experimentOf(this.plan, this.finished(at + 1))
    const counts = isEvaluated(standing.rounds, this.plan.maxRounds)
    this.progress(`${this.table.line(round, standing, counts)}\n`)
  }

  private pause(): number {
    const { place } = this.folder
    const shown = path.relative(this.terminal.cwd, place)
    const count = this.finished().filter(({ kind }) => kind === 'valid').length
    const stored = `${plural(count, 'finished round')} ${count === 1 ? 'is' : 'are'} stored`
    this.progress(`\nInterrupted: ${stored}. To continue: tailboard rounds --resume --out ${shown}\n`)
    return interruptedExit
  }

  private async end(ended: Ended): Promise<number> {
    const { upload } = this.folder.plan
    const known = upload === null ? [] : await environmentNotes(upload, this.metric.id, this.terminal)
    const own = this.wordsOf(ended)
    const words = { ...own, notes: [...own.notes, ...known] }
    const isFailing = words.word === 'failing'
    const exit = isFailing ? exits.worse : exitOf(ended, this.values.strict === true)
    const { kind: _, ...figures } = ended
    const { metricId, commands } = this.folder.plan
    const result = { ...figures, ...words, exit, metricId, commands, plan: this.plan, folder: this.folder.place }
    await this.folder.finish(result)
    if (this.isJson) this.terminal.print(`${JSON.stringify(result, null, 2)}\n`)
    else this.terminal.print(this.textOf(words))
    return exit
  }

  private wordsOf(ended: Ended): ExperimentWords {
    const rounds = this.folder.rounds
    const valid = rounds.filter((round) => round.kind === 'valid')
    const last = rounds.at(-1)
    const totalMs = valid.reduce((sum, { durationMs }) => sum + durationMs, 0)
    const workOf = (arm: string) => valid.reduce((sum, { work }) => addWork(sum, work[arm] ?? noWork), noWork)
    const ofHead = (round: MeasuredRound) => round.kind === 'void' && round.isFailing && round.arm === head
    return experimentWords(ended, this.plan, {
      metric: this.metric,
      roundMs: valid.length === 0 ? null : totalMs / valid.length,
      voidReason: last?.kind === 'void' ? `${last.arm}: ${last.reason}` : null,
      isFailing: ended.reason === 'void' && rounds.slice(-3).every(ofHead),
      doesLess: ended.verdict === 'decided-better' ? doesLess(workOf(base), workOf(head)) : null,
    })
  }

  private textOf({ word, sentence, notes }: ExperimentWords): string {
    const [paint, width] = [painter(this.terminal), columnsOf(this.terminal)]
    const style = word === 'better' ? 'green' : word === 'worse' || word === 'failing' ? 'red' : 'bold'
    const shown = path.relative(this.terminal.cwd, this.folder.place) || '.'
    // The other sentences say it themselves.
    const said = word === 'better' || word === 'worse' ? `${word}: ${sentence}.` : `${sentence}.`
    const lines = [
      ...wrap(said, width).map((line) => paint(line, style)),
      ...notes.flatMap((note) => wrap(`${note}.`, width, '  ')),
      `Results: ${shown}`,
    ]
    return `\n${lines.join('\n')}\n`
  }
}
