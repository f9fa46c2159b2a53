import type { PlotTable } from './plot/model'

/**
 * A table of percentiles with a last column that names what rests on few samples; without any, as it is. `few`: by row,
 * the names of those.
 */
export function withFew({ head, rows }: PlotTable, few: readonly (readonly string[])[]): PlotTable {
  if (few.every((names) => names.length === 0)) return { head, rows }
  const isSingle = head.length === 2
  const words = (names: readonly string[] = []) => (isSingle && names.length > 0 ? 'yes' : names.join(', '))
  return { head: [...head, 'Few samples'], rows: rows.map((row, at) => [...row, words(few[at])]) }
}
