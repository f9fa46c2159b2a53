import { normalTail, studentTail } from '../stats/distributions'
import { median, theilSenSlope } from '../stats/robust'

/** Where a run reached its steady state. */
export type WarmUp =
  /** Steady from the first bin: there was no warm-up. */
  | { readonly kind: 'none' }
  /** `endBins`: bins from the start, need not be whole. */
  | { readonly kind: 'ends'; readonly endBins: number }
  /** It still moves at the end. */
  | { readonly kind: 'never' }

/** Excess over the steady level that counts as warming up: 10 %. */
const minExcess = Math.log(1.1)
/** Rise or fall over the second half from which a run is not steady: 12 %. */
const minTrend = Math.log(1.12)
const maxTrendP = 0.001
/**
 * A trend this many times larger than the scatter about it needs no test: its own bend, mistaken for correlation, would
 * hide it.
 */
const clearTrend = 6
/** Stricter, because the cut is the best of up to fifty. */
const maxHeadP = 0.0001
/**
 * A slow part longer than half of a run leaves too little to judge; up to this share it can be distinguished from
 * chance.
 */
const maxSlowShare = 0.85
/** Bins required in a run: fewer show no shape. */
export const minWarmUpBins = 20

/**
 * The end of a run's warm-up by its bins' medians (ms, in time order, equal widths; null: no request). In this order: a
 * trend in the second half (Theil–Sen and Mann–Kendall), or a slow part beyond half: never steady; the MSER cut (White
 * 1997) in the first half; whether the head is really off; the end of the shape that fits best by BIC: a step, two
 * steps, a decay (until 10 % above the level), a straight line (never steady). Null: fewer than 20 bins, or fewer than
 * two with a median.
 */
export function findWarmUp(mediansMs: readonly (number | null)[]): WarmUp | null {
  const levels = logsWithoutGaps(mediansMs)
  if (levels === null || levels.length < minWarmUpBins) return null
  const tail = levels.slice(Math.floor(levels.length / 2))
  if (isMoving(tail)) return { kind: 'never' }
  const highest = median(tail) + 3
  const half = Math.floor(levels.length / 2)
  const late = mserCut(levels, highest, Math.floor(levels.length * maxSlowShare))
  if (late > half && isOff(levels, late) && isSlower(levels, late)) return { kind: 'never' }
  const cut = mserCut(levels, highest, half)
  if (cut === 0 || !isOff(levels, cut)) return { kind: 'none' }
  return endOfShape(levels, median(levels.slice(cut)), cut)
}

