import type { NamedLimit } from '../../lib/run/limits'

/** A limit farther from the values than they are high would press them flat: it is drawn at the edge. */
export function isNear({ value }: Pick<NamedLimit, 'value'>, [low, high]: readonly [number, number]): boolean {
  const span = high - low
  return value >= low - span && value <= high + span
}

/** The side of an axis on which a value is beyond it; null: it is on the axis. */
export const sideOf = (value: number, [low, high]: readonly [number, number]): 'above' | 'below' | null =>
  value > high ? 'above' : value < low ? 'below' : null
