/**
 * The address of the list with some parameters changed (null: removed). Drops the cursor, as it belongs to one list.
 */
export function listHref(
  path: string,
  params: URLSearchParams,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const next = new URLSearchParams([...params].filter(([key, value]) => key !== 'cursor' && value.trim() !== ''))
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(key)
    else next.set(key, value)
  }
  const query = next.toString()
  return query === '' ? path : `${path}?${query}`
}

/** The list without one of its label conditions. */
export function hrefWithoutLabel(path: string, params: URLSearchParams, label: string): string {
  const next = new URLSearchParams([...params].filter(([key, value]) => key !== 'label' || value !== label))
  return listHref(path, next)
}

/** Names of the filter parameters. */
export const filterNames = [
  'text',
  'tool',
  'state',
  'scenario',
  'variant',
  'environment',
  'label',
  'upload',
  'from',
  'to',
  'figure',
  'min',
  'max',
] as const
