import type { Place } from './svg'

/** A finger or the pointer: where it went down and where it is, in shares of the drawing. */
export interface Touch {
  readonly from: Place
  readonly to: Place
}

/** The part of an axis to show, in shares; null: all that is shown. */
type Share = readonly [from: number, to: number] | null
/** Down the drawing. */
export interface Part {
  readonly x: Share
  readonly y: Share
}

/** A drag along one axis zooms that axis alone. */
const minDragPx = 12

/** The part under a rectangle; null: it is too small to be one. */
export function draggedPart({ from, to }: Touch, width: number, height: number): Part | null {
  const along = (axis: 0 | 1, px: number): Share =>
    Math.abs(to[axis] - from[axis]) * px < minDragPx
      ? null
      : [Math.min(from[axis], to[axis]), Math.max(from[axis], to[axis])]
  const part = { x: along(0, width), y: along(1, height) }
  return part.x === null && part.y === null ? null : part
}

/** Fingers nearer than this on an axis do not pinch it. */
const minPinch = 0.12

/** The part that two fingers spread over the drawing; null: they drew it together, back to all. */
export function pinchedPart(one: Touch, other: Touch): Part | null {
  const along = (axis: 0 | 1): Share | 'all' => {
    const [before, after] = [other.from[axis] - one.from[axis], other.to[axis] - one.to[axis]]
    if (Math.abs(before) < minPinch || Math.abs(after) < minPinch) return null
    const factor = before / after
    if (factor >= 1) return 'all'
    const first = one.from[axis] - factor * one.to[axis]
    return [Math.max(0, first), Math.min(1, first + factor)]
  }
  const [x, y] = [along(0), along(1)]
  if (x === 'all' || y === 'all') return null
  return { x, y }
}
