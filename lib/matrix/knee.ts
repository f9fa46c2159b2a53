/** A metric's value at one value of the varied number. */
export interface CurvePoint {
  readonly x: number
  readonly y: number
}

/** The shape of a curve. `knee.at` is a position in the curve; `steeper`, `flatter`: its course after the knee. */
export type CurveShape =
  | { readonly kind: 'knee'; readonly at: number; readonly bend: 'steeper' | 'flatter' }
  | { readonly kind: 'straight'; readonly slope: number; readonly r2: number }
  | { readonly kind: 'flat'; readonly rangeRatio: number }
  | { readonly kind: 'no-knee' }
  | { readonly kind: 'too-few'; readonly count: number }

/** With fewer points than this, a bend is the noise of one of them. */
export const minForKnee = 5
/** Fewest points that can contradict a straight line. */
const minForLine = 3
/** R² from which a curve is called straight. */
const straightFromR2 = 0.99
/** (largest − smallest) ÷ largest below which a curve is called flat. */
export const flatBelowRatio = 0.05

/**
 * Whether a curve has a knee, and where. `points`: each x once, ascending. The knee is Kneedle's (Satopää, Albrecht,
 * Irwin, Raghavan, “Finding a ‘Kneedle’ in a Haystack”, ICDCS Workshops 2011, offline, S = 1, unsmoothed since points
 * are few): both axes scaled to 0…1, the greatest distance from the diagonal, if the distance falls again by more than
 * the mean step of x. Always on linear axes, however the chart is drawn. A flat or straight curve has no knee.
 */
export function shapeOf(points: readonly CurvePoint[]): CurveShape {
  const ys = points.map(({ y }) => y)
  const [min, max] = [Math.min(...ys), Math.max(...ys)]
  if (points.length < minForLine) return { kind: 'too-few', count: points.length }
  const size = Math.max(Math.abs(min), Math.abs(max))
  const rangeRatio = size === 0 ? 0 : (max - min) / size
  if (rangeRatio < flatBelowRatio) return { kind: 'flat', rangeRatio }
  const line = fitLine(points)
  if (line.r2 >= straightFromR2) return { kind: 'straight', ...line }
  if (points.length < minForKnee) return { kind: 'too-few', count: points.length }
  return findKnee(points, min, max) ?? { kind: 'no-knee' }
}

/** Least squares; r2 is 1 − residual ÷ total variance. */
function fitLine(points: readonly CurvePoint[]): { readonly slope: number; readonly r2: number } {
  const meanX = meanOf(points.map(({ x }) => x))
  const meanY = meanOf(points.map(({ y }) => y))
  let [xx, xy, yy] = [0, 0, 0]
  for (const { x, y } of points) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (y - meanY)
    yy += (y - meanY) ** 2
  }
  return { slope: xy / xx, r2: (xy * xy) / (xx * yy) }
}

function findKnee(points: readonly CurvePoint[], min: number, max: number): CurveShape | null {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const rises = last.y >= first.y
  const spanX = last.x - first.x
  const above = points.map(({ x, y }) => {
    const share = (x - first.x) / spanX
    return (y - min) / (max - min) - (rises ? share : 1 - share)
  })
  const isAbove = meanOf(above) > 0
  const distances = above.map((one) => (isAbove ? one : -one))
  const threshold = 1 / (points.length - 1)
  let best: { at: number; distance: number } | null = null
  for (let at = 1; at < distances.length - 1; at += 1) {
    const distance = distances[at] ?? 0
    if (distance < (distances[at - 1] ?? 0) || distance <= (distances[at + 1] ?? 0)) continue
    const next = distances.findIndex((other, index) => index > at && other > distance)
    const until = next === -1 ? distances.length : next
    const falls = distances.slice(at + 1, until).some((other) => other < distance - threshold)
    if (falls && distance > (best?.distance ?? 0)) best = { at, distance }
  }
  return best === null ? null : { kind: 'knee', at: best.at, bend: rises === isAbove ? 'flatter' : 'steeper' }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
