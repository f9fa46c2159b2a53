import * as z from 'zod'

/**
 * Whether a moment can be stored and compared: within the years 1 to 9998. PostgreSQL has no year 0, and the day after
 * the last one of 9999 is written with six digits.
 */
export function isStorableTimestamp(ms: number): boolean {
  return ms >= earliestMs && ms < latestMs
}
const earliestMs = Date.parse('0001-01-01T00:00:00Z')
const latestMs = Date.parse('9999-01-01T00:00:00Z')

const yearWords = 'must lie in the years 1 to 9998'

/** A day in ISO 8601: `2026-11-21`. */
export const daySchema = z.iso.date().refine((day) => isStorableTimestamp(Date.parse(day)), yearWords)

/** A UTC time, to the second or finer: `2026-11-21T03:01:26Z`. */
export const timestampSchema = z.iso
  .datetime({ offset: false, message: 'must be a UTC time such as 2026-11-21T03:01:26Z' })
  .refine((time) => isStorableTimestamp(Date.parse(time)), yearWords)

/** A UTC time as we wrote it: read without checks. */
export const utcIsoSchema = z.string().meta({ format: 'date-time' })
