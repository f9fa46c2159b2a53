import { clipCell, matrixTable } from '@/components/shared/matrix-files'
import { matrixFace } from '@/components/shared/share-face'
import type { ColorOf } from '@/components/charts/plot/file'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { clipped, Drawing, previewImage, typeable, type ImageTheme } from './preview-image'
import { sweepPlotOf } from './sweep-plot'

const rowPx = 50
const maxColumns = 4

/** The link preview of a matrix, with the first rows of its first metric; of a sweep, with the plot of that metric. */
export function matrixImage(prepared: PreparedMatrix, projectName: string, theme: ImageTheme): Response {
  const plot = sweepPlotOf(prepared)
  return previewImage({
    projectName,
    face: matrixFace(prepared),
    theme,
    body: (box) => (plot === null ? <Cells prepared={prepared} {...box} /> : <Drawing plot={plot} {...box} />),
  })
}

interface CellsProps {
  readonly prepared: PreparedMatrix
  readonly top: number
  readonly bottom: number
  readonly color: ColorOf
}

function Cells({ prepared: { matrix, metrics }, top, bottom, color }: CellsProps) {
  const [metric] = metrics
  const table = metric ? matrixTable(matrix, metric) : null
  const columns = Math.min(maxColumns, matrix.columns.length)
  const narrow = Math.floor(1120 / (columns + 1.4))
  const wide = Math.floor(narrow * 1.4)
  const maxRows = Math.floor((bottom - top) / rowPx) - 1
  const lines = table ? [[table.title, ...table.head.slice(1)], ...table.rows.slice(0, maxRows)] : []
  return (
    <div style={{ display: 'flex', flexDirection: 'column', position: 'absolute', left: 40, top, width: 1120 }}>
      {lines.map((cells, row) => (
        <div
          key={row}
          style={{
            display: 'flex',
            alignItems: 'center',
            height: rowPx,
            borderBottom: `1px solid ${color('var(--line)')}`,
            fontSize: 22,
          }}
        >
          {cells.slice(0, columns + 1).map((cell, at) => (
            <div
              key={at}
              style={{
                display: 'flex',
                width: at === 0 ? wide : narrow,
                justifyContent: at === 0 ? 'flex-start' : 'flex-end',
                color: color(row === 0 || cell === '–' ? 'var(--muted)' : 'var(--text)'),
              }}
            >
              {typeable(clipped(clipCell(cell, Math.floor((at === 0 ? wide : narrow) / 12)), 60))}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
