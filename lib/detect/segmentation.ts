import { ranksOf } from '../stats/rank-test'

/** Minimum points of a segment, except the newest one, which may be a single run. */
const LEAST_POINTS = 2

/**
 * Candidate change points by optimal partitioning: the split with the least total cost, where a segment costs `penalty`
 * plus its truncated quadratic loss around the centre that minimises it, so that one spike costs at most `truncation`².
 * Returns first indices of all segments but the first, rising. Exact, by functional pruning (R-FPOP: Fearnhead and
 * Rigaill, "Changepoint Detection in the Presence of Outliers", 2019): instead of each pair of start and end it tracks
 * the least cost of all as a function of the newest segment's centre. Time is n times its pieces, some ten.
 */
export function optimalPartition(values: Float64Array, scale: number, truncation: number, penalty: number): number[] {
  const n = values.length
  if (n < LEAST_POINTS) return []
  // Deviations in units of the scale keep squares and sums small.
  const centre = values.toSorted()[n >> 1] ?? 0
  const points = values.map((value) => (value - centre) / scale)
  const [low, high] = [Math.min(...points), Math.max(...points)]
  if (low === high) return []
  const best = new Float64Array(n + 1).fill(Infinity)
  const previous = new Int32Array(n + 1)
  best[0] = -penalty
  let costs: readonly Piece[] = []
  for (let end = LEAST_POINTS; end <= n; end += 1) {
    const start = end - LEAST_POINTS
    const before = (best[start] ?? Infinity) + penalty
    costs = withLoss(costs, points[end - 1] ?? 0, truncation)
    if (before < Infinity) {
      let begun: readonly Piece[] = [{ low, high, a: 0, b: 0, c: before, start }]
      for (let at = start; at < end; at += 1) begun = withLoss(begun, points[at] ?? 0, truncation)
      costs = costs.length === 0 ? begun : lowerOf(costs, begun)
    }
    for (const piece of costs) {
      const cost = leastOf(piece)
      if (cost >= (best[end] ?? Infinity)) continue
      best[end] = cost
      previous[end] = piece.start
    }
  }
  if ((best[n - 1] ?? Infinity) + penalty < (best[n] ?? Infinity)) previous[n] = n - 1
  const changes: number[] = []
  for (let at = previous[n] ?? 0; at > 0; at = previous[at] ?? 0) changes.push(at)
  return changes.reverse()
}

/** Cost a·x² + b·x + c for centres x from `low` to `high`, of a newest segment that begins at `start`. */
interface Piece {
  readonly low: number
  high: number
  readonly a: number
  readonly b: number
  readonly c: number
  readonly start: number
}

const costAt = (piece: Piece, x: number): number => (piece.a * x + piece.b) * x + piece.c

function leastOf(piece: Piece): number {
  const { low, high, a, b } = piece
  return costAt(piece, a > 0 ? Math.min(high, Math.max(low, -b / (2 * a))) : low)
}

/** The costs plus the loss of one more point: quadratic within `reach` of it, constant beyond. */
function withLoss(costs: readonly Piece[], point: number, reach: number): readonly Piece[] {
  const [from, to] = [point - reach, point + reach]
  const bound = reach * reach
  const added: Piece[] = []
  for (const { low, high, a, b, c, start } of costs) {
    if (low < from) add(added, low, Math.min(high, from), a, b, c + bound, start)
    if (low < to && high > from)
      add(added, Math.max(low, from), Math.min(high, to), a + 1, b - 2 * point, c + point * point, start)
    if (high > to) add(added, Math.max(low, to), high, a, b, c + bound, start)
  }
  return added
}

/** The lower of two costs for each centre; the first where they are equal. Both cover the same centres. */
function lowerOf(known: readonly Piece[], begun: readonly Piece[]): readonly Piece[] {
  const lower: Piece[] = []
  for (let at = 0, other = 0; at < known.length && other < begun.length;) {
    const [one, two] = [known[at], begun[other]]
    if (one === undefined || two === undefined) break
    const [low, high] = [Math.max(one.low, two.low), Math.min(one.high, two.high)]
    const [first, second] = crossings(one, two, low, high)
    addLower(lower, one, two, low, first)
    addLower(lower, one, two, first, second)
    addLower(lower, one, two, second, high)
    if (one.high <= high) at += 1
    if (two.high <= high) other += 1
  }
  return lower
}

/** Where two costs cross between `low` and `high`, rising; `high` where they do not. */
function crossings(one: Piece, two: Piece, low: number, high: number): readonly [number, number] {
  const [a, b, c] = [one.a - two.a, one.b - two.b, one.c - two.c]
  const square = b * b - 4 * a * c
  if (a === 0 ? b === 0 : square <= 0) return [high, high]
  const inside = (x: number) => Math.min(high, Math.max(low, x))
  if (a === 0) return [inside(-c / b), high]
  const [middle, half] = [-b / (2 * a), Math.sqrt(square) / Math.abs(2 * a)]
  return [inside(middle - half), inside(middle + half)]
}

/** Adds the lower of two costs from `low` to `high`, where they do not cross. */
function addLower(lower: Piece[], one: Piece, two: Piece, low: number, high: number): void {
  if (high <= low) return
  const middle = (low + high) / 2
  const { a, b, c, start } = costAt(one, middle) <= costAt(two, middle) ? one : two
  add(lower, low, high, a, b, c, start)
}

/** Appends a piece, or extends the last one if the cost is the same. */
function add(pieces: Piece[], low: number, high: number, a: number, b: number, c: number, start: number): void {
  const last = pieces[pieces.length - 1]
  if (last?.start === start && last.a === a && last.b === b && last.c === c) last.high = high
  else pieces.push({ low, high, a, b, c, start })
}

/**
 * Candidate change points by binary segmentation on ranks: splits where the standardised CUSUM of ranks is largest,
 * while it exceeds `threshold`. Finds shifts between two modes that a segment's centre hides. In order of finding.
 */
export function rankSegmentation(values: Float64Array, threshold: number): number[] {
  const found: number[] = []
  const split = (from: number, to: number, depth: number): void => {
    const n = to - from
    if (n < 10 || depth > 12) return
    const ranks = ranksOf(values.subarray(from, to))
    let sum = 0
    let largest = 0
    let at = 1
    for (let k = 1; k < n; k += 1) {
      sum += ranks[k - 1] ?? 0
      // The two outermost splits on either side cannot be distinguished from a spike.
      if (k <= 2 || k >= n - 2) continue
      const statistic = Math.abs(sum - (k * (n + 1)) / 2) / Math.sqrt((k * (n - k) * (n + 1)) / 12)
      if (statistic > largest) {
        largest = statistic
        at = k
      }
    }
    if (largest < threshold) return
    const change = from + at
    found.push(change)
    split(from, change, depth + 1)
    split(change, to, depth + 1)
  }
  split(0, values.length, 0)
  return found
}
