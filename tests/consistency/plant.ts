import { sensitivities } from '@/lib/levels/sensitivity'
import { builtInSettings, type RuleSettings } from '@/lib/rules/rules'
import { heyText } from '../server/feed-series'
import { normal, vegetaReport } from '../server/planted-history'

/** An upload in a generated history. */
export interface PlantedUpload {
  readonly query: URLSearchParams
  readonly body: string
}

/** What happens to a series. */
const shapes = ['calm', 'step', 'step and back', 'outlier', 'drift', 'failing nights', 'noisy'] as const
type Shape = (typeof shapes)[number]

/** The tool behind its runs: prints all percentiles, few of them, none. */
const printers = ['vegeta', 'hey', 'wrk'] as const

/** Pseudorandom numbers from a seed, the same on each machine. */
class Draw {
  readonly #normal: Generator<number, never>
  #state: number
  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 2_654_435_761) >>> 0
    this.#normal = normal(seed + 7_919)
  }
  /** From 0 up to 1. */
  uniform(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return this.#state / 4_294_967_296
  }
  whole(from: number, to: number): number {
    return from + Math.floor(this.uniform() * (to - from + 1))
  }
  of<T>(all: readonly [T, ...T[]]): T {
    return all[this.whole(0, all.length - 1)] ?? all[0]
  }
  normal(): number {
    return this.#normal.next().value
  }
}

interface Series {
  readonly scenario: string
  readonly variant: string
  readonly environment: string
  readonly shape: Shape
  readonly printer: (typeof printers)[number]
  readonly noise: number
  readonly nights: number
  readonly at: number
  readonly size: number
  /** Its code never changes: it measures the environment. */
  readonly isControl?: boolean
}

const dayMs = 86_400_000

/** How many times slower a night of this shape is. */
function factorOf({ shape, at, size, nights }: Series, night: number): number {
  if (shape === 'step') return night >= at ? size : 1
  if (shape === 'step and back') return night >= at && night < at + (nights - at) / 2 ? size : 1
  if (shape === 'outlier') return night === at ? 1.6 : 1
  return shape === 'drift' ? 1 + (0.3 * night) / nights : 1
}

function wrkText(meanMs: number): string {
  const perSecond = 64_000 / meanMs
  return [
    'Running 30s test @ http://shop.test/checkout',
    '  2 threads and 64 connections',
    '  Thread Stats   Avg      Stdev     Max   +/- Stdev',
    `    Latency    ${meanMs.toFixed(2)}ms    ${(meanMs / 4).toFixed(2)}ms ${(meanMs * 4).toFixed(2)}ms   88.00%`,
    `    Req/Sec   ${(perSecond / 2_000).toFixed(2)}k     0.10k   ${(perSecond / 1_800).toFixed(2)}k    70.00%`,
    `  ${Math.round(perSecond * 30)} requests in 30.00s, 100.00MB read`,
    `Requests/sec: ${perSecond.toFixed(2)}`,
    'Transfer/sec:      3.33MB',
    '',
  ].join('\n')
}

function bodyOf(series: Series, night: number, draw: Draw, shift: number): string {
  const middle = factorOf(series, night) * shift * Math.exp(series.noise * draw.normal())
  const tail = middle * Math.exp(series.noise * draw.normal())
  if (series.printer === 'hey') return heyText(20 * middle)
  if (series.printer === 'wrk') return wrkText(40 * middle)
  const isFailing = series.shape === 'failing nights' && night >= series.at && draw.uniform() < 0.5
  const figures = { meanMs: 40 * middle, p50Ms: 36 * middle, p95Ms: 80 * tail, p99Ms: 120 * tail, maxMs: 200 * tail }
  return vegetaReport({ ...figures, failed: isFailing ? draw.whole(100, 4_000) : 0 })
}

function uploadOf(series: Series, commit: string, startedAtMs: number, body: string): PlantedUpload {
  const { scenario, variant, environment } = series
  const startedAt = new Date(startedAtMs).toISOString()
  const query = new URLSearchParams({ scenario, variant, environment, startedAt, again: '1', gate: '1' })
  query.append('label', `commit=${series.isControl ? 'pinned' : commit}`)
  if (series.isControl) query.set('control', '1')
  return { query, body }
}

/**
 * A random history, oldest first: two or three series of one scenario or several, with a possible environment shift in
 * one of them; repeats of one commit, a candidate, a scenario that ran once, and sometimes an experiment in rounds.
 */
