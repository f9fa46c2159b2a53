import type { GivenExperiment } from '../../../scripts/labelled/judge-document'
import { randomFrom } from '../../fuzz/random'

type Random = () => number

const uniform = (random: Random, low: number, high: number) => low + random() * (high - low)
const whole = (random: Random, low: number, high: number) => Math.floor(uniform(random, low, high + 1))

/** Noise of runs unlike the normal one that most methods assume; each has mean 0 and deviation 1. */
export const noises = {
  /** A sharp peak, long tails on both sides. */
  laplace: (random: Random) => ((random() < 0.5 ? -1 : 1) * -Math.log(1 - random())) / Math.SQRT2,
  /** Rarely much slower, never much faster: the largest of many (Gumbel). */
  skewed: (random: Random) => (-Math.log(-Math.log(random() || 1e-12)) - 0.577_215_66) / (Math.PI / Math.sqrt(6)),
  /** Every fourth run is in a slow mode. */
  bimodal: (random: Random) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return (random() < 0.25 ? 1.5 : -0.5) + normal / 2
  },
} as const
export type Noise = keyof typeof noises

/** The truth about a generated experiment, in the terms of the scorer for labelled sets. */
export interface Truth {
  readonly group: string
  readonly kind: 'null' | 'power' | 'sequence' | 'sequence-power' | 'family' | 'promise'
  /** Relative effect. */
  readonly truth: number
  readonly direction: 'lower' | 'higher'
  /** The group: evaluations of one growing experiment, or metrics of one family. */
  readonly seq?: number
  readonly fam?: number
  /** For a promise: the same experiment with 1 to 200 more rounds. */
  readonly later?: readonly GivenExperiment[]
}
export interface Planted {
  readonly experiment: GivenExperiment
  readonly truth: Truth
}

type Side = 'base' | 'head'

/** Orders of the sides, each with `rounds` runs per side. */
const orders = {
  drawn: (random: Random, rounds: number): Side[] =>
    Array.from({ length: rounds }, (): Side[] => (random() < 0.5 ? ['base', 'head'] : ['head', 'base'])).flat(),
  abab: (_: Random, rounds: number): Side[] => Array.from({ length: rounds }, (): Side[] => ['base', 'head']).flat(),
  abba: (_: Random, rounds: number): Side[] =>
    Array.from({ length: rounds }, (_of, at): Side[] => (at % 2 === 0 ? ['base', 'head'] : ['head', 'base'])).flat(),
  blocks: (_: Random, rounds: number): Side[] => [
    ...Array.from({ length: rounds }, (): Side => 'base'),
    ...Array.from({ length: rounds }, (): Side => 'head'),
  ],
} as const

/** The machine's effect on a run in addition to noise, as a logarithm by the run's position in time. */
type Machine = (at: number) => number
const calm: Machine = () => 0

function swing(random: Random): Machine {
  const [size, period, phase] = [uniform(random, 0.03, 0.08), uniform(random, 2, 4), uniform(random, 0, 2 * Math.PI)]
  return (at) => size * Math.sin((2 * Math.PI * at) / period + phase)
}

/** Steps of one size in either direction, 30 to 60 runs apart. */
function steps(random: Random, runs: number, ratio: number): Machine {
  const levels: number[] = []
  let level = 0
  while (levels.length < runs) {
    levels.push(...Array<number>(whole(random, 30, 60)).fill(level))
    level += (random() < 0.5 ? -1 : 1) * Math.log1p(ratio)
  }
  return (at) => levels[at] ?? level
}

const slowSecond: Machine = (at) => (at % 2 === 1 ? Math.log(1.03) : 0)

/** Generates experiments with one kind of noise; the same seed gives the same ones. */
export class Planter {
  private readonly random: Random
  private readonly draw: () => number
  private made = 0

  constructor(
    private readonly noise: Noise,
    seed: number,
  ) {
    this.random = randomFrom(seed)
    this.draw = () => noises[this.noise](this.random)
  }

  private runsOf(order: keyof typeof orders, rounds: number, sd: number, truth: number, machine: Machine) {
    const sides = orders[order](this.random, rounds)
    const level = 10 ** uniform(this.random, 0.5, 3)
    return sides.map((side, at) => ({
      side,
      value: level * Math.exp(machine(at) + sd * this.draw() + (side === 'head' ? Math.log1p(truth) : 0)),
      start: 60 * at,
      ...(order === 'blocks' ? {} : { round: Math.floor(at / 2) + 1 }),
    }))
  }

  private given(runs: GivenExperiment['runs'], more: Partial<GivenExperiment> = {}): GivenExperiment {
    this.made += 1
    const direction = this.random() < 0.5 ? 'lower' : 'higher'
    const id = `${this.noise}-${this.made}`
    return { id, metric: { direction }, smallest: 0.02, alpha: 0.05, history: null, runs, ...more }
  }

  private planted(
    experiment: GivenExperiment,
    group: string,
    kind: Truth['kind'],
    truth: number,
    more: Partial<Truth> = {},
  ): Planted {
    return { experiment, truth: { group, kind, truth, direction: experiment.metric.direction, ...more } }
  }

  /** Random orders with 2, 3 or 4 rounds on a machine that oscillates from run to run. */
  fewRounds(rounds: number): Planted {
    const runs = this.runsOf('drawn', rounds, uniform(this.random, 0.01, 0.03), 0, swing(this.random))
    return this.planted(this.given(runs), `coin, ${rounds} rounds, swing of 2 to 4 runs`, 'null', 0)
  }

