import type { RunRow } from './stored-runs'

type Placed = Pick<RunRow, 'orderedAt' | 'uploadId' | 'indexInUpload'>

/**
 * Sorts a list of runs by time (either way), runs of the same time by document: upload by upload, each from its first
 * run to its last. Runs of a document without times all have that of its upload.
 */
export function inDocumentOrder<Run extends Placed>(runs: readonly Run[]): readonly Run[] {
  const place = new Map<string, number>()
  for (const { orderedAt } of runs) if (!place.has(orderedAt)) place.set(orderedAt, place.size)
  const at = ({ orderedAt }: Run) => place.get(orderedAt) ?? 0
  return [...runs].sort(
    (a, b) => at(a) - at(b) || a.uploadId.localeCompare(b.uploadId) || a.indexInUpload - b.indexInUpload,
  )
}

/** A run ticked in a list, with the list's data. */
export interface TickedRun {
  readonly id: string
  /** `orderedAt`. */
  readonly at: string
}

/**
 * Ticked runs in the order of a comparison: the one ticked first is its base, the others follow by time, those of the
 * same time in list order. `before`: what was ticked until now, in this order.
 */
export function orderTicked(before: readonly string[], ticked: readonly TickedRun[]): readonly string[] {
  const inTime = [...ticked].sort((a, b) => a.at.localeCompare(b.at)).map(({ id }) => id)
  const base = before.find((id) => inTime.includes(id)) ?? inTime[0]
  return base === undefined ? [] : [base, ...inTime.filter((id) => id !== base)]
}
