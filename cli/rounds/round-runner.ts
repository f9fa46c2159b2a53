import { createHash } from 'node:crypto'
import { mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Work } from '@/lib/experiment/does-less'
import { runOfRound, type Conditions, type RunOfRound } from '@/lib/experiment/run-of-round'
import { ImportError } from '@/lib/errors'
import type { Metric } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import { readInput, UnreadableError } from '../read-files'
import type { Terminal } from '../terminal'
import type { Interrupts } from './interrupts'
import { runCommand, systemClocks, type Clocks } from './run-command'

/** What is run for an arm. */
export interface ArmCommand {
  readonly text: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** What all runs have in common. */
export interface RunSettings {
  /** Runs before each run, with the same environment; null: nothing. */
  readonly setup: string | null
  /** Before each run. */
  readonly sleepMs: number
  readonly timeoutMs: number
  readonly metric: Metric
  commandOf(arm: string): ArmCommand
}

interface Measured {
  readonly order: readonly string[]
  readonly durationMs: number
  /** When each run began, by arm. */
  readonly startedAt: Readonly<Record<string, string>>
  /** SHA-256 of the outputs, by arm. */
  readonly digests: Readonly<Record<string, string>>
}

/** A round as it was run. */
export type MeasuredRound = Measured &
  (
    | {
        readonly kind: 'valid'
        readonly values: Readonly<Record<string, number>>
        readonly grainRatio: number
        readonly work: Readonly<Record<string, Work>>
        readonly conditions: Conditions
      }
    | {
        readonly kind: 'void'
        readonly reason: string
        /** The arm whose run was void. */
        readonly arm: string
        readonly isFailing: boolean
        readonly runs: number
      }
  )

/** A disk with less than this is full: tools go on without a word when they cannot write. */
const minFreeBytes = 64 * 1024
const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** How the reason of a run begins that printed what another one had. */
export const sameOutput = 'the same output again'

export const diskFull = 'the disk is full'

/** Whether a write failed for want of room. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && fullCodes.includes(error.code)

/** Runs rounds one after the other, each into a folder of its own. */
export class RoundRunner {
  private conditions: Conditions | null = null
  private readonly outputs = new Map<string, string>()

  constructor(
    private readonly settings: RunSettings,
    private readonly terminal: Terminal,
    private readonly interrupts: Interrupts,
    private readonly clocks: Clocks = systemClocks,
  ) {}

  /** What earlier rounds were asked for, and what they printed, when an experiment is resumed. */
  remember(round: MeasuredRound, name: string): void {
    if (round.kind === 'valid') this.conditions ??= round.conditions
    for (const [arm, digest] of Object.entries(round.digests)) this.outputs.set(digest, `${arm} in ${name}`)
  }

  /** A round in this order; the first void run ends it. Null: it was interrupted, and does not count. */
  async measure(order: readonly string[], folder: string, name: string): Promise<MeasuredRound | null> {
    const beganMs = this.clocks.steadyMs()
    const digests: Record<string, string> = {}
    const startedAt: Record<string, string> = {}
    const common = () => ({ order, startedAt, durationMs: this.clocks.steadyMs() - beganMs, digests })
    const values: Record<string, number> = {}
    const work: Record<string, Work> = {}
    let conditions = this.conditions
    let grainRatio = 0
    for (const [at, arm] of order.entries()) {
      startedAt[arm] = new Date(this.clocks.wallMs()).toISOString()
      const run = await this.run(arm, folder, digests, conditions)
      if (this.interrupts.isNow) return null
      if (run.kind === 'void') {
        const { reason, isFailing } = run
        return { ...common(), kind: 'void', reason, isFailing, arm, runs: at + 1 }
      }
      conditions ??= run.conditions
      values[arm] = run.value
      grainRatio = Math.max(grainRatio, run.grainRatio)
      work[arm] = run.work
    }
    if (conditions === null) throw new Error('a round has arms')
    const round = { ...common(), kind: 'valid', values, grainRatio, work, conditions } as const
    this.remember(round, name)
    return round
  }

  private async run(
    arm: string,
    folder: string,
    digests: Record<string, string>,
    before: Conditions | null,
  ): Promise<RunOfRound> {
    const isVoid = (reason: string) => ({ kind: 'void', reason, isFailing: false }) as const
    try {
      await mkdir(folder, { recursive: true })
      const failure = await this.execute(arm, folder)
      if (failure !== null) return isVoid((await hasRoom(folder)) ? failure : diskFull)
      const read = await this.read(arm, folder, digests, before)
      return read.kind === 'valid' || (await hasRoom(folder)) ? read : isVoid(diskFull)
    } catch (error) {
      if (isFull(error)) return isVoid(diskFull)
      throw error
    }
  }

  /** Null: it ended with 0. */
  private async execute(arm: string, folder: string): Promise<string | null> {
    const { setup, sleepMs, timeoutMs } = this.settings
    const { text, cwd, env } = this.settings.commandOf(arm)
    const given = { cwd, env: { ...this.terminal.env, ...env }, timeoutMs }
    const filesOf = (name: string) => ({
      ...{ outFile: path.join(folder, `${name}.txt`), errFile: path.join(folder, `${name}.err`) },
    })
    await this.interrupts.sleep(sleepMs)
    if (setup !== null && !this.interrupts.isNow) {
      const { failure } = await runCommand(
        { ...given, text: setup, ...filesOf(`${fileName(arm)}-setup`) },
        this.interrupts,
        this.clocks,
      )
      if (failure !== null) return `${failure} of the setup`
    }
    if (this.interrupts.isNow) return 'interrupted'
    return (await runCommand({ ...given, text, ...filesOf(fileName(arm)) }, this.interrupts, this.clocks)).failure
  }

  private async read(
    arm: string,
    folder: string,
    digests: Record<string, string>,
    before: Conditions | null,
  ): Promise<RunOfRound> {
    const isVoid = (reason: string) => ({ kind: 'void', reason, isFailing: false }) as const
    const place = path.join(folder, `${fileName(arm)}.txt`)
    const hash = createHash('sha256')
    const quiet = { ...this.terminal, showsProgress: false }
    const input = { name: path.basename(place), path: place, folder: null }
    const { file, error } = await readInput(input, quiet, (chunk) => hash.update(chunk))
    if (error instanceof ImportError)
      return isVoid(error.code === 'empty' ? 'no output' : `unreadable: ${error.message}`)
    if (error instanceof UnreadableError) return isVoid(`unreadable: ${error.message}`)
    const [run, ...more] = file.runs
    if (run === undefined) return isVoid('no run in its output')
    if (more.length > 0) return isVoid(`${file.runs.length} runs in its output`)
    const problem = file.problems.find(({ severity }) => severity === 'error')
    if (!run.complete && problem !== undefined) return isVoid(`unreadable: ${problem.message}`)
    const digest = hash.digest('hex')
    const earlier = this.outputs.get(digest) ?? Object.entries(digests).find(([, one]) => one === digest)?.[0]
    if (earlier !== undefined) return isVoid(`${sameOutput} as of ${earlier}`)
    digests[arm] = digest
    return runOfRound(withCommand(run, this.settings.commandOf(arm).text), this.settings.metric, before)
  }
}

/** An output that does not state its command was printed by the one that ran, if that names the tool. */
const withCommand = (run: ImportedRun, command: string): ImportedRun =>
  run.command === null && new RegExp(`(?:^|[\\s/])${run.tool}\\s`).test(command) ? { ...run, command } : run

/** A name of an arm, such as a commit, as one of a file. */
export const fileName = (arm: string): string => arm.replace(/[^\w.-]/g, '_')

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= minFreeBytes
}
