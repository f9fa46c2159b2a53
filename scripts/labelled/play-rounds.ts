import { z } from 'zod'
import { canHold, certifyMetric, falseAlarmsOf } from '../../lib/experiment/certificate'
import { searchOf, unbuildable, type Search, type SearchRound } from '../../lib/experiment/culprit'
import { experimentOf, exitOf, type FinishedRound, type Plan } from '../../lib/experiment/experiment'
import type { Round } from '../../lib/experiment/round'
import {
  attemptOf,
  confirmationOf,
  levelOf,
  reused,
  roomFor,
  type SessionPlan,
  type SessionRound,
} from '../../lib/experiment/session'
import { smallestVisible, toRatio } from '../../lib/experiment/visible'
import type { Change } from '../../lib/experiment/place-effect'

/** The other end of the protocol: whoever runs what is asked for. */
export interface Driver {
  say(message: unknown): void
  hear(): Promise<unknown>
}

const figures = z.looseObject({
  requests: z.number().default(0),
  failures: z.number().default(0),
  bytes: z.number().default(0),
  status: z.record(z.string(), z.number()).default({}),
  digest: z.string().default(''),
})
type Figures = z.infer<typeof figures>
const replySchema = z.union([z.object({ void: z.string() }), z.object({ figures })])

const metric = z.object({ name: z.string(), direction: z.enum(['lower', 'higher']) })
const common = { id: z.string(), metric, matters: z.number() }
const caseSchema = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('experiment'), ...common, arms: z.array(z.string()), max: z.number(), alpha: z.number() },
    ...{ strict: z.boolean().default(false), budgetRuns: z.number().nullable().default(null) },
  }),
  z.object({
    ...{ kind: z.literal('session'), ...common, max: z.number(), alpha: z.number(), planned: z.number() },
    ...{ budgetRuns: z.number(), attempts: z.array(z.object({ name: z.string(), digest: z.string() })) },
  }),
  z.object({
    ...{ kind: z.literal('bisect'), id: z.string(), metric, commits: z.array(z.string()), expected: z.number() },
    history: z.array(z.object({ commit: z.string(), value: z.number() })).nullable(),
    instrument: z.object({ pairSd: z.number(), smallestVisible: z.number() }),
    maxRuns: z.number(),
  }),
  z.object({
    ...{ kind: z.literal('instrument'), metrics: z.array(metric), decides: z.string(), alpha: z.number() },
    experiments: z.array(
      z.object({
        rounds: z.array(
          z.looseObject({ order: z.array(z.string()) }).transform(({ order, ...arms }) => ({
            order,
            arms: z.record(z.string(), z.record(z.string(), z.number())).parse(arms),
          })),
        ),
      }),
    ),
    gate: z.object({ metric: z.string(), rounds: z.number(), threshold: z.number() }).optional(),
  }),
])
type Case<Kind extends string> = Extract<z.infer<typeof caseSchema>, { kind: Kind }>

/** Plays one case to its end, and returns what it showed. Throws for what is no case. */
export async function playCase(message: unknown, driver: Driver): Promise<unknown> {
  const given = z.object({ case: caseSchema }).parse(message).case
  if (given.kind === 'experiment') return new Player(given, driver).experiment(given)
  if (given.kind === 'session') return new Player(given, driver).session(given)
  if (given.kind === 'bisect') return new Player(given, driver).search(given)
  return certificateOf(given)
}

const directions = { lower: 'lower-is-better', higher: 'higher-is-better' } as const
const plainChange = ({ effectRatio: effect, low, high }: Change) => ({ effect, low, high })

/** Asks for the runs of a case round by round. */
class Player {
  private number = 0
  private runs = 0

  constructor(
    private readonly given: Case<'experiment' | 'session' | 'bisect'>,
    private readonly driver: Driver,
  ) {}

  /** Runs a round; the first void run ends it. */
  private async round(
    order: readonly string[],
    refuse: (figures: Figures) => string | null = () => null,
  ): Promise<
    | { kind: 'void'; reason: string; runs: number; arm: string }
    | ({ kind: 'valid'; figures: Map<string, Figures> } & Round)
  > {
    this.number += 1
    const values: Record<string, number> = {}
    const found = new Map<string, Figures>()
    for (const [place, arm] of order.entries()) {
      this.driver.say({ run: arm, round: this.number })
      this.runs += 1
      const reply = replySchema.parse(await this.driver.hear())
      const reason = 'void' in reply ? reply.void : refuse(reply.figures)
      if (reason !== null || 'void' in reply) return { kind: 'void', reason: reason ?? '', runs: place + 1, arm }
      values[arm] = z.number().positive().parse(reply.figures[this.given.metric.name])
      found.set(arm, reply.figures)
    }
    return { kind: 'valid', order, values, figures: found }
  }

  async experiment({
    arms,
    metric,
    matters,
    max,
    alpha,
    strict,
    budgetRuns,
    id,
  }: Case<'experiment'>): Promise<unknown> {
    const plan: Plan = {
      ...{ arms, direction: directions[metric.direction], smallestRatio: matters, maxRounds: max, alpha },
      ...{ maxRuns: budgetRuns, seed: id },
    }
    const finished: FinishedRound[] = []
    for (;;) {
      const standing = experimentOf(plan, finished)
      if (standing.kind === 'running') {
        finished.push(await this.round(standing.next))
        continue
      }
      const { verdict, reason, rounds, voidRounds, effect, place, control, visible } = standing
      return {
        ...{ verdict, reason, rounds, planned: max, void: voidRounds },
        ...(effect === null ? { effect: null, low: null, high: null } : plainChange(effect)),
        slot: place && { place: place.place, ...plainChange(place), named: place.isNamed },
        control: control && { ...plainChange(control), moved: control.hasMoved },
        smallestVisible: visible?.plannedRatio ?? null,
        exit: exitOf(standing, strict),
      }
    }
  }

