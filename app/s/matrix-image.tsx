import { matrixTable } from '@/components/shared/matrix-files'
import { matrixFace } from '@/components/shared/share-face'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { Drawing, previewImage, type ImageTheme } from './preview-image'
import { sweepPlotOf } from './sweep-plot'
import { TableDrawing } from './table-drawing'

/** The link preview of a matrix, with the first rows of its first metric; for a sweep, with the plot of that metric. */
export function matrixImage(prepared: PreparedMatrix, projectName: string, theme: ImageTheme): Response {
  const plot = sweepPlotOf(prepared)
  const lines = linesOf(prepared)
  return previewImage({
    projectName,
    face: matrixFace(prepared),
    theme,
    body: (box) => (plot === null ? <TableDrawing lines={lines} {...box} /> : <Drawing plot={plot} {...box} />),
  })
}

function linesOf({ matrix, metrics: [metric] }: PreparedMatrix): readonly (readonly string[])[] {
  if (metric === undefined) return []
  const { title, head, rows } = matrixTable(matrix, metric)
  return [[title, ...head.slice(1)], ...rows]
}