/** Logarithms; for this test alone, bins without a request are interpolated linearly between their neighbours. */
function logsWithoutGaps(mediansMs: readonly (number | null)[]): readonly number[] | null {
  const known = mediansMs.flatMap((value, at) => (value !== null && value > 0 ? [{ at, y: Math.log(value) }] : []))
  if (known.length < 2) return null
  let next = 0
  return mediansMs.map((_, at) => {
    while ((known[next]?.at ?? Number.POSITIVE_INFINITY) < at) next += 1
    const [before, after] = [known[next - 1], known[next]]
    if (!after) return before?.y ?? 0
    if (!before || after.at === at) return after.y
    return before.y + ((after.y - before.y) * (at - before.at)) / (after.at - before.at)
  })
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Number of independent values in a stretch, by its first positive autocorrelations. */
function effectiveCount(values: readonly number[]): number {
  const mean = meanOf(values)
  const rest = values.map((value) => value - mean)
  const variance = sumOf(rest.map((one) => one * one))
  if (values.length < 8 || variance === 0) return values.length
  let sum = 0
  for (let lag = 1; lag < Math.floor(values.length / 3); lag += 1) {
    const product = sumOf(rest.slice(lag).map((one, at) => one * (rest[at] ?? 0)))
    if (product / variance <= 0.05) break
    sum += product / variance
  }
  return Math.max(3, values.length / (1 + 2 * sum))
}

/** Kendall's τ-b of values in time order. */
function kendallTau(values: readonly number[]): number {
  let [score, tied] = [0, 0]
  values.forEach((value, at) => {
    for (const later of values.slice(at + 1)) {
      score += Math.sign(later - value)
      if (later === value) tied += 1
    }
  })
  const pairs = (values.length * (values.length - 1)) / 2
  return pairs === tied ? 0 : score / Math.sqrt(pairs * (pairs - tied))
}

/** Whether the second half still rises or falls. */
function isMoving(tail: readonly number[]): boolean {
  const x = tail.map((_, at) => at)
  const slope = theilSenSlope(x, tail)
  if (Math.abs(slope) * tail.length <= minTrend) return false
  const middle = median(tail)
  const rest = tail.map((value, at) => value - middle - slope * (at - meanOf(x)))
  const scatter = Math.sqrt(sumOf(rest.map((one) => one * one)) / rest.length)
  if (Math.abs(slope) * tail.length > clearTrend * scatter) return true
  const count = effectiveCount(rest)
  const deviation = Math.sqrt((2 * (2 * count + 5)) / (9 * count * Math.max(1, count - 1)))
  return 2 * normalTail(Math.abs(kendallTau(tail)) / deviation) < maxTrendP
}

/** Whether a run was slow until a cut: each quarter before it is above the level after it. */
function isSlower(levels: readonly number[], cut: number): boolean {
  const level = median(levels.slice(cut))
  const quarter = cut / 4
  return [0, 1, 2, 3].every((at) => {
    const part = levels.slice(Math.floor(at * quarter), Math.floor((at + 1) * quarter))
    return median(part) - level > minExcess
  })
}

/**
 * Bins to cut, up to `longest`, so that the mean of the remainder has the smallest standard error. Spikes are clipped.
 */
function mserCut(levels: readonly number[], highest: number, longest: number): number {
  const clipped = levels.map((level) => Math.min(level, highest))
  let [best, cut] = [Number.POSITIVE_INFINITY, 0]
  for (let at = 0; at <= longest; at += 1) {
    const rest = clipped.slice(at)
    const mean = meanOf(rest)
    const score = sumOf(rest.map((level) => (level - mean) ** 2)) / rest.length ** 2
    if (score < best) [best, cut] = [score, at]
  }
  return cut
}

/** Whether the head is farther from the rest than expected by chance: one bin of scatter is no warm-up. */
function isOff(levels: readonly number[], cut: number): boolean {
  const [head, rest] = [levels.slice(0, cut), levels.slice(cut)]
  const level = median(rest)
  const mean = meanOf(rest)
  const spread = Math.sqrt(sumOf(rest.map((one) => (one - mean) ** 2)) / (rest.length - 1))
  const off = Math.abs(meanOf(head) - level)
  const start = cut > 2 ? Math.abs(meanOf(head.slice(0, Math.max(1, Math.floor(cut / 2)))) - level) : 0
  if (Math.max(off, start) < Math.max(minExcess, 1.2 * spread)) return false
  const count = effectiveCount(rest)
  const error = spread * Math.sqrt(1 / count + 1 / Math.max(1, (cut * count) / rest.length))
  return !(error > 0 && 2 * studentTail(off / error, Math.max(2, count - 1)) > maxHeadP)
}

/** The shape of the excess over the level, by BIC, and where it falls below 10 %. */
function endOfShape(levels: readonly number[], level: number, cut: number): WarmUp {
  const count = levels.length
  const excess = levels.map((one) => one - level)
  const squares = sumOf(excess.map((one) => one * one))
  const sums = [0]
  for (const one of excess) sums.push((sums.at(-1) ?? 0) + one)
  const between = (from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0)
  /** Squares that a constant on [from, to) explains. */
  const explained = (from: number, to: number) => between(from, to) ** 2 / (to - from)
  const longest = Math.min(Math.floor(count / 2), Math.max(3, 2 * cut + 2))

  let step = { left: Number.POSITIVE_INFINITY, end: 1 }
  let steps = { left: squares, end: 1 }
  for (let end = 1; end <= longest; end += 1) {
    const left = squares - explained(0, end)
    if (left < step.left) step = { left, end }
    for (let middle = 1; middle < end; middle += 1) {
      if (Math.abs(between(middle, end)) / (end - middle) < minExcess) continue
      const twice = squares - explained(0, middle) - explained(middle, end)
      if (twice < steps.left) steps = { left: twice, end }
    }
  }
  const decay = fitDecay(excess)
  const line = squaresOffLine(excess)
  const bic = (left: number, parameters: number) =>
    count * Math.log(Math.max(left, 1e-12) / count) + parameters * Math.log(count)
  const fits: readonly { readonly bic: number; readonly warmUp: WarmUp }[] = [
    { bic: bic(step.left, 2), warmUp: { kind: 'ends', endBins: step.end } },
    { bic: bic(steps.left, 4), warmUp: { kind: 'ends', endBins: steps.end } },
    { bic: bic(decay.left, 2), warmUp: { kind: 'ends', endBins: decay.end } },
    { bic: bic(line, 2), warmUp: { kind: 'never' } },
  ]
  return fits.reduce((best, fit) => (fit.bic < best.bic ? fit : best)).warmUp
}

/** ln(1 + a·e^(−x/τ)) with a from 0.15 to 8, and τ such that it falls to 10 % within the first half. */
function fitDecay(excess: readonly number[]): { readonly left: number; readonly end: number } {
  const [ends, heights] = [60, 30]
  let best = { left: Number.POSITIVE_INFINITY, end: 1 }
  for (let at = 0; at < ends; at += 1) {
    const end = 1 + ((excess.length * 0.5 - 1) * at) / (ends - 1)
    for (let of = 0; of < heights; of += 1) {
      const height = 0.15 * (8 / 0.15) ** (of / (heights - 1))
      const tau = end / Math.log(height / 0.1)
      let left = 0
      excess.forEach((one, bin) => (left += (one - Math.log1p(height * Math.exp(-(bin + 0.5) / tau))) ** 2))
      if (left < best.left) best = { left, end }
    }
  }
  return best
}

function squaresOffLine(values: readonly number[]): number {
  const mean = meanOf(values)
  const middle = (values.length - 1) / 2
  const slope =
    sumOf(values.map((value, at) => (value - mean) * (at - middle))) / sumOf(values.map((_, at) => (at - middle) ** 2))
  return sumOf(values.map((value, at) => (value - mean - slope * (at - middle)) ** 2))
}
