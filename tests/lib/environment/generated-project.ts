import type { SeriesPlace } from '@/lib/environment/followed-series'
import type { ProjectRun } from '@/lib/environment/replay-project'
import { randomFrom } from '../../fuzz/random'

export interface ProjectPlan {
  readonly seed: number
  readonly nights: number
  readonly series: readonly (Pick<SeriesPlace, 'id'> & Partial<SeriesPlace>)[]
  /** Standard deviation of a run's logarithm. */
  readonly deviation?: number
  /** By default, a new one each night, for all series. */
  readonly commitOf?: (seriesId: string, night: number) => string
  /** By what the value is multiplied. */
  readonly factorOf?: (seriesId: string, night: number) => number
}

const night = 86_400

/** A project whose series run one after the other each night, by a generator of random numbers with a seed. */
export function generateProject(plan: ProjectPlan): { places: readonly SeriesPlace[]; runs: readonly ProjectRun[] } {
  const { seed, nights, deviation = 0.03 } = plan
  const { commitOf = (_id: string, at: number) => `commit-${at}`, factorOf = () => 1 } = plan
  const random = randomFrom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const places = plan.series.map((one) => ({ environment: 'm7i.large', isControl: false, ...one }))
  const runs = Array.from({ length: nights }, (_, at) =>
    places.map(({ id }, turn): ProjectRun => ({
      time: at * night + turn * 600,
      series: id,
      commit: commitOf(id, at),
      value: 20 * (turn + 1) * factorOf(id, at) * Math.exp(deviation * normal()),
    })),
  ).flat()
  return { places, runs }
}