  /** An experiment with planned rounds, evaluated after each from the fifth on. */
  plannedSequence(seq: number): readonly Planted[] {
    const rounds = this.random() < 0.5 ? 12 : 14
    const runs = this.runsOf('drawn', rounds, uniform(this.random, 0.01, 0.05), 0, calm)
    return Array.from({ length: rounds - 4 }, (_, at) => {
      const plan = { rounds, look: at + 1 }
      const experiment = this.given(runs.slice(0, 2 * (5 + at)), { plan, metric: { direction: 'lower' } })
      return this.planted(experiment, 'planned, looks at 5 to the end', 'sequence', 0, { seq })
    })
  }

  /** Rounds 7 and 8 of 24 planned, with a true effect of 10 %. */
  plannedEffect(seq: number): readonly Planted[] {
    const truth = this.random() < 0.5 ? 0.1 : -0.1
    const runs = this.runsOf('drawn', 8, 0.02, truth, calm)
    return [7, 8].map((rounds, at) => {
      const experiment = this.given(runs.slice(0, 2 * rounds), {
        plan: { rounds: 24, look: at + 1 },
        metric: { direction: 'lower' },
      })
      const group = 'planned 24: 10 % at 2 % noise shown by round 8'
      return this.planted(experiment, group, 'sequence-power', truth, { seq })
    })
  }

  /** 5 or 12 metrics of the same runs, partly correlated. */
  family(fam: number): readonly Planted[] {
    const rounds = whole(this.random, 7, 12)
    const sides = orders.drawn(this.random, rounds)
    const [sd, together] = [uniform(this.random, 0.01, 0.05), uniform(this.random, 0, 0.8)]
    const shared = sides.map(() => this.draw())
    return Array.from({ length: this.random() < 0.5 ? 5 : 12 }, (_, at) => {
      const runs = sides.map((side, of) => ({
        side,
        value: 100 * Math.exp(sd * (Math.sqrt(together) * (shared[of] ?? 0) + Math.sqrt(1 - together) * this.draw())),
        start: 60 * of,
        round: Math.floor(of / 2) + 1,
      }))
      const experiment = this.given(runs, { family: { id: `${this.noise}-${fam}`, primary: at === 0 } })
      return this.planted(experiment, 'family of 4 to 12 metrics', 'family', 0, { fam })
    })
  }

  /** 8 rounds that are undecided, and what 200 more would show. */
  promise(): Planted {
    const truth = [0, 0, 0.01, 0.02, 0.05][whole(this.random, 0, 4)] ?? 0
    const runs = this.runsOf('drawn', 208, uniform(this.random, 0.015, 0.06), truth, calm)
    const experiment = this.given(runs.slice(0, 16), { metric: { direction: 'lower' } })
    const later = Array.from({ length: 200 }, (_, at) => ({ ...experiment, runs: runs.slice(0, 16 + 2 * (at + 1)) }))
    return this.planted(experiment, 'rounds that are promised to decide', 'promise', truth, { later })
  }

  private aa(runs: number, sd: number, machine: Machine): number[] {
    return Array.from({ length: runs }, (_, at) => 100 * Math.exp(machine(at) + sd * this.draw()))
  }

  /**
   * ABAB where the second run is 3 % slower, with or without A/A runs of the environment that show it; `truth`: an
   * effect.
   */
  slowSecond(isKnown: boolean, truth = 0): Planted {
    const sd = uniform(this.random, 0.01, 0.02)
    const runs = this.runsOf('abab', whole(this.random, 7, 12), sd, truth, slowSecond)
    const instrument = { aa: isKnown ? this.aa(80, sd, slowSecond) : null }
    const group = isKnown ? 'ABAB, place effect, A/A known' : 'ABAB, place effect, A/A never run'
    const experiment = this.given(runs, { instrument })
    return truth === 0
      ? this.planted(experiment, group, 'null', 0)
      : this.planted(experiment, 'ABAB, A/A known: 25 % found', 'power', truth)
  }

  /** ABBA on an oscillating machine, or on a calm one with an effect. */
  turned(isKnown: boolean, truth = 0): Planted {
    const sd = uniform(this.random, 0.005, 0.015)
    const machine = truth === 0 ? swing(this.random) : calm
    const runs = this.runsOf('abba', whole(this.random, 7, 12), sd, truth, machine)
    const experiment = this.given(runs, { instrument: { aa: isKnown ? this.aa(160, sd, machine) : null } })
    const group = `ABBA, swing of 2 to 4 runs, A/A ${isKnown ? 'known' : 'never run'}`
    return truth === 0
      ? this.planted(experiment, group, 'null', 0)
      : this.planted(experiment, 'ABBA, calm A/A: 5 % found', 'power', truth)
  }

  /** Blocks with a machine step between them, unknown to the history, but possibly to A/A runs. */
  blocks(stepRatio: number, isKnown: boolean, truth = 0): Planted {
    const sd = uniform(this.random, 0.01, 0.03)
    const size = (this.random() < 0.5 ? -1 : 1) * Math.log1p(stepRatio)
    const runs = this.runsOf('blocks', 8, sd, truth, (at) => (at < 8 ? 0 : size))
    const history = { runs: 60, sdLog: sd, sdStep: sd, maxStep: null }
    const machine = stepRatio === 0 ? calm : steps(this.random, 160, stepRatio)
    const experiment = this.given(runs, { history, instrument: { aa: isKnown ? this.aa(160, sd, machine) : null } })
    const group = isKnown
      ? `blocks, step of ${Math.round(100 * stepRatio)} % at the border, such steps known`
      : 'blocks, step at the border, A/A never run'
    return truth === 0
      ? this.planted(experiment, group, 'null', 0)
      : this.planted(experiment, 'blocks, calm A/A: 10 % found', 'power', truth)
  }
}
