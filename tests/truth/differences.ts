/** Collects where a run differs from the ground truth, so that one test reports every wrong field at once. */
export class Differences {
  readonly list: string[] = []

  /** Equal as JSON; the order of keys does not matter. */
  equal(field: string, actual: unknown, expected: unknown): void {
    if (stable(actual) !== stable(expected)) this.add(field, actual, expected)
  }

  /** Equal to the printed decimal: only binary floating-point error is allowed. */
  printed(field: string, actual: number | null | undefined, expected: number | null | undefined): void {
    if (actual === null || actual === undefined || expected === null || expected === undefined)
      return this.equal(field, actual ?? null, expected ?? null)
    if (Math.abs(actual - expected) > Math.abs(expected) * 1e-9 + 1e-12) this.add(field, actual, expected)
  }

  /** Within half a unit in the last printed place of the exact value behind a printed one. */
  rounded(field: string, actual: number | null | undefined, exact: number | null | undefined, unit: number): void {
    if (actual === null || actual === undefined || exact === null || exact === undefined) return
    if (Math.abs(actual - exact) > unit / 2 + Math.abs(exact) * 1e-9) this.add(field, actual, exact)
  }

  private add(field: string, actual: unknown, expected: unknown): void {
    this.list.push(`${field}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
  }
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
