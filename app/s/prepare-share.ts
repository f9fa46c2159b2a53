import { cache } from 'react'
import type { OpenedBoard, OpenedLink, OpenedMatrix, OpenedRuns } from '@/app/_server/sharing/open-share-link'
import { readTables } from '@/components/charts/plot/address'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison, type PreparedComparison } from '@/components/compare/prepare-comparison'
import { matrixQueryOf } from '@/components/matrix/matrix-url'
import { prepareMatrix, type PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { readChartView, type ChartView } from '@/components/run/figures/chart-view'
import { prepareBoard, type PreparedBoard } from '@/components/shared/prepare-board'
import { boardFace, comparisonFace, matrixFace, type ShareFace } from '@/components/shared/share-face'
import { splitSides } from '@/lib/judge/compare-url'
import { noiseAsFrozen, stepAsFrozen } from '@/lib/judge/history-noise'

/** The runs of a link as its page, its preview and its files show them, with the noise at the time of sharing. */
export const prepareSharedRuns = cache(({ runs, share }: OpenedRuns): PreparedComparison | null =>
  prepareComparison(
    splitSides(runs, share.sideSizes),
    viewOf(share.view),
    noiseAsFrozen(share.noise),
    stepAsFrozen(share.noise),
  ),
)

/** The matrix of a link, the same way. */
export const prepareSharedMatrix = cache(({ runs, share, failures }: OpenedMatrix): PreparedMatrix =>
  prepareMatrix(runs, matrixQueryOf(share.view), share.cellNotes, { noiseOf: noiseAsFrozen(share.noise), failures }),
)

/** The board of a link, the same way. */
export const prepareSharedBoard = cache(({ runs, share }: OpenedBoard): PreparedBoard => prepareBoard(runs, share.view))

/** The face of a link; null: it has nothing to show. */
export function faceOf(link: OpenedLink): ShareFace | null {
  if (link.kind === 'matrix') return matrixFace(prepareSharedMatrix(link))
  if (link.kind === 'board') return boardFace(prepareSharedBoard(link))
  const prepared = prepareSharedRuns(link)
  return prepared && comparisonFace(prepared)
}

/** The settings of a share's charts: as when it was made, until a reader chooses other plots as tables (`table`). */
export function shownView(
  share: { readonly view: string },
  table: string | readonly string[] | undefined,
): { readonly view: ChartView; readonly tables: readonly string[] } {
  const view = readChartView(new URLSearchParams(share.view))
  return { view, tables: table === undefined ? view.tables : readTables(table) }
}
