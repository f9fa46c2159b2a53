import { randomFrom } from '../../fuzz/random'
import { noises, type Noise } from '../judge/planted-experiments'
import type { Round } from '@/lib/experiment/round'

/** What a simulated machine adds to a run, on the log scale. */
export interface MachineOptions {
  readonly seed: number
  readonly noise: Noise | 'normal'
  /** Deviation of a run. */
  readonly deviation: number
  /** Deviation of a level that wanders from run to run, correlated .97. */
  readonly drift?: number
  /** What running second, third costs. */
  readonly places?: readonly number[]
  /** Share of runs that take 1.5 to 3 times as long. */
  readonly outliers?: number
  /** Share of runs that fail. */
  readonly failing?: number
}

/** Runs on it follow each other in time, the same ones for the same seed. */
export class SimulatedMachine {
  private readonly random: () => number
  private level = 0

  constructor(private readonly options: MachineOptions) {
    this.random = randomFrom(options.seed)
  }

  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random())
  }

  /** A round in this order; `logs`: what each arm takes without noise. Null: one of its runs failed. */
  round(order: readonly string[], logs: Readonly<Record<string, number>>): Round | null {
    const { noise, deviation, drift = 0, places = [], outliers = 0, failing = 0 } = this.options
    const values: Record<string, number> = {}
    for (const [place, arm] of order.entries()) {
      this.level = 0.97 * this.level + drift * Math.sqrt(1 - 0.97 ** 2) * this.normal()
      const own = noise === 'normal' ? this.normal() : noises[noise](this.random)
      const outlier = this.random() < outliers ? Math.log(1.5 + 1.5 * this.random()) : 0
      if (this.random() < failing) return null
      const placeLog = place === 0 ? 0 : (places[place - 1] ?? places.at(-1) ?? 0)
      values[arm] = 40 * Math.exp((logs[arm] ?? 0) + this.level + placeLog + deviation * own + outlier)
    }
    return { order, values }
  }
}
