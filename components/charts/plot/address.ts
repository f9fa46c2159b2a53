import type { ScaleKind } from './scale'

/** No page of ours lists more. */
const maxTables = 10

/** The plots that an address shows as tables: `?table=shift.over-time`. */
export const readTables = (value: string | readonly string[] | null | undefined): readonly string[] =>
  [...new Set([value ?? []].flat().join('.').split('.'))].filter((id) => /^[\w-]{1,60}$/.test(id)).slice(0, maxTables)

/** The scale of a plot that has two, from an address: `?y=log`; null: it has none. */
export function readScale(value: string | readonly string[] | null | undefined): ScaleKind | null {
  const [text] = [value ?? []].flat()
  return text === 'linear' || text === 'log' ? text : null
}

/** The query of an address that sets this scale on plots with two. */
export function scaleQuery(params: URLSearchParams, scale: ScaleKind): string {
  const next = new URLSearchParams(params)
  next.set('y', scale)
  return `?${next}`
}

/**
 * The query of an address on which this plot is a table, or a drawing again: `?m=p99&table=shift`. Without any table it
 * has `table=`: the reader followed a link of the page, so a share does not count another view. `open`: the tables that
 * are shown now, if the address does not name them.
 */
export function tableQuery(
  params: URLSearchParams,
  id: string,
  open: readonly string[] = readTables(params.getAll('table')),
): string {
  const next = new URLSearchParams(params)
  // A parameter of old addresses (next.config.js) that would open it again.
  next.delete('tables')
  if (next.get('view') === 'table') next.delete('view')
  const shown = open.includes(id) ? open.filter((one) => one !== id) : [...open, id]
  next.set('table', shown.join('.'))
  return `?${next}`
}
