/** Values in a row that break a rule, by position in the given values. */
export interface Breach {
  /** The first bad value. */
  readonly from: number
  /** Where it became certain: the last of the first `confirmRuns` bad values. */
  readonly firesAt: number
  /** The newest bad value. */
  readonly last: number
  /** Number of bad values in it. */
  readonly count: number
  /** Where as many good values in a row had been seen; null: ongoing. */
  readonly overAt: number | null
}

/**
 * Where values break a rule: a breach begins with `confirmRuns` bad values in a row and ends with as many good ones,
 * so that a value that comes and goes does not cause one breach after another. Gaps (null) are neither. Oldest first,
 * never overlapping. O(n).
 */
export function findBreaches(
  values: readonly (number | null)[],
  isBad: (value: number) => boolean,
  confirmRuns: number,
): readonly Breach[] {
  const found: Breach[] = []
  let now: Omit<Breach, 'overAt'> | null = null
  let row: number[] = []
  values.forEach((value, at) => {
    if (value === null) return
    const bad = isBad(value)
    if (now === null) {
      row = bad ? [...row, at] : []
      const [from] = row
      if (from === undefined || row.length < confirmRuns) return
      now = { from, firesAt: at, last: at, count: row.length }
      row = []
    } else if (bad) {
      now = { ...now, last: at, count: now.count + 1 }
      row = []
    } else {
      row = [...row, at]
      if (row.length < confirmRuns) return
      found.push({ ...now, overAt: at })
      now = null
      row = []
    }
  })
  const open = now as Omit<Breach, 'overAt'> | null
  return open === null ? found : [...found, { ...open, overAt: null }]
}
