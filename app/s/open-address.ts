import { openSharedCell, viewShareLink, type OpenedLink } from '@/app/_server/sharing/open-share-link'

export interface ShareAddress {
  readonly params: Promise<{ token: string }>
  readonly searchParams: Promise<Readonly<Partial<Record<'table' | 'y' | 'cell', string | string[]>>>>
}

/**
 * The link of an address, and what it shows: all of it, or a cell of its matrix or a run of its board. A plot of it on another scale, or
 * turned into a table and back, and its cells are the same view.
 */
export async function openAddress({ params, searchParams }: ShareAddress) {
  const [{ token }, { table, y, cell }] = await Promise.all([params, searchParams])
  const link = await viewShareLink(token, (table ?? y ?? cell) === undefined)
  const refs = [cell ?? []].flat()[0]
  const shown: OpenedLink | null =
    link !== null && link.kind !== 'runs' && refs !== undefined ? await openSharedCell(link, refs) : link
  return { token, table, link, shown }
}
