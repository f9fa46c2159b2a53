/** What a target takes, if instances add up. */
export interface ForTarget {
  readonly targetPerSecond: number
  /** Capacity ÷ target − 1; null: there is no point. */
  readonly headroomRatio: number | null
  /** By the point; the most (by the lower bound) and the fewest (by the upper one). Null: not known. */
  readonly instances: number | null
  readonly instancesMost: number | null
  readonly instancesLeast: number | null
}

interface CapacityRange {
  readonly capacityPerSecond: number | null
  readonly lowPerSecond: number | null
  readonly highPerSecond: number | null
}

/** `instances`: those that the capacity was measured on. */
export function forTarget(targetPerSecond: number, capacity: CapacityRange, instances: number): ForTarget {
  const needed = (perSecond: number | null) =>
    perSecond === null || perSecond <= 0 ? null : Math.ceil((targetPerSecond * instances) / perSecond - 1e-9)
  const { capacityPerSecond: point } = capacity
  return {
    targetPerSecond,
    headroomRatio: point === null ? null : point / targetPerSecond - 1,
    instances: needed(point),
    instancesMost: needed(capacity.lowPerSecond),
    instancesLeast: needed(capacity.highPerSecond),
  }
}
