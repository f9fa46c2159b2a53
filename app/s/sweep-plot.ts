import type { Plot } from '@/components/charts/plot/model'
import { prepareSweep } from '@/components/charts/sweep'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { buildSweep, chooseAxis, sweepAxes } from '@/lib/matrix/sweep'

/** The first metric of a shared sweep over what was varied; null: a matrix is shown, or nothing varies. */
export function sweepPlotOf({ runs, metrics: [metric], query }: PreparedMatrix): Plot | null {
  const axis = query.view === 'sweep' ? chooseAxis(sweepAxes(runs), query.axis) : null
  if (axis === null || metric === undefined) return null
  const ordered = [...runs].sort(
    (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.indexInUpload - b.indexInUpload,
  )
  return prepareSweep(buildSweep(ordered, axis), metric, null, query.scales)?.plot ?? null
}
