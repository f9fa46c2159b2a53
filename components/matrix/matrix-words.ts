import { sameBelowRatio } from '@/lib/judge/comparison'
import { formatPercent } from '@/lib/format'
import type { Matrix } from '@/lib/judge/matrix'

/** How to read the cells, and how far to trust them. */
export function footOf(matrix: Matrix): string {
  const counts = matrix.rows.flatMap((row) => row.cells.map((cell) => cell.runIds.length)).filter((count) => count > 0)
  const signs =
    matrix.columns.length < 2
      ? ''
      : `Ringed: best of its row. ~ same: within ${formatPercent(sameBelowRatio)} of the baseline. `
  if (counts.some((count) => count > 1)) return `${signs}Cells with several runs show the median.`
  return `${signs}One run per cell: small differences may be noise.`
}
