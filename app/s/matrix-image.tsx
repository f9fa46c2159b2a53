import { ImageResponse } from 'next/og'
import { clipCell, matrixTable } from '@/components/shared/matrix-files'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { clipped, light, previewSize, typeable } from './chart-image'

const maxRows = 7
const maxColumns = 4

/** The link preview of a matrix: its name, what it holds, and the first rows of its first metric. */
export function matrixImage({ matrix, metrics, sentence }: PreparedMatrix, name: string): Response {
  const [metric] = metrics
  const table = metric ? matrixTable(matrix, metric) : null
  const columns = Math.min(maxColumns, matrix.columns.length)
  const width = Math.floor(1120 / (columns + 1.4))
  const wide = Math.floor(width * 1.4)
  const lines = table ? [[table.title, ...table.head.slice(1)], ...table.rows.slice(0, maxRows)] : []
  return new ImageResponse(
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: previewSize.width,
        height: previewSize.height,
        padding: '30px 40px',
        background: light('var(--bg)'),
        color: light('var(--text)'),
      }}
    >
      <div style={{ fontSize: 26, color: light('var(--muted)') }}>{typeable(clipped(name, 80))}</div>
      <div style={{ fontSize: 40, margin: '8px 0 20px' }}>{typeable(clipped(sentence, 52))}</div>
      {lines.map((cells, row) => (
        <div
          key={row}
          style={{
            display: 'flex',
            borderBottom: `1px solid ${light('var(--line)')}`,
            padding: '11px 0',
            fontSize: 22,
          }}
        >
          {cells.slice(0, columns + 1).map((cell, at) => (
            <div
              key={at}
              style={{
                display: 'flex',
                width: at === 0 ? wide : width,
                justifyContent: at === 0 ? 'flex-start' : 'flex-end',
                color: light(row === 0 || cell === '–' ? 'var(--muted)' : 'var(--text)'),
              }}
            >
              {typeable(clipCell(cell, Math.floor((at === 0 ? wide : width) / 12)))}
            </div>
          ))}
        </div>
      ))}
    </div>,
    { ...previewSize, headers: { 'cache-control': 'private, no-store' } },
  )
}
