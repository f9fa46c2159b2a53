import type { z } from 'zod'

/** Records which fields of a ground truth are compared, and which are just there. */
export class Fields {
  compared = 0
  /** Paths, array positions as `[]`. */
  readonly ignored = new Set<string>()

  /**
   * The part of a truth that the schema reads, which is compared; the rest is not. `under`: path in the truth. Throws
   * ZodError.
   */
  read<T>(schema: z.ZodType<T>, truth: unknown, under = ''): T {
    const taken = schema.parse(truth)
    this.walk(truth, taken, under)
    return taken
  }

  private walk(whole: unknown, taken: unknown, path: string): void {
    if (taken === undefined) this.ignored.add(path)
    else if (Array.isArray(whole) && Array.isArray(taken)) {
      whole.forEach((one, at) => this.walk(one, taken[at], `${path}[]`))
    } else if (isObject(whole) && isObject(taken)) {
      for (const [key, value] of Object.entries(whole))
        this.walk(value, taken[key], path === '' ? key : `${path}.${key}`)
    } else this.compared += 1
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
