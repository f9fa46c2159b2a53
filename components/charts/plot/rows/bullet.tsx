import type { JudgedState } from '../../../../lib/run/judged-states'
import { RenderedMarkup, element, joined } from '../../../ui/markup'
import styles from './rows.module.css'
import { markerPaint, markerPaths } from '../svg'
import { stateStyle } from '../state-style'

/** A value in its expected range, all as shares of the width from the left. */
export interface Bullet {
  readonly low: number
  readonly high: number
  /** Null: not drawn. */
  readonly level: number | null
  readonly value: number
  /** Null: a dot. */
  readonly state: JudgedState | null
  /** The range of the level before; null: the level did not change. */
  readonly before: { readonly low: number; readonly high: number } | null
  /** Values of other runs; absent: none are drawn. */
  readonly others?: readonly number[]
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`
const lowPx = 12
/** With other runs. */
const highPx = 20

/**
 * The range as a band, that of the level before as an outline, the level as a line, the value with the mark of its
 * state. The words beside it state the same.
 */
export function BulletDrawing({ bullet }: { readonly bullet: Bullet }) {
  const { low, high, level, value, state, before, others = [] } = bullet
  const height = bullet.others === undefined ? lowPx : highPx
  const style = stateStyle(state ?? 'as-expected')
  const paint = markerPaint(style.color, style.isHollow)
  const middle = height / 2
  const mark = element('path', {
    d: markerPaths[style.marker],
    transform: 'scale(0.8)',
    fill: paint.fill,
    stroke: paint.stroke,
    'stroke-width': 2,
  })
  const markup = joined(
    element('line', { x1: 0, x2: '100%', y1: middle, y2: middle, stroke: 'var(--grid)', 'stroke-width': 1 }),
    element('rect', { x: percent(low), width: percent(high - low), y: 1, height: height - 2, fill: 'var(--band-2)' }),
    before === null ? joined() : outline(before, height),
    ...others.map((one) => upright(one, height / 2 - 4, height / 2 + 4)),
    level === null ? joined() : upright(level, 1, height - 1),
    element('svg', { x: percent(value), y: middle, overflow: 'visible' }, mark),
  )
  return (
    <svg className={styles.strip} width="100%" height={height} aria-hidden="true">
      <RenderedMarkup as="g" markup={markup} />
    </svg>
  )
}

const upright = (at: number, y1: number, y2: number) =>
  element('line', { x1: percent(at), x2: percent(at), y1, y2, stroke: 'var(--median)' })

const outline = ({ low, high }: NonNullable<Bullet['before']>, height: number) =>
  element('rect', {
    ...{ x: percent(low), width: percent(high - low), y: 0.5, height: height - 1, fill: 'none' },
    ...{ stroke: 'var(--median)', 'stroke-dasharray': '2 2' },
  })
