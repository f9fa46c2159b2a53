import { matrixQueryOf } from '@/components/matrix/matrix-url'
import { prepareMatrix, type PreparedMatrix } from '@/components/matrix/prepare-matrix'
import type { StoredRun } from '@/lib/history/stored-runs'
import { chooseAxis, sweepAxes } from '@/lib/matrix/sweep'
import { failureKinds } from '@/lib/run/figures'
import type { Arranged } from './arrange'

/** What the page shows of its runs. */
export type View = 'compare' | 'matrix' | 'sweep'

/** The views that these runs allow; one: there is nothing to choose. */
export const viewsOf = (runs: readonly StoredRun[]): readonly View[] => [
  'compare',
  ...(runs.length > 1 ? (['matrix'] as const) : []),
  ...(chooseAxis(sweepAxes(runs), null) === null ? [] : (['sweep'] as const)),
]

/**
 * The view that the query asks for, if the runs allow it. Unasked, one document that fills rows and columns is a matrix:
 * its scenarios are no sides of each other.
 */
export function viewOf({ runs, isOneDocument, cellNotes }: Arranged, query: URLSearchParams): View {
  const views = viewsOf(runs)
  const asked = views.find((view) => view === query.get('view'))
  if (asked !== undefined || !isOneDocument || !views.includes('matrix')) return asked ?? 'compare'
  const { matrix } = matrixOf({ runs, cellNotes }, '')
  return matrix.rows.length > 1 && matrix.columns.length > 1 ? 'matrix' : 'compare'
}

/** All runs in the layout of the query. */
export function matrixOf({ runs, cellNotes }: Pick<Arranged, 'runs' | 'cellNotes'>, query: string): PreparedMatrix {
  const failed = runs.filter(({ figures }) => figures.errorRatio === 1)
  const failures = new Map(failed.map(({ id, imported }) => [id, failureKinds(imported).map(({ words }) => words)]))
  return prepareMatrix(runs, matrixQueryOf(query), cellNotes, { failures })
}

/** The query of a cell's runs, or of the runs of several, as sides. */
export const cellHref = (sides: readonly (readonly string[])[]): string =>
  `?${new URLSearchParams({ view: 'compare', cell: JSON.stringify(sides) })}`

/** The sides that the query names by their runs; null: none of these runs. */
export function cellOf(runs: readonly StoredRun[], query: URLSearchParams): readonly (readonly StoredRun[])[] | null {
  const cell = query.get('cell')
  if (cell === null) return null
  const named = JSON.parse(cell) as readonly (readonly string[])[]
  const sides = named.map((ids) => runs.filter(({ id }) => ids.includes(id))).filter((side) => side.length > 0)
  return sides.length === 0 ? null : sides
}
