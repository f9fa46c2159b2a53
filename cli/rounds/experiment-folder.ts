import { existsSync } from 'node:fs'
import { mkdir, open, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { toolIds } from '@/lib/run/tools'
import { UsageError } from '../usage'
import { diskFull, isFull, type MeasuredRound } from './round-runner'

const number = z.number().nullable()
const work = z.object({
  ...{ requests: z.number(), failures: z.number(), bytes: z.number() },
  status: z.record(z.string(), z.number()),
})
const common = {
  order: z.array(z.string()),
  startedAt: z.record(z.string(), z.string()),
  durationMs: z.number(),
  digests: z.record(z.string(), z.string()),
}
/** A line of rounds.jsonl. */
const roundSchema = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('valid'), ...common },
    values: z.record(z.string(), z.number().positive()),
    grainRatio: z.number(),
    work: z.record(z.string(), work),
    conditions: z.object({
      ...{ tool: z.enum(toolIds), ratePerSecond: number, durationMs: number, requests: number, connections: number },
    }),
  }),
  z.object({
    ...{ kind: z.literal('void'), ...common },
    ...{ reason: z.string(), arm: z.string(), isFailing: z.boolean(), runs: z.number() },
  }),
]) satisfies z.ZodType<MeasuredRound>

const [planName, roundsName, lockName] = ['plan.json', 'rounds.jsonl', 'running'] as const

/**
 * Where rounds are stored as they end: plan.json says what is run, rounds.jsonl has a line for each finished round, and a
 * folder for each has the raw outputs. What is in it is all that is needed to resume.
 */
export class RoundsFolder<Plan> {
  private constructor(
    readonly place: string,
    readonly plan: Plan,
    private readonly stored: MeasuredRound[],
  ) {}

  /** A new folder, or an empty one. Throws UsageError if there is something in it. */
  static async create<Plan>(place: string, plan: Plan): Promise<RoundsFolder<Plan>> {
    try {
      await mkdir(place, { recursive: true })
      if (existsSync(path.join(place, planName)))
        throw new UsageError(`there are rounds in ${place}: --resume continues them`)
      await writeFile(path.join(place, planName), `${JSON.stringify(plan, null, 2)}\n`)
      await lock(place)
    } catch (error) {
      throw error instanceof UsageError ? error : new UsageError(`${place} cannot be written: ${messageOf(error)}`)
    }
    return new RoundsFolder(place, plan, [])
  }

  /** One that was begun before. Throws UsageError if there is none, or it is in use. */
  static async open<Plan>(place: string, schema: z.ZodType<Plan>): Promise<RoundsFolder<Plan>> {
    const text = await readFile(path.join(place, planName), 'utf8').catch(() => null)
    if (text === null) throw new UsageError(`there are no rounds in ${place}`)
    const plan = schema.safeParse(parseLine(text))
    if (!plan.success) throw new UsageError(`${path.join(place, planName)} is damaged`)
    await lock(place)
    const lines = await readFile(path.join(place, roundsName), 'utf8').catch(() => '')
    // A last line that a crash left unfinished is a round that was not finished.
    const whole = lines.slice(0, lines.lastIndexOf('\n') + 1)
    if (whole !== lines) await truncate(path.join(place, roundsName), Buffer.byteLength(whole))
    const rounds = whole.split('\n').flatMap((line) => roundSchema.safeParse(parseLine(line)).data ?? [])
    return new RoundsFolder(place, plan.data, rounds)
  }

  get rounds(): readonly MeasuredRound[] {
    return this.stored
  }

  /** Where the outputs of a round go: `name` is as `round-07`. */
  get next(): { readonly folder: string; readonly name: string } {
    const name = `round-${String(this.stored.length + 1).padStart(2, '0')}`
    return { folder: path.join(this.place, name), name }
  }

  /** Stores a finished round, and returns it; a valid one that cannot be stored is void. */
  async add(round: MeasuredRound): Promise<MeasuredRound> {
    try {
      await append(path.join(this.place, roundsName), lineOf(round))
      this.stored.push(round)
      return round
    } catch (error) {
      if (!isFull(error)) throw error
      const { order, startedAt, durationMs, digests } = round
      const lost: MeasuredRound = {
        ...{ kind: 'void', order, startedAt, durationMs, digests, reason: diskFull },
        ...{ arm: order.at(-1) ?? '', isFailing: false, runs: order.length },
      }
      this.stored.push(round.kind === 'void' ? round : lost)
      return round.kind === 'void' ? round : lost
    }
  }

  /** Writes the document of the result, if there is room. */
  async finish(result: unknown): Promise<void> {
    await writeFile(path.join(this.place, 'result.json'), `${JSON.stringify(result, null, 2)}\n`).catch(
      (error: unknown) => {
        if (!isFull(error)) throw error
      },
    )
  }

  async close(): Promise<void> {
    await rm(path.join(this.place, lockName), { force: true })
  }
}

const lineOf = (round: MeasuredRound): string => `${JSON.stringify(round)}\n`
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** All of a line or nothing of it, on the disk when it returns. */
async function append(file: string, line: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    const { size } = await handle.stat()
    try {
      await handle.writeFile(line)
      await handle.sync()
    } catch (error) {
      await handle.truncate(size).catch(() => undefined)
      throw error
    }
  } finally {
    await handle.close()
  }
}

/** Throws UsageError if another process is at work in the folder. */
async function lock(place: string): Promise<void> {
  const file = path.join(place, lockName)
  const holder = Number(await readFile(file, 'utf8').catch(() => ''))
  if (holder > 0 && holder !== process.pid && isAlive(holder))
    throw new UsageError(`process ${holder} is running the rounds in ${place}`)
  await writeFile(file, String(process.pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** `rounds-1`, `rounds-2`, …: the first that does not exist, and the last that does (null: none). */
export async function numberedFolders(
  cwd: string,
  stem: string,
): Promise<{ readonly fresh: string; readonly newest: string | null }> {
  const numbers = (await readdir(cwd)).flatMap((name) => {
    const digits = name.startsWith(`${stem}-`) ? name.slice(stem.length + 1) : ''
    return /^\d+$/.test(digits) ? [Number(digits)] : []
  })
  const last = Math.max(0, ...numbers)
  return {
    fresh: path.join(cwd, `${stem}-${last + 1}`),
    newest: last === 0 ? null : path.join(cwd, `${stem}-${last}`),
  }
}
