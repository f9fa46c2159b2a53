import { certifyMetric, falseAlarmsOf } from '@/lib/experiment/certificate'
import type { Ended } from '@/lib/experiment/experiment'
import { noises, type Noise } from '../judge/planted-experiments'
import { randomFrom } from '../../fuzz/random'
import { orderOf } from '@/lib/experiment/order'
import { SimulatedMachine } from './simulated-machine'
import { planOf, playExperiment, playHunt, playSearch, playSession } from './played'

/** A promise about experiments on machines of one kind: a share of them that is measured, and its bar. */
export interface Promised {
  readonly name: string
  readonly bar: { readonly atMost: number } | { readonly atLeast: number }
  /** Whether it came true, or was broken for `atMost`, with a seed. Null: it says nothing here. */
  happens(noise: Noise | 'normal', seed: number): boolean | null
}

export const noiseNames: readonly (Noise | 'normal')[] = ['normal', ...(Object.keys(noises) as Noise[])]

const isDecided = ({ verdict }: Ended): boolean => verdict === 'decided-worse' || verdict === 'decided-better'
const holds = (change: { low: number; high: number } | null, ratio: number): boolean =>
  change !== null && change.low <= ratio && change.high >= ratio

type Noisy = Noise | 'normal'
const calm = (noise: Noisy, seed: number) => ({ noise, seed, deviation: 0.016 })
const drifting = (noise: Noisy, seed: number) => ({ ...calm(noise, seed), drift: 0.08 })
const placed = (noise: Noisy, seed: number) => ({ ...calm(noise, seed), places: [0.08] })
const outlying = (noise: Noisy, seed: number) => ({ ...calm(noise, seed), outliers: 0.05 })
const seeded = (seed: number) => planOf({ seed: `${seed}` })
const controlled = (seed: number) => planOf({ seed: `${seed}`, arms: ['base', 'head', 'control'] })

