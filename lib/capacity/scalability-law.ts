import { groupBy } from '../group-by'
import { studentQuantile } from '../stats/distributions'
import { solve } from '../stats/linear'
import { seededNormals } from '../stats/seeded-normals'
import type { Level } from './levels'
import { servedDeviation } from './served-rate'

/** A number with its 95 % interval. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/**
 * The Universal Scalability Law X(N) = γN / (1 + σ(N−1) + κN(N−1)) of a closed loop (N. J. Gunther, Guerrilla Capacity
 * Planning, 2007).
 */
export interface ScalabilityLaw {
  /** γ: served per second by one connection. */
  readonly perSecond: Estimate
  /** σ and κ: what waits for others, and what connections lose by agreeing with each other. */
  readonly sigma: Estimate
  readonly kappa: Estimate
  /** The connections that serve most; null: the served rate was not seen to fall. */
  readonly peak: Estimate | null
  /** The most connections that were run: the law is a guess beyond. */
  readonly dashedFrom: number
  /** Served per second at so many connections. */
  at(connections: number): number
}

const minLevels = 4
/** A peak farther out than this many times the data is not printed. */
const peakReach = 1.2
const bootstraps = 400
/** Figures are never this exact. */
const minDeviation = 0.01

interface Fit {
  readonly perSecond: number
  readonly sigma: number
  readonly kappa: number
  readonly peak: number
  /** Sum of squared relative errors. */
  readonly squares: number
}

type Point = readonly [connections: number, servedPerSecond: number]

/** Null: fewer than four levels, or no fit. */
export function fitLaw(levels: readonly Level[]): ScalabilityLaw | null {
  const points = levels.flatMap(({ load, runs }) =>
    runs.flatMap(({ servedPerSecond: served }): Point[] => (served !== null && served > 0 ? [[load, served]] : [])),
  )
  if (new Set(points.map(([load]) => load)).size < minLevels) return null
  const fit = fitPoints(points)
  if (fit === null) return null
  const others = bootstrap(points, fit)
  const estimate = (name: keyof Fit): Estimate => {
    const sorted = others.map((one) => one[name]).sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
    return { value: fit[name], low: at(0.025), high: at(0.975) }
  }
  const dashedFrom = Math.max(...points.map(([load]) => load))
  const peak = estimate('peak')
  const isPeakSeen = peak.value <= peakReach * dashedFrom && Number.isFinite(peak.high) && isSeenToFall(levels)
  return {
    ...{ perSecond: estimate('perSecond'), sigma: estimate('sigma'), kappa: estimate('kappa') },
    ...{ peak: isPeakSeen ? peak : null, dashedFrom },
    at: (connections) => servedBy(fit, connections),
  }
}

const servedBy = ({ perSecond, sigma, kappa }: Fit, n: number): number =>
  (perSecond * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1))

/** N/X is linear in 1/γ, σ/γ and κ/γ: non-negative least squares of relative errors, over every set that may be above 0. */
function fitPoints(points: readonly Point[]): Fit | null {
  const rows = points.map(([n, served]) => {
    const target = n / served
    return { terms: [1 / target, (n - 1) / target, (n * (n - 1)) / target] }
  })
  let best: Fit | null = null
  for (const active of [[0, 1, 2], [0, 1], [0, 2], [0]]) {
    const product = (i: number, j: number) =>
      rows.reduce((sum, { terms }) => sum + (terms[i] ?? 0) * (terms[j] ?? 0), 0)
    const solved = solve(
      active.map((i) => active.map((j) => product(i, j))),
      active.map((i) => rows.reduce((sum, { terms }) => sum + (terms[i] ?? 0), 0)),
    )
    if (solved === null || solved.some((value) => value < 0)) continue
    const of = (term: number) => solved[active.indexOf(term)] ?? 0
    if (of(0) <= 0) continue
    const squares = rows.reduce(
      (sum, { terms }) => sum + (terms.reduce((total, term, index) => total + term * of(index), 0) - 1) ** 2,
      0,
    )
    if (best !== null && squares >= best.squares - 1e-12) continue
    const [sigma, kappa] = [of(1) / of(0), of(2) / of(0)]
    const peak = kappa > 0 && sigma < 1 ? Math.sqrt((1 - sigma) / kappa) : Number.POSITIVE_INFINITY
    best = { perSecond: 1 / of(0), sigma, kappa, peak, squares }
  }
  return best
}

/** Fits of made-up runs: noise of runs, and of levels by what they are off the law beyond that. */
function bootstrap(points: readonly Point[], fit: Fit): readonly Fit[] {
  const normal = seededNormals(1)
  const freedom = Math.max(1, points.length - 3)
  const deviation = Math.sqrt(fit.squares / freedom)
  const scale = studentQuantile(0.025, Math.max(3, freedom)) / 1.96
  const byLevel = [...groupBy(points, ([n]) => n)]
  const off = byLevel.reduce((sum, [n, at]) => {
    const mean = at.reduce((total, [, served]) => total + Math.log(served / servedBy(fit, n)), 0) / at.length
    return sum + mean ** 2
  }, 0)
  const perLevel = points.length / byLevel.length
  const ofLevels = Math.sqrt(
    Math.max(0, off / Math.max(1, byLevel.length - 3) - deviation ** 2 / Math.max(1, perLevel)),
  )
  const ofRuns = Math.max(deviation, minDeviation)
  return Array.from({ length: bootstraps }, () => {
    const shifts = new Map(byLevel.map(([n]) => [n, normal() * ofLevels * scale]))
    return fitPoints(
      points.map(([n]) => [n, servedBy(fit, n) * Math.exp(normal() * ofRuns * scale + (shifts.get(n) ?? 0))]),
    )
  }).flatMap((one) => one ?? [])
}

/** A plateau fits a peak as well: the top level must be served surely less than the best of those below it. */
function isSeenToFall(levels: readonly Level[]): boolean {
  const means = levels.flatMap(({ runs }) => {
    const logs = runs.flatMap(({ servedPerSecond: served }) =>
      served !== null && served > 0 ? [Math.log(served)] : [],
    )
    return logs.length === 0
      ? []
      : [{ mean: logs.reduce((sum, one) => sum + one, 0) / logs.length, count: logs.length }]
  })
  const top = means.at(-1)
  if (top === undefined) return false
  const best = means.reduce((most, one) => (one.mean > most.mean ? one : most))
  const { deviation, freedom } = servedDeviation(levels)
  // Whichever level is best is so by chance, too.
  const t = studentQuantile(0.05 / Math.max(1, means.length - 1), freedom)
  return best.mean - top.mean > t * deviation * Math.sqrt(1 / best.count + 1 / top.count)
}
