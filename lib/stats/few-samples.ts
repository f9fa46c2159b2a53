import { hasFewBeyond, minAbove } from './quantile'

/** Whether a quantile rests on few samples in most of these sets: fewer than 10 of its values are beyond it. */
export function areFew(q: number, counts: readonly (number | null)[]): boolean {
  return 2 * counts.filter((count) => count !== null && hasFewBeyond(q, count)).length > counts.length
}

/** Why it fades, of any run. */
export const fewRule = `Fewer than ${minAbove} requests are slower: it rests on few samples.`

/** Texts in rows below a head. */
interface WordTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * A table of percentiles with a last column that names what rests on few samples; without any, as it is. `few`: by row,
 * the names of those.
 */
export function withFew({ head, rows }: WordTable, few: readonly (readonly string[])[]): WordTable {
  if (few.every((names) => names.length === 0)) return { head, rows }
  const isSingle = head.length === 2
  const words = (names: readonly string[] = []) => (isSingle && names.length > 0 ? 'yes' : names.join(', '))
  return { head: [...head, 'Few samples'], rows: rows.map((row, at) => [...row, words(few[at])]) }
}
