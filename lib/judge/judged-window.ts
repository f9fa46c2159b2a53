import { metrics } from '../run/metrics'
import { profileName } from '../history/series'
import type { JudgedPart, SteadyState } from '../run/steady-part'
import type { SeriesPoint } from '../history/stored-series'
import { isOfWindow, measuresAfterWarmUp } from './steady-window'

/** A run of a series whose project is judged by steady parts. */
export interface PointWithSteady {
  /** Of the whole run. */
  readonly point: SeriesPoint
  /** Null: it has no steady part. */
  readonly steady: SteadyState | null
}

/**
 * The runs of one series by their steady parts, if every run of a load profile has one; else that profile by whole
 * runs: a series never mixes the two, since a change of the window would look like a change of level. `wholeProfiles`:
 * names of the profiles with a run that has none. Candidates do not decide: one without a steady part in a profile that
 * has them keeps the figures that do not depend on the window.
 */
export function pointsBySteadyParts(
  points: readonly PointWithSteady[],
  wholeProfiles: ReadonlySet<string>,
): readonly SeriesPoint[] {
  return points.map(({ point, steady }): SeriesPoint => {
    if (wholeProfiles.has(profileName(point.tool, point.load))) return { ...point, judgedBy: 'mixed' }
    if (steady === null) return { ...point, judgedBy: 'unsteady', figures: withoutWindow(point.figures) }
    return { ...point, judgedBy: 'steady', ...measuresAfterWarmUp(point, steady.part) }
  })
}

function withoutWindow(figures: SeriesPoint['figures']): SeriesPoint['figures'] {
  const none = metrics.filter(isOfWindow).map(({ key }) => [key, null])
  return { ...figures, ...Object.fromEntries(none) }
}

/** A card's words for the part that a run is judged by; null: whole runs, the default. */
export const judgedPartWords: Readonly<Record<JudgedPart, string | null>> = {
  whole: null,
  steady: 'Judged after warm-up: mean, p50 to p99, max and throughput of steady parts, as this project asks.',
  mixed: 'Judged by whole runs: not every run of this series has a steady part.',
  unsteady: 'Its series is judged by steady parts. This run has none: its latency and throughput are not judged.',
}