export function plantHistory(seed: number, nowMs: number): readonly PlantedUpload[] {
  const draw = new Draw(seed)
  const count = draw.whole(2, 3)
  const nights = draw.whole(9, 24)
  const shiftAt = draw.uniform() < 0.25 ? draw.whole(5, nights - 1) : nights
  const own = Array.from({ length: count }, (_, at): Series => ({
    scenario: draw.uniform() < 0.7 ? 'GET /checkout' : `GET /item/${at}`,
    variant: `node2${at}`,
    environment: 'c6i.large',
    shape: draw.of(shapes),
    printer: draw.uniform() < 0.7 ? 'vegeta' : draw.of(printers),
    noise: draw.of([0.01, 0.03, 0.08]),
    nights,
    at: draw.whole(5, nights - 1),
    size: draw.of([0.7, 0.85, 1.06, 1.15, 1.3, 2]),
  }))
  const machine = machineOf(seed, nights)
  if (machine !== null && own[0] !== undefined)
    own.push({
      ...own[0],
      scenario: 'static file',
      variant: 'control',
      shape: 'calm',
      printer: 'vegeta',
      isControl: true,
    })
  const slowness = (night: number) => (night >= shiftAt ? 1.2 : 1) * (machine?.(night) ?? 1)
  const firstMs = nowMs - (nights + 2) * dayMs
  const each = Array.from({ length: nights }, (_, night) => night).flatMap((night) =>
    own.flatMap((series, at) => {
      const repeats = draw.uniform() < 0.08 ? 3 : 1
      return Array.from({ length: repeats }, (_one, repeat) => {
        const body = bodyOf(series, night, draw, slowness(night))
        return uploadOf(series, `c${night}`, firstMs + night * dayMs + (at * 4 + repeat) * 60_000, body)
      })
    }),
  )
  const [first] = own
  if (first === undefined) return each
  const once = { ...first, scenario: 'GET /once' }
  const lastMs = nowMs - dayMs
  const candidate = uploadOf(first, 'pr-1', lastMs, bodyOf({ ...first, shape: 'step', at: 0 }, 1, draw, 1))
  candidate.query.set('candidate', '1')
  const rounds = draw.uniform() < 0.4 ? roundsOf(first, draw, lastMs) : []
  return [...each, candidate, uploadOf(once, 'c1', lastMs, bodyOf(once, 0, draw, 1)), ...rounds]
}

/**
 * How many times slower the environment is at each night, as a control beside the series shows; null: it is steady, and
 * there is no control. Half of those that move come back.
 */
function machineOf(seed: number, nights: number): ((night: number) => number) | null {
  const draw = new Draw(seed + 200_003)
  if (nights < 16 || seed % 2 === 1) return null
  const [at, back, size] = [draw.whole(8, nights - 5), draw.of([4, Infinity]), draw.of([1.6, 2.9])]
  return (night) => (night >= at && night < at + back ? size : 1)
}

/** An experiment to be run on the server, and what its arms take. */
export interface PlantedExperiment {
  readonly plan: Readonly<Record<string, string | number | boolean>>
  /** ms by arm. */
  readonly levels: Readonly<Record<string, number>>
  /** Of a run, relative. */
  readonly noise: number
  /** Runs that are uploaded at most. */
  readonly runs: number
  /** Every run of this number is reported as failed; null: none. */
  readonly failing: number | null
}

/** An experiment of the history: one that ends, is undecided, or is in progress. */
export function plantExperiment(seed: number): PlantedExperiment {
  const draw = new Draw(seed + 300_007)
  const [size, control] = [draw.of([1, 1.12, 0.86, 1.04]), draw.of([null, 1, 1.05])]
  const maxRounds = draw.of([6, 8])
  return {
    plan: {
      ...{ question: `Does change ${seed} help?`, base: 'main', head: `pr-${seed}`, control: control !== null },
      ...{ metricId: draw.of(['mean', 'p99']), smallestRatio: 0.05, maxRounds },
    },
    levels: { base: 100, head: 100 * size, control: 100 * (control ?? 1) },
    noise: draw.of([0.01, 0.02, 0.06]),
    runs: draw.of([0, 5, 60, 60, 60]),
    failing: draw.uniform() < 0.4 ? draw.whole(3, 9) : null,
  }
}

/** What a run of it prints. */
export const experimentOutput = ({ levels, noise }: PlantedExperiment, arm: string, seed: number): string =>
  heyText((levels[arm] ?? 100) * Math.exp(noise * new Draw(seed).normal()))

/** The rule that watches every third history instead of the built-in one; null: the built-in one. */
export function plantRule(seed: number): RuleSettings | null {
  if (seed % 3 !== 0) return null
  const draw = new Draw(seed + 100_003)
  return {
    ...builtInSettings,
    direction: draw.of(['worse', 'both']),
    leastEffectRatio: draw.of([null, 0.03, 0.25]),
    confirmRuns: draw.of([1, 2]),
    sensitivity: draw.of(sensitivities),
  }
}

/** Both sides of an experiment, alternating. */
function roundsOf(series: Series, draw: Draw, atMs: number): readonly PlantedUpload[] {
  const rounds = draw.whole(2, 8)
  const size = draw.of([1, 1.1, 1.4])
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
    ['main', 'branch'].map((variant, at) => {
      const own: Series = {
        ...series,
        scenario: 'GET /rounds',
        variant,
        shape: 'step',
        at: 0,
        size: at === 0 ? 1 : size,
      }
      const upload = uploadOf(own, variant, atMs + (round * 2 + at) * 60_000, bodyOf(own, round, draw, 1))
      for (const label of [`round=${round}`, `rounds=${rounds}`, 'order=drawn', `experiment=e`])
        upload.query.append('label', label)
      return upload
    }),
  )
}
