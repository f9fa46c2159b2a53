/** How often values left their level by more than half of a change, and how often a run that did followed another. */
export interface Strays {
  runs: number
  strays: number
  stays: number
}

/** Adds the values beyond `half` from their level `centre`, in its direction; `weight`: what one of them counts. */
export function countStrays(into: Strays, values: Float64Array, centre: number, half: number, weight = 1): void {
  let wasStray = false
  for (const value of values) {
    const isStray = half > 0 ? value - centre > half : value - centre < half
    into.runs += weight
    if (isStray) into.strays += weight
    if (isStray && wasStray) into.stays += weight
    wasStray = isStray
  }
}

/** Chance that runs of an old level leave it for as many runs as a new one lasts, from how often they did so before. */
export function chanceOfExcursion({ runs, strays, stays }: Strays, length: number): number {
  const share = (strays + 1) / (runs + 2)
  return share * Math.max(share, (stays + 0.3) / (strays + 2)) ** (length - 1)
}

/** Runs of a visit to another mode: fewer are outliers, more are a level. */
const visitRuns = { fewest: 3, most: 30 }

/**
 * Runs that left a level by more than `half` for a while and came back, over the whole history. Null: that happened
 * less than twice; once is a change that was undone, after twice both are modes.
 */
export function visitsOfMode(levels: readonly Float64Array[], centre: number, half: number): Strays | null {
  const lengths: number[] = []
  let [runs, stayed, hasLeft] = [0, 0, false]
  for (const level of levels) {
    for (const value of level) {
      runs += 1
      if (half > 0 ? value - centre > half : value - centre < half) {
        stayed += 1
        continue
      }
      if (hasLeft && stayed >= visitRuns.fewest && stayed <= visitRuns.most) lengths.push(stayed)
      ;[stayed, hasLeft] = [0, true]
    }
  }
  if (lengths.length < 2) return null
  const strays = lengths.reduce((sum, length) => sum + length, 0)
  return { runs, strays, stays: strays - lengths.length }
}