const commits = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`)

function searched(noise: Noisy, seed: number, steps: readonly (readonly [share: number, ratio: number])[]) {
  const count = 40
  const search = {
    ...{
      commits: commits(count),
      expectedRatio: 0.08,
      past: [],
      deviation: 0.022,
      smallestVisibleRatio: 0.02,
      grainRatio: 0,
    },
    ...{ seed: `${seed}`, maxRuns: 240 },
  }
  const random = randomFrom(seed)
  const places = steps.map(([share, ratio]) => ({ at: 1 + Math.floor((share + 0.2 * random()) * (count - 1)), ratio }))
  const logs = search.commits.map((_, at) =>
    places.reduce((sum, step) => sum + (at >= step.at ? Math.log1p(step.ratio) : 0), 0),
  )
  const machine = { noise, seed, deviation: 0.016, drift: 0.05, places: [0.03] }
  return { ended: playSearch(search, machine, logs), culprit: `c${places[0]?.at ?? 0}` }
}

function hunted(noise: Noisy, seed: number, ratio: number) {
  const hunt = {
    commits: commits(40),
    plan: planOf({ seed: `${seed}`, smallestRatio: 0.02, maxRuns: 240 }),
    maxRuns: 240,
    grainRatio: 0,
  }
  const at = 1 + ((seed * 17) % 39)
  const machine = { noise, seed, deviation: 0.016, drift: 0.05, places: [0.03] }
  const ended = playHunt(
    hunt,
    machine,
    hunt.commits.map((_, commit) => (commit >= at ? Math.log1p(ratio) : 0)),
  )
  return { ...ended, culprit: `c${at}` }
}

/** Sixteen experiments of ten rounds of base against itself. */
function controlled16(noise: Noisy, seed: number, ratios: Readonly<Record<string, number>>, places: number[] = []) {
  const machine = new SimulatedMachine({ ...drifting(noise, seed), drift: 0.03, places })
  const logs = Object.fromEntries(Object.entries(ratios).map(([arm, ratio]) => [arm, Math.log1p(ratio)]))
  return Array.from({ length: 16 }, (_, at) =>
    Array.from({ length: 10 }, (_of, index) => {
      const order = orderOf(['base', 'control'], `${seed} ${at}`, index)
      return machine.round(order, logs) ?? []
    }).flat(),
  )
}

const sessionPlan = (seed: number) => ({
  ...({ direction: 'lower-is-better', smallestRatio: 0.02, maxRounds: 32, alpha: 0.05, seed: `${seed}` } as const),
  ...{ plannedAttempts: 12, maxRuns: 2_000, comparesRequests: true },
})
const attempted = (noise: Noisy, seed: number, ratios: readonly number[]) =>
  playSession(
    sessionPlan(seed),
    drifting(noise, seed),
    ratios.map((ratio, at) => ({ name: `a${at}`, ratio })),
  )
const luckless = [0, 0, 0, 0.02, 0, 0, 0, 0, 0.05, 0, 0, 0]
const lucky = [0, 0, -0.04, 0, 0.02, 0, -0.04, 0]

/** What `lib/experiment` promises, on noise that is not only normal. */
export const promises: readonly Promised[] = [
  {
    name: 'identical code, calm: called different',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => isDecided(playExperiment(seeded(seed), calm(noise, seed), {})),
  },
  {
    name: 'identical code, drift: called different',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => isDecided(playExperiment(seeded(seed), drifting(noise, seed), {})),
  },
  {
    name: 'identical code, the second run is 8 % slower: called different',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => isDecided(playExperiment(seeded(seed), placed(noise, seed), {})),
  },
  {
    name: 'identical code, 1 % matters at much noise: called different',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => {
      const plan = planOf({ seed: `${seed}`, smallestRatio: 0.01 })
      return isDecided(playExperiment(plan, { noise, seed, deviation: 0.08 }, {}))
    },
  },
  {
    name: 'identical code, calm: the same',
    bar: { atLeast: 0.93 },
    happens: (noise, seed) => playExperiment(seeded(seed), calm(noise, seed), {}).verdict === 'same',
  },
  {
    name: '5 % slower, calm: worse',
    bar: { atLeast: 0.93 },
    happens: (noise, seed) =>
      playExperiment(planOf({ seed: `${seed}`, smallestRatio: 0.03 }), calm(noise, seed), { head: 0.05 }).verdict ===
      'decided-worse',
  },
  {
    name: '10 % faster, outliers: better',
    bar: { atLeast: 0.85 },
    happens: (noise, seed) =>
      playExperiment(seeded(seed), outlying(noise, seed), { head: -0.1 }).verdict === 'decided-better',
  },
  {
    name: 'interval after a stop holds the truth',
    bar: { atLeast: 0.95 },
    happens: (noise, seed) => {
      const ratio = [-0.1, 0, 0.03, 0.06][seed % 4] ?? 0
      return holds(playExperiment(seeded(seed), drifting(noise, seed), { head: ratio }).effect, ratio)
    },
  },
  {
    name: 'the second run is 8 % slower: named',
    bar: { atLeast: 0.93 },
    happens: (noise, seed) => playExperiment(seeded(seed), placed(noise, seed), {}).place?.isNamed === true,
  },
  {
    name: 'no place effect: named',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => playExperiment(seeded(seed), calm(noise, seed), {}).place?.isNamed === true,
  },
  {
    name: 'control 12 % off: unproven',
    bar: { atLeast: 0.95 },
    happens: (noise, seed) =>
      playExperiment(controlled(seed), calm(noise, seed), { control: 0.12 }).verdict === 'unproven',
  },
  {
    name: 'control as base: unproven',
    bar: { atMost: 0.03 },
    happens: (noise, seed) => playExperiment(controlled(seed), calm(noise, seed), {}).verdict === 'unproven',
  },
  {
    name: 'one step of 8 % among 40 commits: found',
    bar: { atLeast: 0.9 },
    happens: (noise, seed) => {
      const { ended, culprit } = searched(noise, seed, [[0.8 * ((seed * 0.618) % 1), 0.08]])
      return ended.verdict === 'found' && ended.commits[0] === culprit
    },
  },
  {
    name: 'one step: another commit is named as sure',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => {
      const { ended, culprit } = searched(noise, seed, [[0.8 * ((seed * 0.618) % 1), 0.08]])
      return ended.verdict === 'found' && ended.commits[0] !== culprit
    },
  },
  {
    name: 'one step, nothing known before: found',
    bar: { atLeast: 0.9 },
    happens: (noise, seed) => {
      const { verdict, commits: named, culprit } = hunted(noise, seed, 0.08)
      return verdict === 'found' && named[0] === culprit
    },
  },
  {
    name: 'one step, nothing known before: another commit is named as sure',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => {
      const { verdict, commits: named, culprit } = hunted(noise, seed, 0.08)
      return verdict === 'found' && named[0] !== culprit
    },
  },
  {
    name: 'no step, nothing known before: a commit is named as sure',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => hunted(noise, seed, 0).verdict === 'found',
  },
  {
    name: 'BAD as GOOD: none',
    bar: { atLeast: 0.9 },
    happens: (noise, seed) => searched(noise, seed, []).ended.verdict === 'none',
  },
  {
    name: 'two steps of 4 %: no single step',
    bar: { atLeast: 0.8 },
    happens: (noise, seed) =>
      searched(noise, seed, [
        [0.05, 0.04],
        [0.7, 0.04],
      ]).ended.verdict === 'no-single-step',
  },
  {
    name: 'certificate of an honest set-up: fit',
    bar: { atLeast: 0.95 },
    happens: (noise, seed) => falseAlarmsOf(controlled16(noise, seed, {}), 0.05).isFit,
  },
  {
    name: 'certificate where control is 4 % off: unfit',
    bar: { atLeast: 0.9 },
    happens: (noise, seed) => !falseAlarmsOf(controlled16(noise, seed, { control: 0.04 }), 0.05).isFit,
  },
  {
    name: 'certificate: the deviation of a round within a factor of 1.25',
    bar: { atLeast: 0.9 },
    happens: (noise, seed) => {
      const { deviation } = certifyMetric(controlled16(noise, seed, {})) ?? { deviation: 0 }
      const ratio = deviation / (0.016 * Math.SQRT2)
      return ratio <= 1.25 && ratio >= 0.8
    },
  },
  {
    name: 'certificate: second runs 3 % slower: named',
    bar: { atLeast: 0.93 },
    happens: (noise, seed) => certifyMetric(controlled16(noise, seed, {}, [0.03]))?.place.isNamed === true,
  },
  {
    name: 'certificate without a place effect: named',
    bar: { atMost: 0.03 },
    happens: (noise, seed) => certifyMetric(controlled16(noise, seed, {}))?.place.isNamed === true,
  },
  {
    name: 'session of 12 without a gain: keeps one',
    bar: { atMost: 0.05 },
    happens: (noise, seed) => attempted(noise, seed, luckless).kept.length > 0,
  },
  {
    name: 'session with two gains of 4 %: keeps both, and no other',
    bar: { atLeast: 0.85 },
    happens: (noise, seed) => attempted(noise, seed, lucky).kept.join() === 'a2,a6',
  },
  {
    name: 'confirmed gain: its interval holds the truth',
    bar: { atLeast: 0.9 },
    happens: (noise, seed) => {
      const { kept, confirmed } = attempted(noise, seed, lucky)
      if (kept.length === 0) return null
      const truth = kept.reduce((factor, name) => factor * (1 + (lucky[Number(name.slice(1))] ?? 0)), 1) - 1
      return holds(confirmed, truth)
    },
  },
]

/** How often it happened, of how often it could. */
export function shareOf(
  { happens }: Promised,
  noise: Noisy,
  count: number,
  seed: number,
): { share: number; n: number } {
  const seen = Array.from({ length: count }, (_, at) => happens(noise, seed + at)).filter((one) => one !== null)
  return { share: seen.filter(Boolean).length / seen.length, n: seen.length }
}

/** Whether a share of `n` is at its bar, or by chance not. */
export function isReached({ bar }: Promised, share: number, n: number): boolean {
  const limit = 'atMost' in bar ? bar.atMost : bar.atLeast
  const chance = 2 * Math.sqrt((limit * (1 - limit)) / n)
  return 'atMost' in bar ? share <= limit + chance : share >= limit - chance
}