  async session({ id, metric, matters, max, alpha, planned, budgetRuns, attempts }: Case<'session'>): Promise<unknown> {
    const plan: SessionPlan = {
      ...{ direction: directions[metric.direction], smallestRatio: matters, maxRounds: max, alpha, seed: id },
      ...{ plannedAttempts: planned, maxRuns: budgetRuns, comparesRequests: true },
    }
    const [first, outputs] = [new Map<string, string>(), new Set<string>()]
    const [kept, suspect, duplicates]: [string[], Record<string, string>, Record<string, string>] = [[], {}, {}]
    let [measured, claimedLog] = [0, 0]
    const measure = async (order: readonly string[]): Promise<SessionRound> => {
      const played = await this.round(order, ({ digest }) => {
        if (outputs.has(digest)) return reused
        outputs.add(digest)
        return null
      })
      return played.kind === 'void' ? played : { ...played, work: Object.fromEntries(played.figures) }
    }
    for (const { name, digest } of attempts) {
      const same = first.get(digest)
      const room = roomFor(plan, this.runs)
      if (same !== undefined) {
        duplicates[name] = same
        await this.tell({ attempt: name, verdict: 'duplicate', of: same })
        continue
      }
      first.set(digest, name)
      if (room === null) {
        await this.tell({ attempt: name, verdict: 'not-run', why: 'budget' })
        continue
      }
      measured += 1
      const attempt = { name, level: levelOf(measured, plan), room }
      const finished: SessionRound[] = []
      let standing = attemptOf(plan, attempt, finished)
      while (standing.kind === 'running') {
        finished.push(await measure(standing.next))
        standing = attemptOf(plan, attempt, finished)
      }
      if (standing.kind === 'keep') {
        kept.push(name)
        claimedLog += standing.gainLog
      }
      if (standing.kind === 'suspect') suspect[name] = standing.why
      await this.tell({
        attempt: name,
        verdict: standing.kind,
        why: standing.kind === 'keep' ? 'better' : standing.why,
      })
    }
    const claimed = toRatio(metric.direction === 'lower' ? -claimedLog : claimedLog)
    const finished: SessionRound[] = []
    let standing = confirmationOf(plan, finished, this.runs)
    while (kept.length > 0 && standing.kind === 'running') {
      finished.push(await measure(standing.next))
      standing = confirmationOf(plan, finished, this.runs)
    }
    const confirmed = standing.kind === 'ended' ? standing.confirmed : null
    return {
      kept,
      suspect,
      duplicates,
      claimed,
      confirmed: confirmed && { ...plainChange(confirmed), rounds: confirmed.rounds },
    }
  }

  private async tell(verdict: unknown): Promise<void> {
    this.driver.say({ verdict })
    await this.driver.hear()
  }

  async search({ id, commits, metric, expected, history, instrument, maxRuns }: Case<'bisect'>): Promise<unknown> {
    const good = commits[0] ?? ''
    const search: Search = {
      ...{ commits, expectedRatio: metric.direction === 'lower' ? expected : -expected, maxRuns, seed: id },
      ...{ deviation: instrument.pairSd, smallestVisibleRatio: instrument.smallestVisible, grainRatio: 0 },
      past: (history ?? []).flatMap(({ commit, value }) =>
        commits.includes(commit) ? { at: commits.indexOf(commit), log: Math.log(value) } : [],
      ),
    }
    const finished: SearchRound[] = []
    for (;;) {
      const standing = searchOf(search, finished)
      if (standing.kind === 'ended') {
        const { verdict, commits: named, probability } = standing
        return { verdict, commits: named, probability }
      }
      const { next: at, goodIsFirst } = standing
      const commit = commits[at] ?? ''
      const round = await this.round(goodIsFirst ? [good, commit] : [commit, good])
      if (round.kind === 'valid') {
        const log = Math.log((round.values[commit] ?? 0) / (round.values[good] ?? 0))
        finished.push({ kind: 'valid', at, wasSecond: goodIsFirst, log })
      } else {
        const { reason, runs, arm } = round
        finished.push({ kind: 'void', at, reason: reason === unbuildable && arm === good ? 'good' : reason, runs })
      }
    }
  }
}

function certificateOf({ experiments, metrics, decides, alpha, gate }: Case<'instrument'>): unknown {
  const ofMetric = (name: string) =>
    experiments.map(({ rounds }) =>
      rounds.map(({ order, arms }): Round => ({
        order,
        values: Object.fromEntries(Object.entries(arms).map(([arm, values]) => [arm, values[name] ?? Number.NaN])),
      })),
    )
  const certificates = new Map(metrics.map(({ name }) => [name, certifyMetric(ofMetric(name))]))
  const known = [...certificates].flatMap(([name, certificate]) => (certificate ? [[name, certificate] as const] : []))
  const { count, total, low, high, isFit } = falseAlarmsOf(ofMetric(decides), alpha)
  const gated = gate && certificates.get(gate.metric)
  return {
    falseAlarms: { k: count, n: total, low, high },
    slot: Object.fromEntries(known.map(([name, { place }]) => [name, { ...plainChange(place), named: place.isNamed }])),
    smallestVisible: Object.fromEntries(
      known.map(([name, { deviation }]) => [
        name,
        Object.fromEntries([8, 12, 24].map((rounds) => [rounds, smallestVisible(deviation, rounds, alpha)])),
      ]),
    ),
    fit: isFit,
    ...(gated && gate ? { gate: canHold(gated, gate.threshold, gate.rounds, alpha) ? 'accepted' : 'refused' } : {}),
  }
}
