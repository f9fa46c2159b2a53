/** A run of the planted history: its position, and the upload that contains it. */
export interface PlantedRun {
  readonly query: URLSearchParams
  readonly body: string
}

/** First run (0-based) of the slower level of node22, the outlier of node20, and its night at half the rate. */
export const regressedAt = 40
export const outlierAt = 25
export const halfRateAt = 50
const nights = 60

interface Figures {
  readonly meanMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly ratePerSecond?: number
  readonly failed?: number
}

const askedPerSecond = 500
const requestsAsked = 20_000
const levels = {
  node20: { meanMs: 40, p50Ms: 36, p95Ms: 80, p99Ms: 120, maxMs: 200 },
  node22: { meanMs: 36, p50Ms: 33, p95Ms: 70, p99Ms: 105, maxMs: 190 },
} as const

/** A report as vegeta prints it, with its command above. */
export function vegetaReport({ ratePerSecond = askedPerSecond, failed = 0, ...ms }: Figures): string {
  const say = (value: number) => `${value.toFixed(3)}ms`
  const requests = Math.round((requestsAsked * ratePerSecond) / askedPerSecond)
  const attackS = (requests - 1) / ratePerSecond
  const totalS = attackS + ms.meanMs / 1_000
  const quantiles = [ms.p50Ms / 2, ms.meanMs, ms.p50Ms, ms.p50Ms * 1.5, ms.p95Ms, ms.p99Ms, ms.maxMs].map(say)
  return [
    `$ echo "GET http://shop.test/checkout" | vegeta attack -rate=${askedPerSecond} -duration=40s | vegeta report`,
    `Requests      [total, rate, throughput]         ${requests}, ${ratePerSecond.toFixed(2)}, ${((requests - failed) / totalS).toFixed(2)}`,
    `Duration      [total, attack, wait]             ${totalS.toFixed(3)}s, ${attackS.toFixed(3)}s, ${say(ms.meanMs)}`,
    `Latencies     [min, mean, 50, 90, 95, 99, max]  ${quantiles.join(', ')}`,
    `Bytes In      [total, mean]                     ${requests * 1_024}, 1024.00`,
    'Bytes Out     [total, mean]                     0, 0.00',
    `Success       [ratio]                           ${((100 * (requests - failed)) / requests).toFixed(2)}%`,
    `Status Codes  [code:count]                      200:${requests - failed}  ${failed > 0 ? `500:${failed}  ` : ''}`,
    'Error Set:',
    ...(failed > 0 ? ['500 Internal Server Error'] : []),
    '',
  ].join('\n')
}

/** A run of a service on an environment. */
export interface SentRun {
  readonly scenario: string
  readonly environment: string
  readonly startedAtMs: number
  readonly commit: string
  readonly p50Ms: number
  readonly p99Ms: number
  readonly isControl?: boolean
  /** Further parameters of the upload. */
  readonly query?: Readonly<Record<string, string>>
}

/** Uploads a run as vegeta's report. `project`: its address in the API. */
export function sendRun(project: string, run: SentRun): Promise<Response> {
  const { scenario, environment, startedAtMs, commit, p50Ms, p99Ms, isControl = false, query = {} } = run
  const asked = new URLSearchParams({
    ...{ scenario, environment, startedAt: new Date(startedAtMs).toISOString(), label: `commit=${commit}` },
    ...(isControl ? { control: '1' } : {}),
    ...query,
  })
  const figures = { meanMs: 1.1 * p50Ms, p50Ms, p95Ms: 0.8 * p99Ms, p99Ms, maxMs: 1.6 * p99Ms }
  return fetch(`${project}/uploads/out.txt?${asked}`, { method: 'PUT', body: vegetaReport(figures) })
}

/** Roughly normal numbers, the same each time. */
export function* normal(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    let sum = -6
    for (let at = 0; at < 12; at += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      sum += state / 4_294_967_296
    }
    yield sum
  }
}

/** When the runs of the history started: the first one, and the distance of each from the one before, in ms. */
export interface PlantedTimes {
  readonly firstAtMs: number
  readonly stepMs: number
}

const nightly: PlantedTimes = { firstAtMs: Date.UTC(2026, 8, 20), stepMs: 86_400_000 }

function planted(
  variant: keyof typeof levels,
  at: number,
  commit: string,
  figures: Figures,
  { firstAtMs, stepMs } = nightly,
): PlantedRun {
  const startedAt = new Date(firstAtMs + at * stepMs).toISOString()
  const query = new URLSearchParams({ scenario: 'GET /checkout', variant, startedAt, again: '1', gate: '1' })
  query.append('label', `commit=${commit}`)
  return { query, body: vegetaReport(figures) }
}

/**
 * Sixty nights of two variants, oldest first: node22 gets 6 % slower, its tail 22 %, at `regressedAt`; node20 has one
 * outlier and one night at half of the requested rate.
 */
export function plantedHistory(times: PlantedTimes = nightly): readonly PlantedRun[] {
  const noise = normal(7)
  return Array.from({ length: nights }, (_, at) => at).flatMap((at) =>
    (['node20', 'node22'] as const).map((variant) => {
      const isSlower = variant === 'node22' && at >= regressedAt
      const outlier = variant === 'node20' && at === outlierAt ? 1.5 : 1
      const middle = Math.exp(0.015 * noise.next().value) * (isSlower ? 1.06 : 1) * outlier
      const tail = Math.exp(0.03 * noise.next().value) * (isSlower ? 1.22 : 1) * outlier
      const { meanMs, p50Ms, p95Ms, p99Ms, maxMs } = levels[variant]
      const figures = { meanMs: meanMs * middle, p50Ms: p50Ms * middle, p95Ms: p95Ms * tail, p99Ms: p99Ms * tail }
      const ratePerSecond = variant === 'node20' && at === halfRateAt ? askedPerSecond / 2 : askedPerSecond
      const all = { ...figures, maxMs: maxMs * tail, ratePerSecond }
      return planted(variant, at, `${variant}-${at}`, all, times)
    }),
  )
}

/** Runs of pull requests against node20: one 30 % slower, one with 5 % failed requests. */
export function plantedCandidates(): { readonly slower: PlantedRun; readonly failing: PlantedRun } {
  const candidate = (commit: string, figures: Figures) => {
    const run = planted('node20', nights, commit, figures)
    run.query.set('candidate', '1')
    return run
  }
  const { meanMs, p50Ms, p95Ms, p99Ms, maxMs } = levels.node20
  const slow = 1.3
  const slower = { meanMs: meanMs * slow, p50Ms: p50Ms * slow, p95Ms: p95Ms * slow, p99Ms: p99Ms * slow, maxMs }
  const failed = requestsAsked / 20
  return { slower: candidate('pr-1', slower), failing: candidate('pr-2', { ...levels.node20, failed }) }
}
