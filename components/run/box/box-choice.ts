import { rowBoxParams, type RowBox } from '@/lib/cube/row-box'
import { mayHaveBoxes } from '@/lib/cube/row-forms'
import type { StoredRun } from '@/lib/history/stored-runs'
import type { Timeline } from '@/lib/run/run'
import { heatPlace } from '../../charts/heat'
import type { BoxChoice } from '../../charts/plot/model'

/** The address of what is in a box over a run's heat map; null: of the page without a box. */
export function boxHref({ projectSlug, id }: Pick<StoredRun, 'projectSlug' | 'id'>, box: RowBox | null): string {
  const query = box === null ? '' : rowBoxParams(box).toString()
  return `/p/${projectSlug}/runs/${id}/why${query === '' ? '' : `?${query}`}`
}

/** Whether a run has rows that can be read again, as far as its page knows. */
export const mayHaveBox = ({ form, upload, imported }: StoredRun): boolean =>
  mayHaveBoxes(form) && upload.rawRemovedAt === null && imported.timeline !== null

/** What the heat map of a run needs to draw boxes, and the one that is shown. */
export function boxChoiceOf(run: StoredRun, box: RowBox | null): BoxChoice | undefined {
  const { timeline } = run.imported
  if (timeline === null || !mayHaveBox(run)) return undefined
  const { lowerMs } = timeline.heat
  return { base: `${boxHref(run, null)}?`, lowerMs, shown: box && shownOf(timeline, box) }
}

/** Where a box is over the whole of a timeline: how far its sides are from those of the drawing. */
function shownOf({ requests, binMs, heat }: Timeline, { fromMs, toMs, aboveMs, belowMs }: RowBox): BoxChoice['shown'] {
  const across = (ms: number) => Math.min(1, Math.max(0, ms / (requests.length * binMs)))
  const down = (ms: number) => 1 - heatPlace(heat.lowerMs, ms)
  const sides = [
    ...[belowMs === null ? 0 : down(belowMs), toMs === null ? 0 : 1 - across(toMs)],
    ...[aboveMs === null ? 0 : 1 - down(aboveMs), across(fromMs ?? 0)],
  ]
  return sides.map((share) => `${Number((100 * share).toFixed(4))}%`).join(' ')
}
