/**
 * Tail probabilities of the normal and Student's t distributions, to about 1e-13 relative.
 * Complementary error function: W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23
 * (1969). Incomplete beta: continued fraction by Lentz's method (NIST DLMF 8.17.22). Log-gamma: Lanczos, g = 7, n = 9.
 */

const lanczos = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
] as const

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const z = x - 1
  let sum: number = lanczos[0]
  for (let index = 1; index < lanczos.length; index += 1) sum += (lanczos[index] ?? 0) / (z + index)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}

const cody = {
  small: {
    p: [0.18577770618460315, 3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694],
    q: [23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171],
  },
  middle: {
    p: [
      2.1531153547440383e-8, 0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001,
      881.952221241769, 1712.0476126340707, 2051.0783778260716, 1230.3393547979972,
    ],
    q: [
      15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597,
      4362.619090143247, 3439.3676741437216, 1230.3393548037495,
    ],
  },
  large: {
    p: [
      0.016315387137302097, 0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
      0.0006587491615298378,
    ],
    q: [2.568520192289822, 1.8729528499234604, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918],
  },
} as const

/** Cody's rational function: numerator leads with its last-but-none coefficient, denominator is monic. */
function rational(x: number, p: readonly number[], q: readonly number[]): number {
  let numerator = (p[0] ?? 0) * x
  let denominator = x
  for (let index = 0; index < q.length - 1; index += 1) {
    numerator = (numerator + (p[index + 1] ?? 0)) * x
    denominator = (denominator + (q[index] ?? 0)) * x
  }
  return (numerator + (p[q.length] ?? 0)) / (denominator + (q[q.length - 1] ?? 0))
}

/** erfc(x) = 1 − erf(x). */
function erfc(x: number): number {
  const y = Math.abs(x)
  if (y <= 0.468_75) return 1 - x * rational(y * y, cody.small.p, cody.small.q)
  const positive = Math.exp(-y * y) * (y <= 4 ? rational(y, cody.middle.p, cody.middle.q) : largeTail(y))
  return x < 0 ? 2 - positive : positive
}

function largeTail(y: number): number {
  const inverse = 1 / (y * y)
  return (1 / Math.sqrt(Math.PI) - inverse * rational(inverse, cody.large.p, cody.large.q)) / y
}

/** P(Z > z) of the standard normal distribution. */
export function normalTail(z: number): number {
  return 0.5 * erfc(z / Math.SQRT2)
}

/** Regularised incomplete beta I_x(a, b), a, b > 0, x in 0…1. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    const step = d * c
    fraction *= step
    if (Math.abs(step - 1) < 1e-16) break
  }
  return fraction
}

/** P(T > t) of Student's t with `df` degrees of freedom (df > 0, need not be whole). */
export function studentTail(t: number, df: number): number {
  const half = 0.5 * incompleteBeta(df / (df + t * t), df / 2, 0.5)
  return t >= 0 ? half : 1 - half
}

/** The t with P(T > t) = `tail`, for 0 < tail ≤ 0.5. By bisection on the monotone tail. */
export function studentQuantile(tail: number, df: number): number {
  let low = 0
  let high = 1
  while (studentTail(high, df) > tail && high < 1e12) high *= 2
  for (let step = 0; step < 200 && high - low > 1e-14 * high; step += 1) {
    const middle = (low + high) / 2
    if (studentTail(middle, df) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The z with P(Z > z) = `tail`, for 0 < tail ≤ 0.5. By bisection on the monotone tail. */
export function normalQuantile(tail: number): number {
  let [low, high] = [0, 40]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (normalTail(middle) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(X ≤ x) of the chi-squared distribution with `df` degrees of freedom, x ≥ 0 (series, NIST DLMF 8.11.4). */
export function chiSquaredShare(x: number, df: number): number {
  if (x <= 0) return 0
  const [shape, half] = [df / 2, x / 2]
  let term = 1 / shape
  let sum = term
  for (let step = 1; step < 10_000 && term > sum * 1e-16; step += 1) {
    term *= half / (shape + step)
    sum += term
  }
  return Math.min(1, sum * Math.exp(shape * Math.log(half) - half - logGamma(shape)))
}

/** The x with P(X ≤ x) = `share`, for 0 < share < 1. By bisection on the monotone share. */
export function chiSquaredQuantile(share: number, df: number): number {
  let [low, high] = [0, Math.max(1, df)]
  while (chiSquaredShare(high, df) < share && high < 1e9) high *= 2
  for (let step = 0; step < 200 && high - low > 1e-13 * high; step += 1) {
    const middle = (low + high) / 2
    if (chiSquaredShare(middle, df) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
