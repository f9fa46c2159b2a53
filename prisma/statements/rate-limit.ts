import { storableText } from '../../lib/text'

/** How many events of a kind are accepted in a period. */
export interface RateLimit {
  /** Distinguishes keys: what is counted. */
  readonly name: string
  readonly points: number
  readonly seconds: number
}

/** The key of a count in the database. */
export const limitKey = (name: string, key: string): string => `${name} ${storableText(key).slice(0, 300)}`
